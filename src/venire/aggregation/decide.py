"""From judgments to verdicts: samples, then orders, then judges, then criteria."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from venire.aggregation.best_of_n import choose_best, contests_of, score_of
from venire.aggregation.criteria import check_combination, combine_criteria
from venire.aggregation.draws import combine_draws
from venire.aggregation.known import UNTRAINED, Known, Training, training_of
from venire.aggregation.recusal import find_recusals, recuse
from venire.aggregation.result import RuleResult
from venire.aggregation.rules import apply_rules
from venire.aggregation.seats import Seats, seats_of, seats_on_all, seats_on_items
from venire.aggregation.settle import settle
from venire.coding.draws import code_draws_of_criteria
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import LEARNED, Aggregation
from venire.domain.best_of import BestOf
from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import BEST_OF_N, OVERALL, CriterionId, JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Judgment
from venire.domain.rubric import IntervalScale
from venire.domain.verdict import Verdict, VerdictOutcome

NOTHING = Known()
_COMBINED = Undefined("a combination of criteria has no votes of its own")
_CHOSEN = Undefined("the best of n has no votes of its own")


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregated:
    """What the panel said and decided."""

    votes: Mapping[CriterionId, CodedVotes]
    """One vote per judge and subject, by criterion: of all judges of the design, also of those that do not vote."""
    verdicts: tuple[Verdict, ...]
    """By subject, then by criterion; the combination of several criteria comes last."""
    training: Training
    """What rules that need gold learn from."""
    notes: tuple[str, ...] = ()
    """What the rule has to say about itself on these votes, and who was recused."""


def aggregate(
    judgments: Iterable[Judgment], subjects: Sequence[Subject], design: Design, known: Known = NOTHING
) -> Aggregated:
    """Derive the verdict on every subject and criterion from what the judges said.

    Judgments of other subjects, criteria and judges are passed over. Nothing depends on the order of judgments,
    judges or subjects, except the order of the verdicts.

    Args:
        subjects: what is to be decided, without repeats; one that nobody was asked about gets a verdict too.
        known: systems for recusal, gold and groups for rules that learn.

    Raises:
        DesignError: the rule or the combination of criteria has no meaning on a scale or for a subject, or there is
            no gold to learn from.
        ValueError: a label is off its scale, or judgments contradict one another (see `venire.coding`).
    """
    aggregation, criteria = design.aggregation, design.rubric.criteria
    check_combination(design.rubric, aggregation.criteria)
    judge_ids = [judge.id for judge in design.judges]
    draws = code_draws_of_criteria(judgments, subjects, judge_ids, criteria)
    recusals = find_recusals(design, known.items, subjects)
    votes = {
        key: recuse(combine_draws(coded, design.orders, aggregation.flip), recusals.is_recused)
        for key, coded in draws.items()
    }
    training = training_of(known, subjects, design.rubric) if aggregation.rule in LEARNED else UNTRAINED
    results = _results(votes, [judge.id for judge in design.seated], design, training)
    notes = dict.fromkeys((*recusals.notes, *(note for result in results for note in result.notes)))
    verdicts = _verdicts_of(results, design, aggregation)
    return Aggregated(votes=votes, verdicts=verdicts, training=training, notes=tuple(notes))


def decide_by(
    votes: Mapping[CriterionId, CodedVotes],
    seated: Sequence[JudgeId],
    design: Design,
    training: Training = UNTRAINED,
) -> tuple[Verdict, ...]:
    """Derive the verdicts that these judges alone give, by the design's rule.

    Args:
        votes: as `Aggregated` has them.
        seated: who votes; a quorum that so few could never reach is lowered to their number.
        training: as `Aggregated` has it.
    """
    aggregation = _for_so_many(design.aggregation, len(seated))
    return _verdicts_of(_results(votes, seated, design, training), design, aggregation)


def _for_so_many(aggregation: Aggregation, n_seated: int) -> Aggregation:
    """The same, where so few judges are seated that a quorum could never be reached."""
    return replace(aggregation, quorum=min(aggregation.quorum, n_seated))


def _results(
    votes: Mapping[CriterionId, CodedVotes], seated: Sequence[JudgeId], design: Design, training: Training
) -> Sequence[RuleResult]:
    """What the rule makes of these judges' votes, in the order of the criteria."""
    aggregation = _for_so_many(design.aggregation, len(seated))
    found = apply_rules({one.id: votes[one.id].only(seated) for one in design.rubric.criteria}, aggregation, training)
    return [found[criterion.id] for criterion in design.rubric.criteria]


def _verdicts_of(results: Sequence[RuleResult], design: Design, aggregation: Aggregation) -> tuple[Verdict, ...]:
    by_criterion = [
        _verdicts(criterion.id, result, aggregation)
        for criterion, result in zip(design.rubric.criteria, results, strict=True)
    ]
    if len(by_criterion) > 1:
        by_criterion.append(_combined_verdicts(by_criterion, results, design))
    after: dict[int, Verdict] = {}
    if aggregation.best_of is not None:
        after = _best_verdicts(by_criterion[-1], results, design, aggregation.best_of)
    return tuple(
        verdict
        for column, of_subject in enumerate(zip(*by_criterion, strict=True))
        for verdict in (*of_subject, *([after[column]] if column in after else []))
    )


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


def _best_verdicts(
    scored: Sequence[Verdict], results: Sequence[RuleResult], design: Design, best_of: BestOf
) -> dict[int, Verdict]:
    """By the column of an item's last subject, which of its responses is the best.

    Args:
        scored: of every subject, on the only criterion or on all of them together.
    """
    scale = design.rubric.criteria[0].scale
    is_alone = len(design.rubric.criteria) == 1 and isinstance(scale, IntervalScale)
    width = scale.max - scale.min if is_alone and isinstance(scale, IntervalScale) else 1.0
    contests = contests_of(results[0].votes.subjects)
    seats = seats_on_items(results, [contest.columns for contest in contests])
    found: dict[int, Verdict] = {}
    for place, contest in enumerate(contests):
        scores = {
            response: score_of(scored[column].outcome)
            for response, column in zip(contest.subject.responses, contest.columns, strict=True)
        }
        outcome = choose_best(contest, scores, width, best_of)
        found[max(contest.columns)] = _without_votes(contest.subject, BEST_OF_N, outcome, seats, place)
    return found


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
