"""What one column of the store holds: texts, JSON, indices and bodies, packed and unpacked.

A text that is valid Unicode is kept as TEXT. One that is not (a lone surrogate, which UTF-8 cannot hold) is kept
in the same column as a BLOB of its UTF-8 with surrogates passed: every Python string comes back as it was, and
each has one stored form, so that keys stay keys.
"""

import json
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from venire.domain.identity import Json

Cell = str | bytes | int | float | None
Cells = dict[str, Cell]
"""One row by column name."""

_INDEX_DIGITS = 4
"""Indices are padded, so that the order of the texts is the order of the tuples."""


def pack_text(text: str) -> str | bytes:
    """A text as its column holds it."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def unpack_text(cell: str | bytes) -> str:
    """The text that a column holds."""
    return cell if isinstance(cell, str) else cell.decode("utf-8", "surrogatepass")


# One encoder for all: json.dumps with options makes a new one for each call.
_JSON = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def pack_json(value: Json) -> str | bytes:
    """A JSON value as its column holds it: readable, key order kept, no NaN."""
    return pack_text(_JSON.encode(value))


def unpack_json(cell: str | bytes) -> Any:
    """The JSON value that a column holds."""
    return json.loads(unpack_text(cell))


def pack_indices(indices: Sequence[int]) -> str:
    """Response indices as text that sorts as the tuple does: (0, 12) is "0000,0012".

    Raises:
        ValueError: an index is negative or has more digits than the text leaves room for.
    """
    if any(not 0 <= index < 10**_INDEX_DIGITS for index in indices):
        raise ValueError(f"response indices {tuple(indices)!r}; the store keeps 0 to {10**_INDEX_DIGITS - 1}")
    return ",".join(f"{index:0{_INDEX_DIGITS}d}" for index in indices)


@lru_cache(maxsize=4096)  # few indices, in millions of rows
def unpack_indices(cell: str) -> tuple[int, ...]:
    """The indices that `pack_indices` wrote."""
    return tuple(int(index) for index in cell.split(",")) if cell else ()


_PLAIN = b"\0"
"""In front of a body that is not compressed; no compressed one begins so."""
_COMPRESSED_FROM = 2000
"""Characters: to compress a short body takes longer than to write it."""


def pack_raw(raw: str) -> bytes:
    """A raw body; a long one is compressed, at level 1, since bodies are many and the writer must keep up."""
    content = raw.encode("utf-8", "surrogatepass")
    if len(raw) < _COMPRESSED_FROM:
        return _PLAIN + content if content else b""
    return zlib.compress(content, 1)


def unpack_raw(cell: bytes) -> str:
    """The body that `pack_raw` made a cell of."""
    if not cell:
        return ""
    return (cell[1:] if cell.startswith(_PLAIN) else zlib.decompress(cell)).decode("utf-8", "surrogatepass")
