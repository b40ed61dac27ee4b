"""Fences: markers around judged text that the text cannot write itself."""

import hashlib
from collections.abc import Sequence

SHORTEST = 4
"""Hexadecimal digits of the shortest fence: few, since small models read slowly; more where a text contains it."""


def fence_for(texts: Sequence[str], shortest: int = SHORTEST) -> str:
    """A marker word made from the texts by hash, lengthened until none of them contains it.

    The same texts have the same fence, so the same item gives the same prompt, and reruns are free.
    """
    together = "\x00".join(texts)
    digest = hashlib.sha256(together.encode("utf-8", "surrogatepass")).hexdigest()
    length = shortest
    while digest[:length] in together:
        length += 1
        if length > len(digest):
            digest += hashlib.sha256(digest.encode("ascii")).hexdigest()
    return digest[:length]


def enclose(name: str, text: str, fence: str) -> str:
    """The text between an opening and a closing marker."""
    return f"<{name} {fence}>\n{text}\n</{name} {fence}>"
