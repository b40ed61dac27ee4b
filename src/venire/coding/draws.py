"""Coding judgments: every draw of every judge on every subject, as arrays."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from venire.coding.labels import code_value, labels_of
from venire.coding.votes import CodedDraws, Draw
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Abstention, Failure, Judgment, Label
from venire.domain.outcomes import DrawOutcome, SubjectOutcomes, outcomes_of
from venire.domain.rubric import Criterion, Value

ABSTAINED = "abstained"
NOT_ASKED = "not_asked"
_UNREAD = -1
"""The kind of a subject of which nothing was read."""


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
    return code_outcomes(outcomes_of(judgments), subjects, judges, (criterion,))[criterion.id]


def code_outcomes(
    outcomes: Iterable[SubjectOutcomes],
    subjects: Sequence[Subject],
    judges: Sequence[JudgeId],
    criteria: Sequence[Criterion],
) -> Mapping[CriterionId, CodedDraws]:
    """Code what was read of every subject on several criteria, as `code_draws` does for one.

    Args:
        outcomes: those of one subject together; where the same was read of many, it is coded once.
    """
    # Keyed by the subject's fields: a tuple of built-ins hashes several times faster than a dataclass.
    columns = {(subject.item_id, subject.responses): column for column, subject in enumerate(subjects)}
    if len(set(judges)) < len(judges) or len(columns) < len(subjects):
        raise ValueError("judges or subjects repeat one another; each must be given once")
    numbers: dict[tuple[int, tuple[int, ...]], int] = {}
    kinds: list[SubjectOutcomes] = []
    kind_of = [_UNREAD] * len(subjects)
    for one in outcomes:
        column = columns.get(one[:2])
        if column is None:
            continue
        # The tuples are told apart by identity, and none is let go of meanwhile: the first of each kind is kept.
        key = (id(one.draws), one.responses)
        number = numbers.get(key)
        if number is None:
            number = numbers[key] = len(kinds)
            kinds.append(one)
        if kind_of[column] != _UNREAD:
            raise ValueError(f"what was read of {one.item_id!r} {one.responses!r} came twice; it must come together")
        kind_of[column] = number
    n_responses = max((len(subject.responses) for subject in subjects), default=0)
    return {
        criterion.id: _code_criterion(
            criterion, kinds, np.array(kind_of, dtype=np.int64), subjects, judges, n_responses
        )
        for criterion in criteria
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """One attempt at one draw, coded."""

    judge: int
    draw: int
    """In the order in which draws are met."""
    attempt: int
    code: float
    missing: int
    """0, or 1 + the number of its reason in the order in which reasons are met."""


class _Coder:
    """Codes what was read on one criterion; what was met before is coded already."""

    def __init__(self, criterion: Criterion, judges: Sequence[JudgeId], n_responses: int) -> None:
        self._criterion = criterion
        self._rows = {judge_id: row for row, judge_id in enumerate(judges)}
        self._n_responses = n_responses
        self._entries: dict[tuple[int, tuple[int, ...]], _Entry | None] = {}
        self.draws: dict[tuple[bool, int], int] = {}
        """Whether shown in another order than the item's, and the sample."""
        self.reasons: dict[str, int] = {}

    def last_attempts(self, kind: SubjectOutcomes) -> Sequence[_Entry]:
        """Of every draw on the criterion the highest attempt."""
        last: dict[tuple[int, int], _Entry] = {}
        for draw in kind.draws:
            entry = self._entry(draw, kind)
            if entry is None:
                continue
            known = last.setdefault((entry.judge, entry.draw), entry)
            if known.attempt == entry.attempt and (known.code, known.missing) != (entry.code, entry.missing):
                raise ValueError(
                    "Two judgments of one judge, subject, order, sample and attempt differ; "
                    "which of them counts could only be guessed. Keep one."
                )
            if known.attempt < entry.attempt:
                last[entry.judge, entry.draw] = entry
        return list(last.values())

    def _entry(self, draw: DrawOutcome, kind: SubjectOutcomes) -> _Entry | None:
        key = (id(draw), kind.responses)  # it lives as long as the kind that holds it, which lives longer than this
        if key not in self._entries:
            self._entries[key] = self._code(draw, kind)
        return self._entries[key]

    def _code(self, draw: DrawOutcome, kind: SubjectOutcomes) -> _Entry | None:
        row = self._rows.get(draw.judge_id)
        if row is None or draw.criterion_id != self._criterion.id:
            return None
        code, missing = 0.0, 0
        match draw.outcome:
            case Label(value=value):
                code = self._code_label(value, kind)
            case Abstention():
                missing = 1 + self.reasons.setdefault(ABSTAINED, len(self.reasons))
            case Failure(reason=reason):
                missing = 1 + self.reasons.setdefault(reason, len(self.reasons))
            case _:
                assert_never(draw.outcome)
        place = self.draws.setdefault((draw.shown != kind.responses, draw.sample), len(self.draws))
        return _Entry(judge=row, draw=place, attempt=draw.attempt, code=code, missing=missing)

    def _code_label(self, value: Value, kind: SubjectOutcomes) -> float:
        subject = Subject(item_id=kind.item_id, responses=kind.responses)
        return code_value(self._criterion.scale, value, subject, self._n_responses)


