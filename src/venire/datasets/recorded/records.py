"""Records: the objects of a JSONL or JSON file (also .gz) or the rows of CSV and Parquet, with their places."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic_core import from_json

from venire.datasets.complaints import BadValue
from venire.datasets.files import kind_of, read_lines, refused
from venire.datasets.json_text import as_object, parse_json, parse_object
from venire.datasets.rows import read_rows
from venire.domain.identity import Json
from venire.errors import DataError, Problem


@dataclass(frozen=True, slots=True)
class Record:
    """One record, as it is written."""

    file: str
    line: int
    fields: Mapping[str, Json]

    def problem(self, message: str, *, key: str = "id") -> Problem:
        """Something wrong with this record; `key` is the field that holds the item's id."""
        written = self.fields.get(key)
        return Problem(file=self.file, line=self.line, id=None if written is None else str(written), message=message)

    def error(self, message: str) -> DataError:
        """The same as an error that ends the reading."""
        return DataError((self.problem(message),))


def read_records(path: Path) -> Iterator[Record]:
    """The records of a file, in order.

    Raises:
        DataError: the file or one of its records cannot be read; or it holds none.
    """
    n = 0
    for record in _records(path):
        n += 1
        yield record
    if not n:
        raise refused(path, "the file is empty; it has no row")


def read_document(path: Path) -> Mapping[str, Json] | None:
    """The one object that a .json file is; None: it is something else.

    Raises:
        DataError: the file cannot be read.
    """
    if kind_of(path) != "json":
        return None
    text = "".join(read_lines(path))
    if not text.lstrip().startswith("{"):
        return None
    try:
        return as_object(parse_json(text))
    except BadValue as error:
        raise refused(path, "; ".join(error.messages)) from error


def _object(line: str, name: str, number: int) -> Mapping[str, Json]:
    # By pydantic's parser, which is ten times as fast as Python's with a hook; where it stumbles, ours says why.
    try:
        value = from_json(line, allow_inf_nan=False)
    except ValueError:
        value = None
    if isinstance(value, dict):
        return value
    try:
        return parse_object(line)
    except BadValue as error:
        problem = Problem(file=name, line=number, id=None, message="; ".join(error.messages))
        raise DataError((problem,)) from error


def _records(path: Path) -> Iterator[Record]:
    name = str(path)
    if kind_of(path) == "jsonl":  # the many: read without the care that judged texts need
        for number, line in enumerate(read_lines(path), start=1):
            if line.strip():
                yield Record(name, number, _object(line, name, number))
        return
    for row in read_rows(path, dict):
        if isinstance(row, Problem):
            raise DataError((row,))
        yield Record(name, row.line or row.element, row.fields)
