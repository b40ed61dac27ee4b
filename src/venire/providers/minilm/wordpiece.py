"""Turn a text into the WordPiece ids that an uncased BERT model was trained on.

The algorithm is the published one (Devlin et al. 2018, arXiv 1810.04805, with `tokenization.py` of
google-research/bert): a basic tokenizer (clean, lower-case, strip accents, split at white space,
punctuation and CJK ideographs), then greedy longest-match WordPiece.

A text is only ever text: "[SEP]" inside it is split into "[", "sep" and "]", never read as the separator
token, so that no judged answer can change how it is read.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

UNKNOWN_TOKEN = "[UNK]"
FIRST_TOKEN = "[CLS]"
LAST_TOKEN = "[SEP]"

CONTINUATION_MARK = "##"

# `max_input_chars_per_word` of the model's tokenizer.json: a longer word is one unknown token.
LONGEST_WORD = 100

# Categories which vanish: control, format, private use and lone surrogates. Unassigned code points stay, so
# that a character newer than the interpreter's Unicode tables does not glue its neighbours together.
CONTROL_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs"})

# U+0000 and the replacement character are dropped by name in `_clean_text` of google-research/bert.
DROPPED_CHARACTERS = frozenset({"\x00", "\ufffd"})

# Space characters which Unicode files under the control category.
CONTROL_SPACES = frozenset({"\t", "\n", "\r"})

# The ideograph blocks of `_is_chinese_char` in google-research/bert (Hangul and kana are not among them:
# they are written in words or are short enough for WordPiece).
IDEOGRAPH_BLOCKS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)

# BERT counts every ASCII symbol as punctuation, also those Unicode calls symbols, such as "$" or "+".
ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The ids of all word pieces, and of the three special tokens a sequence needs."""

    ids: Mapping[str, int]
    unknown: int
    first: int
    last: int


def read_vocabulary(path: Path) -> Vocabulary:
    """Read a vocab.txt: one piece a line, the line number (from 0) is its id."""
    try:
        # Not splitlines(): a piece may be a character which Python counts as a line break.
        pieces = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text ({error}); install the model package again.") from error
    ids = {piece: number for number, piece in enumerate(pieces)}
    if len(ids) != len(pieces):
        raise ValueError(
            f"{path} lists {len(pieces) - len(ids)} pieces twice; a vocabulary names each piece once: "
            "install the model package again."
        )
    missing = [token for token in (UNKNOWN_TOKEN, FIRST_TOKEN, LAST_TOKEN) if token not in ids]
    if missing:
        raise ValueError(
            f"{path} has no {', '.join(missing)} among its {len(ids)} pieces; expected the vocabulary of an "
            "uncased BERT model: install the model package again."
        )
    return Vocabulary(ids, ids[UNKNOWN_TOKEN], ids[FIRST_TOKEN], ids[LAST_TOKEN])


def tokenize(text: str, vocabulary: Vocabulary, max_length: int) -> tuple[int, ...]:
    """Return the ids of `text` between [CLS] and [SEP], cut to `max_length` ids including those two."""
    if max_length < 2:
        raise ValueError(f"max_length is {max_length}; expected at least 2, the room for [CLS] and [SEP].")
    words = split_words(normalize_text(text))
    pieces = chain.from_iterable(split_pieces(word, vocabulary) for word in words)
    return (vocabulary.first, *islice(pieces, max_length - 2), vocabulary.last)


def normalize_text(text: str) -> str:
    """Drop control characters, set ideographs apart, strip accents and lower the case."""
    cleaned = "".join(map(replace_character, text))
    decomposed = unicodedata.normalize("NFD", cleaned)
    # Lowered one character at a time: str.lower() on a whole word turns a final Greek sigma into another
    # letter than the model's vocabulary was built with.
    return "".join(mark.lower() for mark in decomposed if unicodedata.category(mark) != "Mn")


def replace_character(character: str) -> str:
    """Return what the cleaned text holds in place of one character."""
    if character in CONTROL_SPACES:
        return " "
    if character in DROPPED_CHARACTERS or unicodedata.category(character) in CONTROL_CATEGORIES:
        return ""
    if character.isspace():
        return " "
    return f" {character} " if is_ideograph(character) else character


def is_ideograph(character: str) -> bool:
    """Tell whether BERT treats the character as a word of its own."""
    code = ord(character)
    # No block starts below U+3400, and nearly every character of a text lies there.
    return code >= 0x3400 and any(low <= code <= high for low, high in IDEOGRAPH_BLOCKS)


def is_punctuation(character: str) -> bool:
    """Tell whether BERT splits a word at the character."""
    return character in ASCII_PUNCTUATION or unicodedata.category(character).startswith("P")


def split_words(normalized: str) -> Iterator[str]:
    """Yield words and single punctuation characters, in order."""
    for chunk in normalized.split():
        start = 0
        for place, character in enumerate(chunk):
            if is_punctuation(character):
                if start < place:
                    yield chunk[start:place]
                yield character
                start = place + 1
        if start < len(chunk):
            yield chunk[start:]


def split_pieces(word: str, vocabulary: Vocabulary) -> tuple[int, ...]:
    """Cut a word greedily into the longest known pieces; one unknown token if any rest is unknown."""
    if len(word) > LONGEST_WORD:
        return (vocabulary.unknown,)
    pieces: list[int] = []
    start = 0
    while start < len(word):
        mark = CONTINUATION_MARK if start else ""
        for end in range(len(word), start, -1):
            piece = vocabulary.ids.get(mark + word[start:end])
            if piece is not None:
                break
        else:
            return (vocabulary.unknown,)
        pieces.append(piece)
        start = end
    return tuple(pieces)
