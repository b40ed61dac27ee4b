"""Words compared: which differences between two pieces of text cannot be seen, or do not count."""

import re
import unicodedata

# Beside the format characters (category Cf): grapheme joiner, Hangul and Khmer fillers, variation selectors.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u3164\ufe00-\ufe0f\uffa0]")


def without_invisible(text: str) -> str:
    """The text without zero-width and format characters, which hide a word from every comparison."""
    if text.isascii():  # none of them is in ASCII
        return text
    return _INVISIBLE.sub("", "".join(char for char in text if unicodedata.category(char) != "Cf"))


def fold_width(text: str) -> str:
    """The text in plain characters: full-width forms, ligatures and other compatibility forms undone (NFKC)."""
    if text.isascii():  # already plain
        return text
    return without_invisible(unicodedata.normalize("NFKC", without_invisible(text)))


def fold(text: str) -> str:
    """The form in which words are compared: as `fold_width`, and case and outer spaces do not count either."""
    if text.isascii():
        return text.lower().strip()
    return unicodedata.normalize("NFKC", fold_width(text).casefold()).strip()
