"""All verdicts of a run as text, written as they come; of verdicts that differ only in their item, the rest once."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from venire.domain.identity import ItemId, Json
from venire.domain.item import Item, Subject
from venire.domain.verdict import Rulings, Verdict, Verdicts
from venire.store.results import COLUMNS, Record, verdict_record

LINES_AT_ONCE = 5000

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for a formula, full-width forms included (OWASP, "CSV Injection")."""

_SKIPPED = " \xa0\u200b\u2060\ufeff\x00"

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)

_PLAIN_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/#-]*", re.ASCII)
"""Ids that are the same in CSV."""


def verdicts_csv(verdicts: Verdicts, items: Mapping[ItemId, Item]) -> Iterator[str]:
    """Verdicts as CSV (RFC 4180) that a spreadsheet reads as text and numbers, never as formulas.

    A text that would begin a formula gets an apostrophe in front, unless it is a number. Lists and counts by reason
    are written as JSON, null as an empty cell.

    Args:
        items: for the names of systems.

    Yields:
        Some thousands of lines at a time.
    """
    yield _csv_line(COLUMNS)
    kinds = _Kinds(items, lambda record: _csv_line([_csv_cell(record[name]) for name in COLUMNS]))
    # The item is the first cell, and was left empty.
    yield from _at_once(_csv_id(item_id) + line for item_id, line in kinds.lines(verdicts))


def verdicts_json(rule: str, verdicts: Verdicts, items: Mapping[ItemId, Item]) -> Iterator[str]:
    """The rule and its verdicts as one JSON document, indented by two.

    Args:
        items: for the names of systems.

    Yields:
        Some thousands of verdicts at a time.
    """
    kinds = _Kinds(items, _json_block)
    blank = '      "item": ""'
    blocks = (
        f'    {{\n      "item": {json.dumps(item_id, ensure_ascii=False)}{block[len(blank) + 6 :]}'
        for item_id, block in kinds.lines(verdicts)
    )
    first = next(blocks, None)
    yield f'{{\n  "rule": {json.dumps(rule)},\n  "verdicts": ['
    if first is not None:
        yield f"\n{first}"
        yield from _at_once(f",\n{block}" for block in blocks)
        yield "\n  "
    yield "]\n}\n"


class _Kinds:
    """Writes what verdicts of one kind have in common once, with the item left empty."""

    def __init__(self, items: Mapping[ItemId, Item], write: Callable[[Record], str]) -> None:
        self._items = items
        self._write = write
        self._known: dict[tuple[int, int, tuple[int, ...], int], str] = {}

    def lines(self, verdicts: Verdicts) -> Iterator[tuple[ItemId, str]]:
        """The item of each verdict, and the text of its kind."""
        for place, subject in enumerate(verdicts.subjects):
            item = self._items.get(subject.item_id)
            # Items of the same systems share their responses, which a run without words holds once.
            systems = id(None if item is None else item.responses)
            for column, rulings in enumerate(verdicts.rulings):
                key = (column, rulings.number[place], subject.responses, systems)
                text = self._known.get(key)
                if text is None:
                    text = self._known[key] = self._text(_on(rulings, place, subject))
                yield subject.item_id, text
            if place in verdicts.after:
                yield subject.item_id, self._text(verdicts.after[place])

    def _text(self, verdict: Verdict) -> str:
        return self._write({**verdict_record(verdict, self._items.get(verdict.subject.item_id)), "item": ""})


def _on(rulings: Rulings, place: int, subject: Subject) -> Verdict:
    return rulings.of(place).on(subject, rulings.criterion_id)


def _at_once(lines: Iterator[str]) -> Iterator[str]:
    while some := "".join(islice(lines, LINES_AT_ONCE)):
        yield some


def _csv_id(item_id: ItemId) -> str:
    return item_id if _PLAIN_ID.fullmatch(item_id) else _csv_line([_csv_cell(item_id)])[: -len("\r\n")]


def _csv_line(cells: Iterable[Json]) -> str:
    line = io.StringIO(newline="")
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _json_block(record: Record) -> str:
    lines = json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False).split("\n")
    return "\n".join(f"    {line}" for line in lines)


def _csv_cell(cell: Json) -> str | int | float:
    if cell is None:
        return ""
    if isinstance(cell, int | float):
        return cell
    text = cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False, allow_nan=False)
    # Some programs skip spaces and marks that nobody sees before they look for a formula.
    is_formula = text.lstrip(_SKIPPED).startswith(_FORMULA_STARTS) and not _NUMBER.fullmatch(text)
    return f"'{text}" if is_formula else text