def _code_criterion(
    criterion: Criterion,
    kinds: Sequence[SubjectOutcomes],
    kind_of: NDArray[np.int64],
    subjects: Sequence[Subject],
    judges: Sequence[JudgeId],
    n_responses: int,
) -> CodedDraws:
    coder = _Coder(criterion, judges, n_responses)
    by_kind = [coder.last_attempts(kind) for kind in kinds]
    entries = [entry for of_kind in by_kind for entry in of_kind]
    draws = sorted(coder.draws)
    reasons = tuple(sorted({*coder.reasons, NOT_ASKED}))
    shape = (len(judges), len(subjects), len(draws))
    codes = np.zeros(shape)
    missing = np.full(shape, 1 + reasons.index(NOT_ASKED), dtype=np.int16)
    if entries:
        depth_of = np.argsort(np.array([coder.draws[draw] for draw in draws]))
        number_of = np.array([0, *(1 + reasons.index(reason) for reason in coder.reasons)], dtype=np.int16)
        which, columns = _spread([len(of_kind) for of_kind in by_kind], kind_of)
        judge = np.array([entry.judge for entry in entries], dtype=np.int32)[which]
        depth = depth_of[np.array([entry.draw for entry in entries], dtype=np.int32)][which]
        codes[judge, columns, depth] = np.array([entry.code for entry in entries])[which]
        missing[judge, columns, depth] = number_of[np.array([entry.missing for entry in entries], dtype=np.int32)][
            which
        ]
    return CodedDraws(
        scale=criterion.scale,
        labels=labels_of(criterion.scale, n_responses),
        raters=tuple(judges),
        subjects=tuple(subjects),
        draws=tuple(Draw(order="BA" if is_swapped else "AB", sample=sample) for is_swapped, sample in draws),
        codes=codes,
        missing=missing,
        reasons=reasons,
    )


def _spread(lengths: Sequence[int], kind_of: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For every entry of every subject the number of the entry, and the subject's column.

    Args:
        lengths: of each kind, how many entries it has; they stand one kind after another.
        kind_of: shape (n_subjects,).
    """
    columns = np.flatnonzero(kind_of != _UNREAD)
    kinds = kind_of[columns]
    n = np.array(lengths, dtype=np.int64)
    first = np.cumsum(n) - n
    n_of = n[kinds]
    starts = np.cumsum(n_of) - n_of
    within = np.arange(int(n_of.sum()), dtype=np.int64) - np.repeat(starts, n_of)
    return np.repeat(first[kinds], n_of) + within, np.repeat(columns, n_of)
