"""From judgments to verdicts: samples, then orders, then judges, then criteria."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from venire.aggregation.criteria import check_combination
from venire.aggregation.draws import combine_draws
from venire.aggregation.known import UNTRAINED, Known, Training, training_of
from venire.aggregation.recusal import find_recusals, recuse
from venire.aggregation.result import RuleResult
from venire.aggregation.rules import apply_rules
from venire.aggregation.verdicts import verdicts_of
from venire.coding.draws import code_outcomes
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import LEARNED, Aggregation
from venire.domain.design import Design
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Judgment
from venire.domain.outcomes import Outcomes, outcomes_of
from venire.domain.verdict import Verdict, Verdicts

NOTHING = Known()


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregated:
    """What the panel said and decided."""

    votes: Mapping[CriterionId, CodedVotes]
    """One vote per judge and subject, by criterion: of all judges of the design, also of those that do not vote."""
    decided: Verdicts
    """By subject, then by criterion; the combination of several criteria comes last."""
    training: Training
    """What rules that need gold learn from."""
    notes: tuple[str, ...] = ()
    """What the rule has to say about itself on these votes, and who was recused."""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every verdict as a value of its own."""
        return tuple(self.decided)


def aggregate(
    judgments: Iterable[Judgment], subjects: Sequence[Subject], design: Design, known: Known = NOTHING
) -> Aggregated:
    """Derive the verdict on every subject and criterion from what the judges said.

    Judgments of other subjects, criteria and judges are passed over. Nothing depends on the order of judgments,
    judges or subjects, except the order of the verdicts. Arguments and errors are those of `aggregate_outcomes`.
    """
    return aggregate_outcomes(outcomes_of(judgments), subjects, design, known)


def aggregate_outcomes(
    outcomes: Outcomes, subjects: Sequence[Subject], design: Design, known: Known = NOTHING
) -> Aggregated:
    """Derive the verdict on every subject and criterion from what was read of each.

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
    draws = code_outcomes(outcomes, subjects, judge_ids, criteria)
    recusals = find_recusals(design, known.items, subjects)
    votes = {
        key: recuse(combine_draws(coded, design.orders, aggregation.flip), recusals.is_recused)
        for key, coded in draws.items()
    }
    training = training_of(known, subjects, design.rubric) if aggregation.rule in LEARNED else UNTRAINED
    results = _results(votes, [judge.id for judge in design.seated], design, training)
    told = verdicts_of(results, design, aggregation, training)
    notes = dict.fromkeys((*recusals.notes, *(note for result in results for note in result.notes), *told.notes))
    return Aggregated(votes=votes, decided=told.verdicts, training=training, notes=tuple(notes))


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
    results = _results(votes, seated, design, training)
    return tuple(verdicts_of(results, design, aggregation, training).verdicts)


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
