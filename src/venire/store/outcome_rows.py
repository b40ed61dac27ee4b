"""Judgments read by the subject: what was read of many subjects alike is made once.

A run of a million judgments says few different things. SQLite gathers what was read of one subject into one text;
subjects with the same text share the same values.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from venire.domain.identity import CriterionId, DesignId, ItemId, JudgeId
from venire.domain.judgment import Abstention, Failure, FailureReason, Label, Outcome
from venire.domain.outcomes import DrawOutcome, SubjectOutcomes
from venire.store.cells import pack_text, unpack_indices, unpack_json, unpack_text

_ROWS_AT_ONCE = 5000
_MOST_KNOWN = 20_000
"""Texts whose values are remembered: where nearly every subject has its own, remembering them pays nothing."""

_QUERY = text(
    "SELECT item_id, responses, json_group_array("
    " json_array(criterion_id, judge_id, shown, sample, attempt, kind, value,"
    " CASE kind WHEN 'failure' THEN reason END))"
    " FROM judgments WHERE design_id = :design_id GROUP BY design_id, item_id, responses"
)
_NOT_UNICODE = ("JSON cannot hold BLOB values", "Could not decode to UTF-8")
"""What SQLite and its driver say where a name or a label is no valid Unicode."""


Gathered = tuple[str | bytes, str, str]
"""Item, responses and everything that was read of this subject, as the database holds and gathers it."""


def gather_outcomes(connection: Connection, design_id: DesignId) -> list[Gathered] | None:
    """What was read of every subject under a design; None where JSON cannot hold it, as it is no valid Unicode."""
    same: dict[str, str] = {}
    found: list[Gathered] = []
    try:
        result = connection.execute(_QUERY, {"design_id": pack_text(design_id)})
        while rows := result.fetchmany(_ROWS_AT_ONCE):
            if len(same) > _MOST_KNOWN:
                same.clear()
            found += [(item_id, responses, same.setdefault(draws, draws)) for item_id, responses, draws in rows]
    except OperationalError as error:
        if not any(sign in str(error) for sign in _NOT_UNICODE):
            raise
        return None
    return found


def read_gathered(gathered: Iterable[Gathered]) -> Iterator[SubjectOutcomes]:
    """The values behind what was gathered."""
    reader = _Reader()
    for item_id, responses, draws in gathered:
        known = ItemId(item_id if isinstance(item_id, str) else unpack_text(item_id))
        yield SubjectOutcomes(known, reader.indices(responses), reader.draws(draws))


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


class _Reader:
    """Makes equal texts the same values."""

    def __init__(self) -> None:
        self.indices = cache(unpack_indices)
        self._draws: dict[_Cells, DrawOutcome] = {}
        self._known: dict[str, tuple[DrawOutcome, ...]] = {}

    def draws(self, gathered: str) -> tuple[DrawOutcome, ...]:
        """What was read of one subject."""
        known = self._known.get(gathered)
        if known is None:
            known = tuple(self._draw(_Cells(*cells)) for cells in unpack_json(gathered))
            if len(self._known) < _MOST_KNOWN:
                self._known[gathered] = known
        return known

    def _draw(self, cells: _Cells) -> DrawOutcome:
        draw = self._draws.get(cells)
        if draw is None:
            draw = self._draws[cells] = DrawOutcome(
                criterion_id=CriterionId(cells.criterion_id),
                judge_id=JudgeId(cells.judge_id),
                shown=self.indices(cells.shown),
                sample=cells.sample,
                attempt=cells.attempt,
                outcome=_read_outcome(cells),
            )
        return draw


def _read_outcome(cells: _Cells) -> Outcome:
    if cells.kind == "label" and cells.value is not None:
        return Label(value=unpack_json(cells.value))
    if cells.kind == "failure" and cells.reason is not None:
        return Failure(reason=cells.reason)
    if cells.kind == "abstention":
        return Abstention()
    raise ValueError(f"a judgment of kind {cells.kind!r} with value {cells.value!r} and reason {cells.reason!r}")
