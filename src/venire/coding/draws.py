"""Coding judgments: every draw of every judge on every subject, as arrays."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from venire.coding.alike import find_alike_columns
from venire.coding.labels import code_value, labels_of
from venire.coding.votes import CodedDraws, Draw
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Abstention, Failure, Judgment, Label
from venire.domain.outcomes import DrawOutcome, Outcomes, outcomes_of
from venire.domain.rubric import Criterion

ABSTAINED = "abstained"
NOT_ASKED = "not_asked"
_ELSEWHERE = -1
"""The column of a subject that is not asked about."""


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
    outcomes: Outcomes, subjects: Sequence[Subject], judges: Sequence[JudgeId], criteria: Sequence[Criterion]
) -> Mapping[CriterionId, CodedDraws]:
    """Code what was read of every subject on several criteria, as `code_draws` does for one.

    What was read alike of many subjects is coded once.
    """
    # Keyed by the subject's fields: a tuple of built-ins hashes several times faster than a dataclass.
    columns = {(subject.item_id, subject.responses): column for column, subject in enumerate(subjects)}
    if len(set(judges)) < len(judges) or len(columns) < len(subjects):
        raise ValueError("judges or subjects repeat one another; each must be given once")
    keys = zip(outcomes.item_ids, outcomes.responses, strict=True)
    column_of = np.array([columns.get(key, _ELSEWHERE) for key in keys], dtype=np.int64)
    read = np.flatnonzero(column_of != _ELSEWHERE)
    alike = find_alike_columns([np.array(outcomes.numbers)[read], _numbered(outcomes.responses)[read]])
    firsts = read[alike.first].tolist()
    abouts = [Subject(item_id=outcomes.item_ids[place], responses=outcomes.responses[place]) for place in firsts]
    kinds = [(about, outcomes.kinds[outcomes.numbers[place]]) for about, place in zip(abouts, firsts, strict=True)]
    n_responses = max((len(subject.responses) for subject in subjects), default=0)
    found = _Found(kinds=kinds, columns=column_of[read], number=alike.number)
    if len(np.unique(found.columns)) < len(found.columns):
        raise ValueError("what was read of one subject came twice; it must come together")
    return {criterion.id: _code_criterion(criterion, found, subjects, judges, n_responses) for criterion in criteria}


def _numbered(responses: Sequence[tuple[int, ...]]) -> NDArray[np.int64]:
    numbers: dict[tuple[int, ...], int] = {}
    return np.array([numbers.setdefault(one, len(numbers)) for one in responses], dtype=np.int64)


_Kind = tuple[Subject, tuple[DrawOutcome, ...]]
"""The first subject of which this was read; others have the same responses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What was read of the subjects that are coded."""

    kinds: Sequence[_Kind]
    columns: NDArray[np.int64]
    """Shape (n_read,): the columns of the subjects of which something was read."""
    number: NDArray[np.intp]
    """Shape (n_read,): the kind of each of these."""


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

    def last_attempts(self, kind: _Kind) -> Sequence[_Entry]:
        """Of every draw on the criterion the highest attempt."""
        last: dict[tuple[int, int], _Entry] = {}
        about, draws = kind
        for draw in draws:
            entry = self._entry(draw, about)
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

    def _entry(self, draw: DrawOutcome, about: Subject) -> _Entry | None:
        key = (id(draw), about.responses)  # it lives as long as the kind that holds it, which lives longer than this
        if key not in self._entries:
            self._entries[key] = self._code(draw, about)
        return self._entries[key]

    def _code(self, draw: DrawOutcome, about: Subject) -> _Entry | None:
        row = self._rows.get(draw.judge_id)
        if row is None or draw.criterion_id != self._criterion.id:
            return None
        code, missing = 0.0, 0
        match draw.outcome:
            case Label(value=value):
                code = code_value(self._criterion.scale, value, about, self._n_responses)
            case Abstention():
                missing = 1 + self.reasons.setdefault(ABSTAINED, len(self.reasons))
            case Failure(reason=reason):
                missing = 1 + self.reasons.setdefault(reason, len(self.reasons))
            case _:
                assert_never(draw.outcome)
        place = self.draws.setdefault((draw.shown != about.responses, draw.sample), len(self.draws))
        return _Entry(judge=row, draw=place, attempt=draw.attempt, code=code, missing=missing)


def _code_criterion(
    criterion: Criterion,
    found: _Found,
    subjects: Sequence[Subject],
    judges: Sequence[JudgeId],
    n_responses: int,
) -> CodedDraws:
    coder = _Coder(criterion, judges, n_responses)
    by_kind = [coder.last_attempts(kind) for kind in found.kinds]
    entries = [entry for of_kind in by_kind for entry in of_kind]
    draws = sorted(coder.draws)
    reasons = tuple(sorted({*coder.reasons, NOT_ASKED}))
    shape = (len(judges), len(subjects), len(draws))
    codes = np.zeros(shape)
    missing = np.full(shape, 1 + reasons.index(NOT_ASKED), dtype=np.int16)
    if entries:
        depth_of = np.argsort(np.array([coder.draws[draw] for draw in draws]))
        number_of = np.array([0, *(1 + reasons.index(reason) for reason in coder.reasons)], dtype=np.int16)
        which, columns = _spread([len(of_kind) for of_kind in by_kind], found)
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


def _spread(lengths: Sequence[int], found: _Found) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For every entry of every subject the number of the entry, and the subject's column.

    Args:
        lengths: of each kind, how many entries it has; they stand one kind after another.
    """
    n = np.array(lengths, dtype=np.int64)
    first = np.cumsum(n) - n
    n_of = n[found.number]
    starts = np.cumsum(n_of) - n_of
    within = np.arange(int(n_of.sum()), dtype=np.int64) - np.repeat(starts, n_of)
    return np.repeat(first[found.number], n_of) + within, np.repeat(found.columns, n_of)
