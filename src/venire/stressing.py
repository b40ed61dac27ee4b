"""Stressing: what a run has collected as vectors, its rules held against broken judges. Nobody is asked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.coded import code_decisions
from venire.aggregation.draws import combine_draws
from venire.aggregation.rules import apply_rule
from venire.coding.votes import CodedVotes
from venire.collected import Collected
from venire.domain.aggregation import Aggregation, RuleName, rule_fits
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.rubric import IntervalScale
from venire.domain.stress import Over, Stress, StressPlan
from venire.errors import UsageError
from venire.metaeval.stress import corruptions_on, draw_curves, price_rules
from venire.metaeval.stress_breakdown import find_breakdowns
from venire.metaeval.stress_rules import Consensus, StressRule, number_rules
from venire.metaeval.stress_sizes import correlate_errors, measure_sizes
from venire.metaeval.stressed_votes import StressedVotes
from venire.metaeval.vectors import Vectors, label_vectors, number_vectors, scales_differ

_LABEL_RULES: tuple[RuleName, ...] = ("majority", "plurality", "median", "max", "min", "dawid_skene")


@dataclass(frozen=True, slots=True, kw_only=True)
class StressChoice:
    """Which part of a run is stressed."""

    judges: tuple[JudgeId, ...] = ()
    """Empty: those that vote."""
    criteria: tuple[CriterionId, ...] = ()
    """Empty: all criteria with numbers; where there are none, the first."""
    over: Over = "criteria"
    """What a vector holds: the criteria of a subject, or the responses of an item on one criterion."""


def stress_run(collected: Collected, plan: StressPlan | None = None, choice: StressChoice | None = None) -> Stress:
    """Break judges of a run and see what every rule makes of it.

    Args:
        plan: None: every corruption with the stated defaults.
        choice: None: the voting judges on all criteria with numbers.

    Raises:
        UsageError: there is no such judge or criterion, or the criteria cannot be stressed together.
    """
    plan, choice = plan or StressPlan(), choice or StressChoice()
    judges = _judges(collected, choice)
    criteria = _criteria(collected, choice)
    votes = {key: _votes_of(collected, key, judges) for key in criteria}
    golds = {key: gold for key in criteria if (gold := collected.gold.get(key)) is not None}
    first = votes[criteria[0]]
    if isinstance(first.scale, IntervalScale):
        vectors = number_vectors(votes, golds, choice.over)
        rules = number_rules(vectors.votes.shape[2], plan.trim)
    else:
        vectors = label_vectors(first, golds.get(criteria[0]))
        rules = _label_rules(_kept(first, vectors), collected.design.aggregation)
    stressed = vectors.votes
    plan = plan.for_vectors(stressed.shape[0] * stressed.shape[1])
    curves, singles = draw_curves(stressed, rules, judges, plan)
    correlation = correlate_errors(stressed)
    return Stress(
        plan=replace(plan, corruptions=corruptions_on(stressed, plan)),
        criteria=criteria,
        over=choice.over,
        is_labels=stressed.labels is not None,
        dims=stressed.shape[2],
        is_rescaled=stressed.labels is None and scales_differ(votes),
        judges=judges,
        rules=tuple(rule.name for rule in rules),
        n_subjects=stressed.shape[1],
        left_out=vectors.left_out,
        fewest_votes=int(stressed.present.all(axis=2).sum(axis=0).min()),
        has_gold=stressed.gold is not None,
        curves=curves,
        singles=singles,
        premiums=price_rules(stressed, rules),
        breakdowns=tuple(find_breakdowns(stressed, rules, plan)),
        sizes=tuple(measure_sizes(stressed, rules, plan, correlation)),
        correlation=correlation,
        notes=tuple(_notes(collected, criteria, stressed, plan)),
    )


def _judges(collected: Collected, choice: StressChoice) -> tuple[JudgeId, ...]:
    judges = choice.judges or tuple(judge.id for judge in collected.design.seated)
    for judge in judges:
        if judge not in collected.judge_ids:
            raise UsageError(f"there is no judge {judge!r} in this run; its judges are {list(collected.judge_ids)!r}")
    if len(set(judges)) < max(len(judges), 2):
        raise UsageError(f"judges {list(judges)!r}: at least two different ones are needed to make a panel")
    return judges


def _criteria(collected: Collected, choice: StressChoice) -> tuple[CriterionId, ...]:
    scales = {criterion.id: criterion.scale for criterion in collected.design.rubric.criteria}
    for key in choice.criteria:
        if key not in scales:
            raise UsageError(f"there is no criterion {key!r} in this run; its criteria are {list(scales)!r}")
    numbers = tuple(key for key, scale in scales.items() if isinstance(scale, IntervalScale))
    wanted = tuple(dict.fromkeys(choice.criteria)) or numbers or tuple(scales)[:1]
    if choice.over == "responses" and not choice.criteria:
        wanted = wanted[:1]
    if len(wanted) > 1 and (choice.over == "responses" or not set(wanted) <= set(numbers)):
        raise UsageError(
            f"criteria {list(wanted)!r} cannot be stressed together: a vector holds several criteria with numbers, or "
            "one criterion over the responses of an item. Name one: --criterion ID."
        )
    if choice.over == "responses" and wanted[0] not in numbers:
        raise UsageError(f"criterion {wanted[0]!r} has labels: a vector over responses needs numbers")
    return wanted


def _votes_of(collected: Collected, criterion_id: CriterionId, judges: Sequence[JudgeId]) -> CodedVotes:
    design = collected.design
    return combine_draws(collected.draws[criterion_id], design.orders, design.aggregation.flip).only(judges)


def _kept(votes: CodedVotes, vectors: Vectors) -> CodedVotes:
    subjects = tuple(subject for subject, kept in zip(votes.subjects, vectors.kept.tolist(), strict=True) if kept)
    return replace(votes, subjects=subjects, codes=votes.codes[:, vectors.kept], missing=votes.missing[:, vectors.kept])


def _label_rules(votes: CodedVotes, aggregation: Aggregation) -> tuple[StressRule, ...]:
    names = [name for name in _LABEL_RULES if rule_fits(name, votes.scale)]
    if len(votes.labels) == 2:
        names.remove("plurality")  # of two labels it is the majority
    return tuple(_label_rule(name, votes, aggregation) for name in names)


def _label_rule(name: RuleName, votes: CodedVotes, aggregation: Aggregation) -> StressRule:
    """A rule as designs use it; ties as the run's design has them, one vote is a quorum."""
    rule = Aggregation(
        rule=name,
        denominator=aggregation.denominator,
        tie=aggregation.tie,
        flip=aggregation.flip,
        seed=aggregation.seed,
    )

    def decide(values: NDArray[np.float64], present: NDArray[np.bool_]) -> Consensus:
        coded = replace(
            votes,
            raters=tuple(f"voter {number}" for number in range(len(values))),
            codes=values[:, :, 0],
            missing=np.where(present[:, :, 0], 0, 1).astype(np.int16),
            reasons=("missing",),
        )
        decisions = code_decisions(apply_rule(coded, rule), CriterionId("stressed"), rule)
        return Consensus(values=decisions.codes.T, decided=decisions.present[0])

    return StressRule(name=name, decide=decide)


def _notes(
    collected: Collected, criteria: Sequence[CriterionId], stressed: StressedVotes, plan: StressPlan
) -> list[str]:
    notes = []
    others = [one.id for one in collected.design.rubric.criteria if one.id not in criteria]
    if others:
        notes.append(f"Not stressed: {', '.join(others)}. Name them with --criterion.")
    without = [name for name in plan.corruptions if name not in corruptions_on(stressed, plan)]
    if without:
        notes.append(f"Not defined on labels: {', '.join(without)}; no label is far away, and none is half right.")
    if stressed.gold is None:
        notes.append(
            "There is no gold for all of it. Each rule is held against its own consensus on the clean votes: a proxy, "
            "which shows how far broken judges move a rule, not how far it is from the truth."
        )
    if stressed.labels is None and stressed.shape[2] == 1:
        notes.append("A vector of one number: the geometric median is the median.")
    n_judges = stressed.shape[0]
    if stressed.labels is None and int(plan.trim * n_judges + 1e-9) == 0:
        notes.append(f"A trimmed mean of {plan.trim:g} cuts nothing of {n_judges} votes: it is the mean.")
    return notes
