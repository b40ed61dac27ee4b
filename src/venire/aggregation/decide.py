"""From judgments to verdicts: samples, then orders, then judges, then criteria."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.criteria import check_combination, combine_criteria
from venire.aggregation.draws import combine_draws
from venire.aggregation.result import RuleResult
from venire.aggregation.rules import apply_rules
from venire.aggregation.settle import settle
from venire.coding.draws import code_draws_of_criteria
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import Aggregation
from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import OVERALL, CriterionId, JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Judgment
from venire.domain.verdict import Verdict

_COMBINED = Undefined("a combination of criteria has no votes of its own")


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregated:
    """What the panel said and decided."""

    votes: Mapping[CriterionId, CodedVotes]
    """One vote per judge and subject, by criterion: of all judges of the design, also of those that do not vote."""
    verdicts: tuple[Verdict, ...]
    """By subject, then by criterion; the combination of several criteria comes last."""
    notes: tuple[str, ...] = ()
    """What the rule has to say about itself on these votes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seats:
    """Who of the voting judges is counted on each subject."""

    n_seated: int
    n_counted: list[int]
    missing: list[tuple[tuple[str, int], ...]]


def aggregate(judgments: Iterable[Judgment], subjects: Sequence[Subject], design: Design) -> Aggregated:
    """Derive the verdict on every subject and criterion from what the judges said.

    Judgments of other subjects, criteria and judges are passed over. Nothing depends on the order of judgments,
    judges or subjects, except the order of the verdicts.

    Args:
        subjects: what is to be decided, without repeats; one that nobody was asked about gets a verdict too.

    Raises:
        DesignError: the rule or the combination of criteria has no meaning on a scale or for a subject.
        ValueError: a label is off its scale, or judgments contradict one another (see `venire.coding`).
    """
    aggregation, criteria = design.aggregation, design.rubric.criteria
    check_combination(design.rubric, aggregation.criteria)
    judge_ids = [judge.id for judge in design.judges]
    draws = code_draws_of_criteria(judgments, subjects, judge_ids, criteria)
    votes = {key: combine_draws(coded, design.orders, aggregation.flip) for key, coded in draws.items()}
    results = _results(votes, [judge.id for judge in design.seated], design)
    notes = dict.fromkeys(note for result in results for note in result.notes)
    return Aggregated(votes=votes, verdicts=_verdicts_of(results, design, aggregation), notes=tuple(notes))


def decide_by(
    votes: Mapping[CriterionId, CodedVotes], seated: Sequence[JudgeId], design: Design
) -> tuple[Verdict, ...]:
    """Derive the verdicts that these judges alone give, by the design's rule.

    Args:
        votes: as `Aggregated` has them.
        seated: who votes; a quorum that so few could never reach is lowered to their number.
    """
    aggregation = _for_so_many(design.aggregation, len(seated))
    return _verdicts_of(_results(votes, seated, design), design, aggregation)


def _for_so_many(aggregation: Aggregation, n_seated: int) -> Aggregation:
    """The same, where so few judges are seated that a quorum could never be reached."""
    return replace(aggregation, quorum=min(aggregation.quorum, n_seated))


def _results(
    votes: Mapping[CriterionId, CodedVotes], seated: Sequence[JudgeId], design: Design
) -> Sequence[RuleResult]:
    """What the rule makes of these judges' votes, in the order of the criteria."""
    aggregation = _for_so_many(design.aggregation, len(seated))
    found = apply_rules({one.id: votes[one.id].only(seated) for one in design.rubric.criteria}, aggregation)
    return [found[criterion.id] for criterion in design.rubric.criteria]


def _verdicts_of(results: Sequence[RuleResult], design: Design, aggregation: Aggregation) -> tuple[Verdict, ...]:
    by_criterion = [
        _verdicts(criterion.id, result, aggregation)
        for criterion, result in zip(design.rubric.criteria, results, strict=True)
    ]
    if len(by_criterion) > 1:
        by_criterion.append(_combined_verdicts(by_criterion, results, design))
    return tuple(verdict for of_subject in zip(*by_criterion, strict=True) for verdict in of_subject)


def _verdicts(criterion_id: CriterionId, result: RuleResult, aggregation: Aggregation) -> list[Verdict]:
    settled = settle(result, criterion_id, aggregation)
    seats = _seats(result.votes.missing, result.votes.reasons)
    return [
        Verdict(
            subject=subject,
            criterion_id=criterion_id,
            outcome=settled.outcomes[column],
            support=settled.support[column],
            spread=settled.spread[column],
            n_seated=seats.n_seated,
            n_counted=seats.n_counted[column],
            missing=seats.missing[column],
        )
        for column, subject in enumerate(result.votes.subjects)
    ]


def _combined_verdicts(
    by_criterion: Sequence[Sequence[Verdict]], results: Sequence[RuleResult], design: Design
) -> list[Verdict]:
    seats = _seats_on_all(results)
    combined = []
    for column, of_subject in enumerate(zip(*by_criterion, strict=True)):
        subject = of_subject[0].subject
        outcomes = {verdict.criterion_id: verdict.outcome for verdict in of_subject}
        verdict = Verdict(
            subject=subject,
            criterion_id=OVERALL,
            outcome=combine_criteria(subject, outcomes, design.rubric, design.aggregation.criteria),
            support=_COMBINED,
            spread=_COMBINED,
            n_seated=seats.n_seated,
            n_counted=seats.n_counted[column],
            missing=seats.missing[column],
        )
        combined.append(verdict)
    return combined


def _seats_on_all(results: Sequence[RuleResult]) -> _Seats:
    """A judge is counted on the combination where its vote counts on every criterion.

    Its reason is that of the first criterion, in the rubric's order, on which it is missing.
    """
    reasons = tuple(sorted({reason for result in results for reason in result.votes.reasons}))
    missing = np.zeros_like(results[0].votes.missing)
    for result in results:
        own = [0, *(1 + reasons.index(reason) for reason in result.votes.reasons)]
        missing = np.where(missing == 0, np.array(own, dtype=np.int16)[result.votes.missing], missing)
    return _seats(missing, reasons)


def _seats(missing: NDArray[np.int16], reasons: tuple[str, ...]) -> _Seats:
    n_seated = len(missing)
    n_counted = (missing == 0).sum(axis=0).tolist()
    by_reason: list[tuple[tuple[str, int], ...]] = [()] * len(n_counted)
    for column in np.flatnonzero((missing != 0).any(axis=0)).tolist():
        names = (reasons[number - 1] for number in missing[:, column].tolist() if number)
        by_reason[column] = tuple(sorted(Counter(names).items()))
    return _Seats(n_seated=n_seated, n_counted=n_counted, missing=by_reason)
