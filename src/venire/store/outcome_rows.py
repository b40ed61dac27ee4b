"""Judgments read by the subject: what was read of many subjects alike is made once.

A run of a million judgments says few different things. SQLite gathers what was read of one subject into one text;
subjects with the same text share the same values.
"""

import sqlite3
from functools import cache
from typing import NamedTuple

from venire.domain.identity import CriterionId, DesignId, ItemId, JudgeId
from venire.domain.judgment import Abstention, Failure, FailureReason, Label, Outcome
from venire.domain.outcomes import DrawOutcome, Outcomes
from venire.store.cells import pack_text, unpack_indices, unpack_json, unpack_text

_ROWS_AT_ONCE = 5000

_QUERY = """
    SELECT item_id, responses, json_group_array(json_array(
        criterion_id, judge_id, shown, sample, attempt, kind, value, CASE kind WHEN 'failure' THEN reason END))
    FROM judgments WHERE design_id = ? GROUP BY design_id, item_id, responses
"""
_NOT_UNICODE = ("JSON cannot hold BLOB values", "Could not decode to UTF-8")
"""What SQLite and its driver say where a name or a label is no valid Unicode."""


def gather_outcomes(cursor: sqlite3.Cursor, design_id: DesignId) -> Outcomes | None:
    """What was read of every subject under a design; None where JSON cannot hold it, as it is no valid Unicode.

    Args:
        cursor: the driver's own: made into rows by name, half a million cells take as long as all the rest.
    """
    indices, kinds = _Indices(), _Kinds()
    item_ids: list[ItemId] = []
    responses: list[tuple[int, ...]] = []
    numbers: list[int] = []
    try:
        cursor.execute(_QUERY, (pack_text(design_id),))
        while rows := cursor.fetchmany(_ROWS_AT_ONCE):
            names, places, draws = zip(*rows, strict=True)
            item_ids += [ItemId(name if isinstance(name, str) else unpack_text(name)) for name in names]
            responses += map(indices.__getitem__, places)
            numbers += map(kinds.__getitem__, draws)
    except sqlite3.OperationalError as error:
        if not str(error).startswith(_NOT_UNICODE):
            raise
        return None
    return Outcomes(item_ids=item_ids, responses=responses, numbers=numbers, kinds=kinds.kinds)


class _Indices(dict[str, tuple[int, ...]]):
    """Response indices by their text."""

    def __missing__(self, text: str) -> tuple[int, ...]:
        self[text] = unpack_indices(text)
        return self[text]


class _Cells(NamedTuple):
    """What the query gathers of one judgment."""

    criterion_id: str
    judge_id: str
    shown: str
    sample: int
    attempt: int
    kind: str
    value: str | None
    reason: FailureReason | None


class _Kinds(dict[str, int]):
    """The number of each text, and what it holds."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: list[tuple[DrawOutcome, ...]] = []
        self._read = cache(_read_draw)

    def __missing__(self, gathered: str) -> int:
        self[gathered] = len(self.kinds)
        self.kinds.append(tuple(self._read(_Cells(*cells)) for cells in unpack_json(gathered)))
        return self[gathered]


def _read_draw(cells: _Cells) -> DrawOutcome:
    return DrawOutcome(
        criterion_id=CriterionId(cells.criterion_id),
        judge_id=JudgeId(cells.judge_id),
        shown=unpack_indices(cells.shown),
        sample=cells.sample,
        attempt=cells.attempt,
        outcome=_read_outcome(cells),
    )


def _read_outcome(cells: _Cells) -> Outcome:
    if cells.kind == "label" and cells.value is not None:
        return Label(value=unpack_json(cells.value))
    if cells.kind == "failure" and cells.reason is not None:
        return Failure(reason=cells.reason)
    if cells.kind == "abstention":
        return Abstention()
    raise ValueError(f"a judgment of kind {cells.kind!r} with value {cells.value!r} and reason {cells.reason!r}")
