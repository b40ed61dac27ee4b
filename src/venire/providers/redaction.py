"""Secrets taken out of any text that venire keeps or shows."""

import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, quote_plus

MARK = "[redacted]"

MIN_SECRET = 8
"""Shorter values are placeholders ("EMPTY", "none"), which local servers want; they would be found in any text."""

TAIL = 8
"""Providers echo a key cut to its tail; so many characters of it are worth hiding."""


def redact(text: str, secrets: Iterable[str]) -> str:
    """Replace every secret by a mark: whole, URL-encoded, or any tail of at least eight characters."""
    spans = sorted(span for form in _forms(secrets) for span in _find_tails(text, form))
    kept: list[str] = []
    position = 0
    for start, end in spans:
        if start >= position:
            kept += [text[position:start], MARK]
        position = max(position, end)
    return "".join([*kept, text[position:]])


def _forms(secrets: Iterable[str]) -> set[str]:
    forms: set[str] = set()
    for secret in secrets:
        if len(secret) >= MIN_SECRET:
            encoded = {quote(secret, safe=""), quote(secret), quote_plus(secret)}
            # RFC 3986, 2.1: the digits of %2B may be written in either case.
            lowered = {re.sub("%..", lambda escape: escape[0].lower(), form) for form in encoded}
            forms |= {secret, json.dumps(secret)[1:-1]} | encoded | lowered
    return forms


def _find_tails(text: str, secret: str) -> Iterator[tuple[int, int]]:
    """Start and end of every occurrence of the secret's last characters, grown to the left as far as it matches."""
    tail = secret[-TAIL:]
    found = text.find(tail)
    while found >= 0:
        start, left = found, len(secret) - TAIL
        while left > 0 and start > 0 and text[start - 1] == secret[left - 1]:
            start, left = start - 1, left - 1
        yield start, found + TAIL
        found = text.find(tail, found + 1)
