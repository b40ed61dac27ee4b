"""From what a rule decided to verdicts: settled, combined over criteria, and the best of an item's responses."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from venire.aggregation.best_of_n import Contest, choose_best, contests_of, score_of
from venire.aggregation.calibrated_best import Choices, choose_by_logit
from venire.aggregation.criteria import combine_criteria
from venire.aggregation.known import Training
from venire.aggregation.result import RuleResult
from venire.aggregation.seats import Seats, seats_of, seats_on_all, seats_on_items
from venire.aggregation.settle import settle
from venire.domain.aggregation import Aggregation, is_calibrated_best
from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import BEST_OF_N, OVERALL, CriterionId
from venire.domain.item import Subject
from venire.domain.rubric import IntervalScale
from venire.domain.verdict import Undecided, Verdict, VerdictOutcome

_COMBINED = Undefined("a combination of criteria has no votes of its own")
_CHOSEN = Undefined("the best of n has no votes of its own")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Verdicts, and what choosing the best of n has to say about itself."""

    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...]


def verdicts_of(results: Sequence[RuleResult], design: Design, aggregation: Aggregation, training: Training) -> Told:
    """Settle what a rule made of the votes.

    Args:
        results: on every criterion, in the rubric's order.
        design: how criteria combine, and whether the best of n is chosen.
        aggregation: the design's, with a quorum that the seated can reach.
        training: for a best of n that is learned.

    Returns:
        By subject, then by criterion, the combination of several criteria last; after the last subject of an item the
        best of its responses.
    """
    by_criterion = [
        _verdicts(criterion.id, result, aggregation)
        for criterion, result in zip(design.rubric.criteria, results, strict=True)
    ]
    if len(by_criterion) > 1:
        by_criterion.append(_combined_verdicts(by_criterion, results, design))
    contests = contests_of(results[0].votes.subjects) if aggregation.best_of is not None else ()
    best = _choices(contests, by_criterion[-1], results, design, training)
    seats = seats_on_items(results, [contest.columns for contest in contests])
    after = {
        max(contest.columns): _without_votes(contest.subject, BEST_OF_N, outcome, seats, place)
        for place, (contest, outcome) in enumerate(zip(contests, best.outcomes, strict=True))
    }
    verdicts = tuple(
        verdict
        for column, of_subject in enumerate(zip(*by_criterion, strict=True))
        for verdict in (*of_subject, *([after[column]] if column in after else []))
    )
    return Told(verdicts=verdicts, notes=best.notes)


def _verdicts(criterion_id: CriterionId, result: RuleResult, aggregation: Aggregation) -> list[Verdict]:
    settled = settle(result, criterion_id, aggregation)
    seats = seats_of(result)
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
    seats = seats_on_all(results)
    combined = []
    for column, of_subject in enumerate(zip(*by_criterion, strict=True)):
        subject = of_subject[0].subject
        outcomes = {verdict.criterion_id: verdict.outcome for verdict in of_subject}
        outcome = combine_criteria(subject, outcomes, design.rubric, design.aggregation.criteria)
        combined.append(_without_votes(subject, OVERALL, outcome, seats, column))
    return combined


def _choices(
    contests: Sequence[Contest],
    scored: Sequence[Verdict],
    results: Sequence[RuleResult],
    design: Design,
    training: Training,
) -> Choices:
    """Which response of each item is the best.

    Args:
        scored: of every subject, on the only criterion or on all of them together.
    """
    how, scale = design.aggregation, design.rubric.criteria[0].scale
    if how.best_of is None:
        return Choices(outcomes=(), notes=())
    if is_calibrated_best(how):
        is_scored = np.array([not isinstance(one.outcome, Undecided) for one in scored], dtype=np.bool_)
        return choose_by_logit(contests, results, training, how, is_scored)
    is_alone = len(design.rubric.criteria) == 1 and isinstance(scale, IntervalScale)
    width = scale.max - scale.min if is_alone and isinstance(scale, IntervalScale) else 1.0
    outcomes = []
    for contest in contests:
        places = zip(contest.subject.responses, contest.columns, strict=True)
        scores = {response: score_of(scored[column].outcome) for response, column in places}
        outcomes.append(choose_best(contest, scores, width, how.best_of))
    return Choices(outcomes=tuple(outcomes), notes=())


def _without_votes(
    subject: Subject, criterion_id: CriterionId, outcome: VerdictOutcome, seats: Seats, place: int
) -> Verdict:
    why = _COMBINED if criterion_id == OVERALL else _CHOSEN
    return Verdict(
        subject=subject,
        criterion_id=criterion_id,
        outcome=outcome,
        support=why,
        spread=why,
        n_seated=seats.n_seated,
        n_counted=seats.n_counted[place],
        missing=seats.missing[place],
    )
