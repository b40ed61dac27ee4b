"""What of a reply may hold a verdict: the words outside reasoning blocks."""

import re

_REASONING = re.compile(r"<(/?)\s*(?:think|thinking|reasoning|thought)\s*>", re.IGNORECASE)


def without_reasoning(text: str) -> str:
    """The reply without reasoning blocks (any case, nested).

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
    return "".join(kept).strip()
