"""From what a rule decided to verdicts: settled, combined over criteria, and the best of an item's responses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.best_of_n import Contest, choose_best, contests_of, score_of
from venire.aggregation.calibrated_best import Choices, choose_by_logit
from venire.aggregation.criteria import combine_criteria
from venire.aggregation.known import Training
from venire.aggregation.result import RuleResult
from venire.aggregation.seats import Seats, seats_of, seats_on_all, seats_on_items
from venire.aggregation.settle import settle
from venire.coding.alike import AlikeColumns, find_alike_columns
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import Aggregation, TiePolicy, is_calibrated_best
from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import BEST_OF_N, OVERALL, CriterionId
from venire.domain.rubric import IntervalScale
from venire.domain.verdict import Ruling, Rulings, Undecided, VerdictOutcome, Verdicts

_COMBINED = Undefined("a combination of criteria has no votes of its own")
_CHOSEN = Undefined("the best of n has no votes of its own")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Verdicts, and what choosing the best of n has to say about itself."""

    verdicts: Verdicts
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
        _rulings(criterion.id, result, aggregation)
        for criterion, result in zip(design.rubric.criteria, results, strict=True)
    ]
    if len(by_criterion) > 1:
        by_criterion.append(_combined(by_criterion, results, design))
    contests = contests_of(results[0].votes.subjects) if aggregation.best_of is not None else ()
    best = _choices(contests, by_criterion[-1], results, design, training)
    seats = seats_on_items(results, [contest.columns for contest in contests])
    after = {
        max(contest.columns): _without_votes(_CHOSEN, outcome, seats, place).on(contest.subject, BEST_OF_N)
        for place, (contest, outcome) in enumerate(zip(contests, best.outcomes, strict=True))
    }
    verdicts = Verdicts(subjects=results[0].votes.subjects, rulings=tuple(by_criterion), after=after)
    return Told(verdicts=verdicts, notes=best.notes)


def _rulings(criterion_id: CriterionId, result: RuleResult, aggregation: Aggregation) -> Rulings:
    alike = _alike(result, aggregation.tie)
    few = result.at(alike.first)
    settled, seats = settle(few, criterion_id, aggregation), seats_of(few)
    kinds = tuple(
        Ruling(
            outcome=settled.outcomes[place],
            support=settled.support[place],
            spread=settled.spread[place],
            n_seated=seats.n_seated,
            n_counted=seats.n_counted[place],
            missing=seats.missing[place],
        )
        for place in range(len(few.codes))
    )
    return Rulings(criterion_id=criterion_id, kinds=kinds, number=alike.number.tolist())


def _alike(result: RuleResult, tie: TiePolicy) -> AlikeColumns:
    """The subjects of which the same was said and decided: what is settled for one is settled for all of a kind."""
    votes = result.votes
    is_tied = np.zeros(len(votes.subjects), dtype=np.bool_)
    is_tied[result.tied.columns] = True
    rows: list[NDArray[Any]] = [
        np.where(present, codes, 0.0) for codes, present in zip(votes.codes, votes.present, strict=True)
    ]
    rows += [*votes.missing, np.where(result.decided, result.codes, 0.0), result.decided, is_tied]
    # What a choice is of depends on the responses; a lot is drawn by the subject.
    rows.append(_numbered_responses(votes))
    if tie.kind == "random":
        rows.append(np.where(is_tied, np.arange(1, len(is_tied) + 1), 0))
    if tie.kind == "fractional":
        shares = {codes: number for number, codes in enumerate(sorted(set(result.tied.values())), start=1)}
        rows.append(np.zeros(len(is_tied), dtype=np.intp))
        rows[-1][result.tied.columns] = [shares[result.tied[column]] for column in result.tied]
    return find_alike_columns(rows)


def _numbered_responses(votes: CodedVotes) -> NDArray[np.intp]:
    numbers: dict[tuple[int, ...], int] = {}
    if not votes.n_positions:
        return np.zeros(len(votes.subjects), dtype=np.intp)
    found = [numbers.setdefault(subject.responses, len(numbers)) for subject in votes.subjects]
    return np.array(found, dtype=np.intp)


def _combined(by_criterion: Sequence[Rulings], results: Sequence[RuleResult], design: Design) -> Rulings:
    votes = results[0].votes
    alike = find_alike_columns([*(np.array(one.number) for one in by_criterion), _numbered_responses(votes)])
    seats = seats_on_all([result.at(alike.first) for result in results])
    kinds = []
    for place, column in enumerate(alike.first.tolist()):
        outcomes = {one.criterion_id: one.of(column).outcome for one in by_criterion}
        outcome = combine_criteria(votes.subjects[column], outcomes, design.rubric, design.aggregation.criteria)
        kinds.append(_without_votes(_COMBINED, outcome, seats, place))
    return Rulings(criterion_id=OVERALL, kinds=tuple(kinds), number=alike.number.tolist())


def _choices(
    contests: Sequence[Contest],
    scored: Rulings,
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
        is_decided = [not isinstance(ruling.outcome, Undecided) for ruling in scored.kinds]
        is_scored = np.array([is_decided[number] for number in scored.number], dtype=np.bool_)
        return choose_by_logit(contests, results, training, how, is_scored)
    is_alone = len(design.rubric.criteria) == 1 and isinstance(scale, IntervalScale)
    width = scale.max - scale.min if is_alone and isinstance(scale, IntervalScale) else 1.0
    outcomes = []
    for contest in contests:
        places = zip(contest.subject.responses, contest.columns, strict=True)
        scores = {response: score_of(scored.of(column).outcome) for response, column in places}
        outcomes.append(choose_best(contest, scores, width, how.best_of))
    return Choices(outcomes=tuple(outcomes), notes=())


def _without_votes(why: Undefined, outcome: VerdictOutcome, seats: Seats, place: int) -> Ruling:
    return Ruling(
        outcome=outcome,
        support=why,
        spread=why,
        n_seated=seats.n_seated,
        n_counted=seats.n_counted[place],
        missing=seats.missing[place],
    )
