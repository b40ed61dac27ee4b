"""What of a reply may hold a verdict: reasoning blocks and invisible characters taken away."""

import re
import unicodedata

_REASONING = re.compile(r"<(/?)\s*(think|thinking|reasoning|thought)\s*>", re.IGNORECASE)
_DECORATION = "*_`#>|~ \t"


def visible_text(text: str) -> str:
    """The reply without reasoning blocks (any case, nested) and without format characters, width folded.

    A block that is opened and never closed hides all that follows: a draft is not a verdict. A closing tag
    without its opening hides all before it (some servers swallow the opening one).
    """
    depth, kept, position = 0, [], 0
    for tag in _REASONING.finditer(text):
        if not tag[1]:
            if depth == 0:
                kept.append(text[position : tag.start()])
            depth += 1
        elif depth:
            depth -= 1
        else:
            kept.clear()
        position = tag.end()
    if depth == 0:
        kept.append(text[position:])
    folded = unicodedata.normalize("NFKC", "".join(kept))
    return "".join(char for char in folded if unicodedata.category(char) != "Cf").strip()


def plain_line(line: str) -> str:
    """A line without Markdown decoration around it."""
    return line.strip(_DECORATION).replace("**", "").replace("__", "").strip(_DECORATION)
