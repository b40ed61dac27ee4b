"""Files as lines of text: plain or gzip, UTF-8 and nothing else, whole or not at all."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal, cast

from venire.errors import DataError, Problem

Kind = Literal["jsonl", "json", "csv", "parquet"]

_KINDS: dict[str, Kind] = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".parquet": "parquet"}

_BOM = "\ufeff"


def kind_of(path: Path) -> Kind:
    """What a file holds, by its name.

    Raises:
        DataError: the name ends otherwise.
    """
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    if suffix not in _KINDS or (_KINDS[suffix] == "parquet" and path.name.lower().endswith(".gz")):
        raise refused(
            path,
            f"a name that ends in {suffix!r} says nothing that can be read; "
            "read are .jsonl, .json and .csv, each also with .gz, and .parquet. Convert the file or rename it.",
        )
    return _KINDS[suffix]


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a file, one at a time, with their line ends; only "\\n" ends a line. A byte-order mark is dropped.

    Raises:
        DataError: the file is missing, unreadable, a folder, not UTF-8, or its gzip data are cut or damaged.
    """
    number = 0
    try:
        with _opened(path) as stream:
            for number, raw in enumerate(stream, start=1):
                line = _decoded(raw, number, path)
                yield line.removeprefix(_BOM) if number == 1 else line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise refused(
            path,
            f"the gzip data end too early or are damaged after line {number} ({error}); "
            "rows would be missing without a word. Copy or compress the file again.",
        ) from error
    except OSError as error:
        raise refused(path, f"cannot be read: {error.strerror or error}") from error


def refused(path: Path, message: str, *, line: int = 0) -> DataError:
    """The error that refuses a file as a whole; `line` says where the trouble is, 0 where it is everywhere."""
    return DataError((Problem(file=str(path), line=line, id=None, message=message),))


def _opened(path: Path) -> BinaryIO:
    if path.name.lower().endswith(".gz"):
        return cast("BinaryIO", gzip.open(path, "rb"))
    return path.open("rb")


def _decoded(raw: bytes, number: int, path: Path) -> str:
    if number == 1:
        _check_start(raw, path)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise refused(
            path,
            f"byte {raw[error.start : error.start + 1]!r} at position {error.start + 1} is not UTF-8; "
            "the file looks like Latin-1 or Windows-1252. Save it as UTF-8.",
            line=number,
        ) from error


def _check_start(raw: bytes, path: Path) -> None:
    # ASCII text in UTF-16 has a zero byte in each pair; neither JSON nor a CSV header can start with one in UTF-8.
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in raw[:2]:
        raise refused(path, "the file looks like UTF-16 (or UTF-32); only UTF-8 is read. Save it as UTF-8.", line=1)
    if raw.startswith(b"\x1f\x8b"):
        raise refused(path, "the file is gzip data; let its name end in .gz")
