"""Coding judgments: every draw of every judge on every subject, as arrays."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from venire.coding.labels import code_value, labels_of
from venire.coding.votes import CodedDraws, Draw
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Abstention, Failure, Judgment, Label
from venire.domain.rubric import Criterion, Value

ABSTAINED = "abstained"
NOT_ASKED = "not_asked"


def code_draws(
    judgments: Iterable[Judgment], subjects: Sequence[Subject], judges: Sequence[JudgeId], criterion: Criterion
) -> CodedDraws:
    """Code the judgments on one criterion; of one draw, the highest attempt counts.

    Judgments of other criteria, subjects and judges are passed over. A draw is missing for its failure's reason,
    "abstained", or "not_asked" where there is no judgment.

    Raises:
        ValueError: a label is off the scale; two judgments of the same attempt differ; or subjects or judges
            repeat.
    """
    return code_draws_of_criteria(judgments, subjects, judges, (criterion,))[criterion.id]


def code_draws_of_criteria(
    judgments: Iterable[Judgment],
    subjects: Sequence[Subject],
    judges: Sequence[JudgeId],
    criteria: Sequence[Criterion],
) -> Mapping[CriterionId, CodedDraws]:
    """Code the judgments on several criteria in one pass, as `code_draws` does for one."""
    rows = {judge_id: row for row, judge_id in enumerate(judges)}
    # Keyed by the subject's fields: a tuple of built-ins hashes several times faster than a dataclass.
    columns = {(subject.item_id, subject.responses): column for column, subject in enumerate(subjects)}
    if len(rows) < len(judges) or len(columns) < len(subjects):
        raise ValueError("judges or subjects repeat one another; each must be given once")
    n_responses = max((len(subject.responses) for subject in subjects), default=0)
    ledgers = {criterion.id: _Ledger(criterion, n_responses) for criterion in criteria}
    for judgment in judgments:
        ledger = ledgers.get(judgment.criterion_id)
        row = rows.get(judgment.judge_id)
        column = columns.get((judgment.subject.item_id, judgment.subject.responses))
        if ledger is not None and row is not None and column is not None:
            ledger.enter(judgment, row * len(subjects) + column)
    return {criterion_id: ledger.code(subjects, judges) for criterion_id, ledger in ledgers.items()}


class _Ledger:
    """The judgments on one criterion as columns, in the order in which they came."""

    def __init__(self, criterion: Criterion, n_responses: int) -> None:
        self._scale = criterion.scale
        self._n_responses = n_responses
        self._cells = array("q")
        self._draws = array("q")
        self._attempts = array("q")
        self._codes = array("d")
        self._missing = array("q")
        self._known: dict[tuple[type, Value, tuple[int, ...]], float] = {}
        self._draw_numbers: dict[tuple[bool, int], int] = {}
        self._reason_numbers: dict[str, int] = {}

    def enter(self, judgment: Judgment, cell: int) -> None:
        """Write down one judgment; `cell` is its place in an array (n_judges, n_subjects)."""
        code, missing = 0.0, 0
        match judgment.outcome:
            case Label(value=value):
                # Coded once for each value: 1 and 1.0 are equal but not both on every scale, so its type is in the key.
                key = (value.__class__, value, judgment.subject.responses)
                known = self._known.get(key)
                if known is None:
                    known = self._known[key] = code_value(self._scale, value, judgment.subject, self._n_responses)
                code = known
            case Abstention():
                missing = 1 + self._reason_numbers.setdefault(ABSTAINED, len(self._reason_numbers))
            case Failure(reason=reason):
                missing = 1 + self._reason_numbers.setdefault(reason, len(self._reason_numbers))
            case _:
                assert_never(judgment.outcome)
        is_swapped = judgment.shown != judgment.subject.responses
        draw = self._draw_numbers.setdefault((is_swapped, judgment.sample), len(self._draw_numbers))
        self._cells.append(cell)
        self._draws.append(draw)
        self._attempts.append(judgment.attempt)
        self._codes.append(code)
        self._missing.append(missing)

    def code(self, subjects: Sequence[Subject], judges: Sequence[JudgeId]) -> CodedDraws:
        """Lay the columns out as arrays."""
        keys = sorted(self._draw_numbers)
        reasons = tuple(sorted({*self._reason_numbers, NOT_ASKED}))
        shape = (len(judges), len(subjects), len(keys))
        codes = np.zeros(shape)
        missing = np.full(shape, 1 + reasons.index(NOT_ASKED), dtype=np.int16)
        if keys:
            places = np.empty(len(keys), dtype=np.int64)
            places[[self._draw_numbers[key] for key in keys]] = np.arange(len(keys))
            numbers = np.array([0, *(1 + reasons.index(reason) for reason in self._reason_numbers)], dtype=np.int16)
            index = _integers(self._cells) * len(keys) + places[_integers(self._draws)]
            last = self._last_attempts(index)
            codes.reshape(-1)[index[last]] = np.frombuffer(self._codes)[last]
            missing.reshape(-1)[index[last]] = numbers[_integers(self._missing)[last]]
        return CodedDraws(
            scale=self._scale,
            labels=labels_of(self._scale, self._n_responses),
            raters=tuple(judges),
            subjects=tuple(subjects),
            draws=tuple(Draw(order="BA" if is_swapped else "AB", sample=sample) for is_swapped, sample in keys),
            codes=codes,
            missing=missing,
            reasons=reasons,
        )

    def _last_attempts(self, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Which entries count: for every draw the one with the highest attempt."""
        attempts = _integers(self._attempts)
        order = np.lexsort((attempts, index))
        same_draw = index[order][1:] == index[order][:-1]
        same_attempt = same_draw & (attempts[order][1:] == attempts[order][:-1])
        codes, missing = np.frombuffer(self._codes)[order], _integers(self._missing)[order]
        differs = (codes[1:] != codes[:-1]) | (missing[1:] != missing[:-1])
        if bool(np.any(same_attempt & differs)):
            raise ValueError(
                "Two judgments of one judge, subject, order, sample and attempt differ; "
                "which of them counts could only be guessed. Keep one."
            )
        is_last = np.append(~same_draw, True)
        return np.asarray(order[is_last], dtype=np.int64)


def _integers(column: "array[int]") -> NDArray[np.int64]:
    return np.frombuffer(column, dtype=np.int64)
