"""Variants: other panels, samples, orders and rules that a run's collected judgments can decide by."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from venire.coding.votes import CodedDraws
from venire.collected import Collected
from venire.domain.aggregation import NEEDY, POOLED, RuleName, rule_fits, rules_that_fit
from venire.domain.design import Orders
from venire.domain.frontier import Variant
from venire.domain.identity import CriterionId, JudgeId
from venire.errors import UsageError

MOST_PANELS = 300
"""All panels are tried where there are no more; else sizes that stay below, and the whole panel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which variants are asked for; None: all that the run can give."""

    panels: tuple[tuple[JudgeId, ...], ...] | None = None
    max_size: int | None = None
    samples: tuple[int, ...] | None = None
    orders: tuple[Orders, ...] | None = None
    rules: tuple[RuleName, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """The variants, and what was left out and why."""

    variants: tuple[Variant, ...]
    notes: tuple[str, ...]


def plan_variants(collected: Collected, criterion_id: CriterionId, wanted: Wanted) -> Planned:
    """Every variant that is wanted and that the run can give.

    A panel of one has one rule, since all say the same of one vote. Rules that are fitted to all items are tried on the
    whole panel alone, unless they are named: a thousand fits take their time.

    Raises:
        UsageError: a judge, sample, order or rule that the run does not have or the scale does not take.
    """
    draws = collected.draws[criterion_id]
    notes: list[str] = []
    panels = _panels(collected, wanted, notes)
    rules = _rules(collected, criterion_id, wanted)
    samples = _samples(draws, wanted)
    orders = _orders(draws, wanted)
    variants = [
        Variant(judges=panel, n_samples=k, orders=order, rule=rule)
        for order in orders
        for k in samples
        for panel in panels
        for rule in (rules if len(panel) > 1 else rules[:1])
    ]
    if wanted.rules is None and wanted.panels is None:
        scale = collected.design.rubric.criterion(criterion_id).scale
        fitted = [rule for rule in rules_that_fit(scale) if rule in POOLED and len(panels[-1]) > 2]
        variants += [Variant(judges=panels[-1], n_samples=samples[-1], orders=orders[-1], rule=rule) for rule in fitted]
    return Planned(variants=tuple(variants), notes=tuple(notes))


def _panels(collected: Collected, wanted: Wanted, notes: list[str]) -> Sequence[tuple[JudgeId, ...]]:
    known = collected.judge_ids
    if wanted.panels is not None:
        for panel in wanted.panels:
            unknown = [name for name in panel if name not in known]
            if unknown or len(set(panel)) < len(panel) or not panel:
                raise UsageError(f"The panel {list(panel)!r} is not of this run's judges, once each: {list(known)!r}.")
        return wanted.panels
    voting = tuple(judge.id for judge in collected.design.seated)
    most = len(voting) if wanted.max_size is None else min(wanted.max_size, len(voting))
    if most < 1:
        raise UsageError(f"The largest panel has {wanted.max_size} judges; there must be at least one.")
    if wanted.max_size is None:
        n_panels = 0
        for size in range(1, most + 1):
            n_panels += comb(len(voting), size)
            if n_panels > MOST_PANELS and size > 1:
                most = size - 1
                break
    sizes = list(range(1, most + 1))
    if most < len(voting):
        sizes.append(len(voting))
        notes.append(
            f"Panels of 1 to {most} judges and of all {len(voting)} were tried; all sizes would be "
            f"{2 ** len(voting) - 1:,} panels. Name others with --judges, or raise --max-size."
        )
    return [panel for size in sizes for panel in combinations(voting, size)]


def _rules(collected: Collected, criterion_id: CriterionId, wanted: Wanted) -> tuple[RuleName, ...]:
    scale = collected.design.rubric.criterion(criterion_id).scale
    own = collected.design.aggregation.rule
    if wanted.rules is None:
        free = [rule for rule in rules_that_fit(scale) if rule not in POOLED]
        return tuple(dict.fromkeys((*([own] if own not in NEEDY | POOLED else []), *free)))
    for rule in wanted.rules:
        if not rule_fits(rule, scale):
            raise UsageError(
                f"Rule {rule} has no meaning on the scale of criterion {criterion_id!r}; "
                f"there are {', '.join(rules_that_fit(scale))}."
            )
    return wanted.rules


def _samples(draws: CodedDraws, wanted: Wanted) -> tuple[int, ...]:
    stored = len({draw.sample for draw in draws.draws})
    if wanted.samples is None:
        return (*(k for k in (1, 2, 4, 8, 16, 32) if k < stored), max(stored, 1))
    for k in wanted.samples:
        if not 1 <= k <= stored:
            raise UsageError(f"k={k} samples are wanted, but {stored} are stored; ask for 1 to {stored}.")
    return wanted.samples


def _orders(draws: CodedDraws, wanted: Wanted) -> tuple[Orders, ...]:
    stored: tuple[Orders, ...] = tuple(sorted({draw.order for draw in draws.draws}))
    possible: tuple[Orders, ...] = (*stored, "both") if len(stored) == 2 else stored or ("AB",)
    if wanted.orders is None:
        return possible
    for order in wanted.orders:
        if order not in possible:
            raise UsageError(f"Order {order} was never asked; this run has {', '.join(possible)}.")
    return wanted.orders
