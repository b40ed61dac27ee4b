"""CSV cells: the text of a row to the fields that the same row would have in JSONL."""

import re
from collections.abc import Mapping

from venire.datasets.complaints import BadValue, Complaints
from venire.datasets.json_text import parse_json
from venire.domain.identity import Json

_ITEM_ABSENT = frozenset(
    {"prompt", "responses", "reference", "references", "context", "category", "group", "gold", "system"}
)
"""Columns of an item in which an empty cell says that there is nothing; an empty response is a response."""

_ITEM_JSON = {"responses": "[", "reference": "[", "references": "[", "gold": "[{"}
"""Columns that hold JSON where a cell starts with one of these."""

_ANNOTATION_JSON = {"responses": "[", "systems": "["}

_NUMBERED = re.compile(r"(response|answer|system)_(0|[1-9]\d{0,3})", re.ASCII)
_WHOLE_NUMBER = re.compile(r"\d{1,9}", re.ASCII)


def item_cells(cells: Mapping[str, str]) -> Mapping[str, Json]:
    """The fields of an item; `response_1`, `system_1`, `response_2` … become the list `responses`.

    Raises:
        BadValue: a cell that starts as JSON is no JSON, or two columns name the same response.
    """
    texts, systems = _numbered(cells)
    used = {f"system_{number}" for number in texts}
    plain = {
        column: cell
        for column, cell in cells.items()
        if column not in used and not (_NUMBERED.fullmatch(column) and not column.startswith("system"))
    }
    fields = _parsed({c: cell for c, cell in plain.items() if cell or c not in _ITEM_ABSENT | {""}}, _ITEM_JSON)
    if texts and "responses" in fields:
        raise BadValue("the row has a column responses and numbered response columns; keep one of the two")
    if texts:
        fields["responses"] = [
            {"system": systems.get(number) or None, "text": texts[number]} for number in sorted(texts)
        ]
    return fields


def annotation_cells(cells: Mapping[str, str]) -> Mapping[str, Json]:
    """The fields of an annotation; an empty cell is an absent field, `response` an index.

    Raises:
        BadValue: a cell that starts as JSON is no JSON.
    """
    fields = _parsed({column: cell for column, cell in cells.items() if cell}, _ANNOTATION_JSON)
    index = fields.get("response")
    if isinstance(index, str) and _WHOLE_NUMBER.fullmatch(index):
        fields["response"] = int(index)
    return fields


def is_numbered(column: str) -> bool:
    """Whether a column is one of response_1, system_1, response_2, …"""
    return _NUMBERED.fullmatch(column) is not None


def _numbered(cells: Mapping[str, str]) -> tuple[dict[int, str], dict[int, str]]:
    texts: dict[int, str] = {}
    systems: dict[int, str] = {}
    for column, cell in cells.items():
        match = _NUMBERED.fullmatch(column)
        if match is None:
            continue
        number = int(match[2])
        if match[1] == "system":
            systems[number] = cell
        elif number in texts:
            raise BadValue(f"columns response_{number} and answer_{number} name the same response; keep one")
        else:
            texts[number] = cell
    return texts, systems


def _parsed(cells: Mapping[str, str], openings: Mapping[str, str]) -> dict[str, Json]:
    complaints = Complaints()

    def parse_cell(column: str) -> Json:
        cell = cells[column]
        if cell[:1] not in tuple(openings.get(column, "")):
            return cell
        try:
            return parse_json(cell)
        except BadValue as error:
            raise BadValue(f"{column} starts as JSON, but {'; '.join(error.messages)}") from error

    fields = {column: complaints.attempt(parse_cell, column, otherwise=None) for column in cells}
    complaints.settle()
    return fields
