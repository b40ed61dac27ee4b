"""Rows: one record of a JSONL, JSON, CSV or Parquet file, with the place where it stands.

JSONL: one object a line. JSON: one list of objects, or the same as JSONL. CSV: commas, a header, quotes doubled
inside quotes, line breaks inside quotes kept as they are. Blank lines are skipped everywhere.
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from venire.datasets.columns import Columns, Renaming
from venire.datasets.complaints import BadValue, quote
from venire.datasets.files import kind_of, read_lines, refused
from venire.datasets.json_text import as_object, clean_value, count_lone_halves, parse_json, parse_object
from venire.datasets.parquet import json_value, read_parquet
from venire.domain.identity import ItemId, Json
from venire.errors import Problem

ShapeCells = Callable[[Mapping[str, str]], Mapping[str, Json]]
"""Turns the cells of a CSV row into the fields that a JSON row would have; raises BadValue."""

# Python's csv stops at 131072 characters a field; a long response has more. The limit holds for the whole
# process, so it is only ever raised. 2^31 - 1 fits into the C long of every platform.
_FIELD_LIMIT = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One record of a file."""

    file: str
    line: int
    """Physical line on which the row starts, from 1; 0 where there are no lines: a .json list, Parquet."""
    element: int = 0
    """Place in the list or table, from 1, where there are no lines; elsewhere 0."""
    unit: str = "element"
    """What `element` counts."""
    fields: Mapping[str, Json]
    n_replaced: int
    """Lone halves of surrogate pairs that became U+FFFD."""
    untyped: bool
    """Whether numbers arrive as text, as they do in CSV."""

    @property
    def place(self) -> str:
        """Where the row is, in words."""
        return f"{self.unit} {self.element}" if self.element else f"line {self.line}"

    def problem(self, message: str, *, key: str = "id") -> Problem:
        """Something wrong with this row; `key` is the field that holds the item's id."""
        try:
            row_id: str | None = read_id(self.fields.get(key))
        except BadValue:
            row_id = None
        prefix = f"{self.unit} {self.element}: " if self.element else ""
        return Problem(file=self.file, line=self.line, id=row_id, message=prefix + message)


def read_rows(path: Path, shape_cells: ShapeCells, columns: Columns = ()) -> Iterator[Row | Problem]:
    """The rows of a file in order, a Problem in the place of each that cannot be read; one row in memory at a time.

    Args:
        path: the file.
        shape_cells: for CSV.
        columns: how the file calls venire's fields, where it calls them otherwise.

    Raises:
        DataError: the file as a whole cannot be read.
    """
    kind = kind_of(path)
    renaming = Renaming(path, columns, is_table=kind in ("csv", "parquet"))
    match kind:
        case "jsonl":
            yield from _jsonl_rows(path, enumerate(read_lines(path), start=1), renaming)
        case "json":
            yield from _json_rows(path, renaming)
        case "csv":
            yield from _csv_rows(path, shape_cells, renaming)
        case "parquet":
            yield from _parquet_rows(path, renaming)
    renaming.check()


def read_id(written: Json) -> ItemId:
    """An item's id, kept as text exactly as written; the JSON number 7 becomes "7", and so equals the text "7".

    Raises:
        BadValue: it is missing, null, empty, or neither text nor a whole number.
    """
    if isinstance(written, int) and not isinstance(written, bool):
        return ItemId(str(written))
    if written is None:
        raise BadValue("the id is missing or null; every row needs one, text or a whole number")
    if not isinstance(written, str):
        raise BadValue(f"the id is {quote(written)}; text or a whole number was expected. Write it in quotes.")
    if not written.strip():
        raise BadValue(f"the id is {quote(written)}; it must not be empty")
    return ItemId(written)


def _row(
    path: Path,
    line: int,
    fields: Mapping[str, Json],
    *,
    element: int = 0,
    unit: str = "element",
    untyped: bool = False,
) -> Row:
    return Row(
        file=str(path),
        line=line,
        element=element,
        unit=unit,
        fields=as_object(clean_value(fields)),
        n_replaced=count_lone_halves(fields),
        untyped=untyped,
    )


def _unread(path: Path, line: int, error: BadValue) -> Problem:
    return Problem(file=str(path), line=line, id=None, message="; ".join(error.messages))


def _jsonl_rows(path: Path, lines: Iterator[tuple[int, str]], renaming: Renaming) -> Iterator[Row | Problem]:
    for number, line in lines:
        if not line.strip():
            continue
        try:
            yield _row(path, number, renaming.rename(parse_object(line)))
        except BadValue as error:
            yield _unread(path, number, error)


def _json_rows(path: Path, renaming: Renaming) -> Iterator[Row | Problem]:
    lines = enumerate(read_lines(path), start=1)
    first_number, first = next(((number, line) for number, line in lines if line.strip()), (0, ""))
    if not first.lstrip().startswith("["):
        yield from _jsonl_rows(path, iter([(first_number, first)]), renaming)
        yield from _jsonl_rows(path, lines, renaming)
        return
    try:
        elements = parse_json(first + "".join(line for _, line in lines))
    except BadValue as error:
        raise refused(path, "; ".join(error.messages)) from error
    assert isinstance(elements, list)  # JSON that starts with "[" is a list or no JSON
    for number, element in enumerate(elements, start=1):
        try:
            yield _row(path, 0, renaming.rename(as_object(element)), element=number)
        except BadValue as error:
            yield _unread(path, 0, BadValue(f"element {number}: {'; '.join(error.messages)}"))


def _parquet_rows(path: Path, renaming: Renaming) -> Iterator[Row | Problem]:
    for number, values in read_parquet(path):
        try:
            fields = {name: json_value(value) for name, value in values.items()}
            yield _row(path, 0, renaming.rename(fields), element=number, unit="row")
        except BadValue as error:
            yield _unread(path, 0, BadValue(f"row {number}: {'; '.join(error.messages)}"))


def _csv_rows(path: Path, shape_cells: ShapeCells, renaming: Renaming) -> Iterator[Row | Problem]:
    records = _csv_records(path)
    header_line, written = next(records, (0, []))
    header = [name.strip() for name in written]
    _check_header(path, header_line, header)
    for line, cells in records:
        try:
            if len(cells) != len(header):
                raise BadValue(
                    f"the row has {len(cells)} cells, the header {len(header)}; "
                    "put quotes around a cell that holds a comma, a quote or a line break"
                )
            named = renaming.rename(dict(zip(header, cells, strict=True)))
            yield _row(path, line, shape_cells({name: str(cell) for name, cell in named.items()}), untyped=True)
        except BadValue as error:
            yield _unread(path, line, error)


def _csv_records(path: Path) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(max(csv.field_size_limit(), _FIELD_LIMIT))
    reader = csv.reader(read_lines(path), strict=True)
    start = 1
    try:
        for cells in reader:
            if cells and (len(cells) > 1 or cells[0].strip()):
                yield start, cells
            start = reader.line_num + 1
    except csv.Error as error:
        raise refused(
            path,
            f"the CSV cannot be read from here on: {error}; "
            'put quotes around a cell that holds a line break, and write a quote inside quotes twice ("")',
            line=start,
        ) from error


def _check_header(path: Path, line: int, header: list[str]) -> None:
    names = [name for name in header if name]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise refused(path, f"the header names columns twice: {twice!r}; give each its own name", line=line)
    if len(header) == 1 and any(mark in header[0] for mark in ";\t"):
        raise refused(path, f"the header {header[0]!r} has no comma; separate columns by commas", line=line)
