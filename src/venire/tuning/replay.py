"""Replay: every variant decided from what was collected, held to the same reference over the same resamples."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.coded import code_decisions
from venire.aggregation.draws import combine_draws
from venire.aggregation.rules import apply_rule
from venire.coding.votes import CodedDraws, CodedVotes
from venire.collected import Collected
from venire.domain.design import Orders
from venire.domain.finding import Finding, Undefined
from venire.domain.frontier import (
    LEAST_DECIDED,
    LOWER_IS_BETTER,
    PROXIES,
    Frontier,
    Replay,
    Replayed,
    ReplayMeasure,
    Variant,
)
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.rubric import OrdinalScale
from venire.errors import UsageError
from venire.metaeval.intervals import Resampled, intervals_of
from venire.stats.cluster_bootstrap import group_weights
from venire.stats.cohen_kappa import Weights
from venire.tuning.choice import recommend
from venire.tuning.costs import VariantCosts, chosen_draws
from venire.tuning.scoring import N_RESAMPLES, Reference, counts_of, figures_of, reference_of, sum_by_group, value_of
from venire.tuning.variants import Wanted, plan_variants

_CELLS_AT_ONCE = 1_000_000
_ITSELF = Undefined("it is the run's own design")
NO_WANTS = Wanted()


def replay(
    collected: Collected,
    wanted: Wanted = NO_WANTS,
    *,
    criterion_id: CriterionId | None = None,
    by_category: bool = False,
    usd_per_call: Mapping[JudgeId, float] | None = None,
    seed: int = 0,
) -> Replay:
    """Tell what other panels, samples, orders and rules would have given, and cost. No judge is asked.

    Args:
        collected: the run.
        wanted: which variants; by default all that the run can give.
        criterion_id: of several, the one to look at; by default the first.
        by_category: also each category of items by itself.
        usd_per_call: what a call of a judge costs, before what is stored.
        seed: of the resamples and folds.

    Raises:
        UsageError: something is wanted that the run does not have.
    """
    criterion = criterion_id or collected.design.rubric.criteria[0].id
    if criterion not in collected.draws:
        raise UsageError(f"There is no criterion {criterion!r} in this run; it has {list(collected.draws)!r}.")
    for judge_id in usd_per_call or {}:
        collected.design.judge(judge_id)
    planned = plan_variants(collected, criterion, wanted)
    own = _own(collected, criterion)
    variants = tuple(dict.fromkeys((own, *planned.variants)))
    decisions = _Decisions(collected, criterion)
    coded = [decisions.of(variant) for variant in variants]
    against = collected.gold.get(criterion)
    labels = bool(collected.draws[criterion].labels)
    measure: ReplayMeasure = "kappa" if labels else "mean_absolute_error"
    if against is None:
        against, measure = coded[0], "agreement" if labels else "mean_absolute_difference"
    weights: Weights = "quadratic" if isinstance(against.scale, OrdinalScale) else "nominal"
    parts: list[str | None] = [None]
    if by_category:
        parts += sorted({category for category in collected.categories if category is not None})
    frontiers = []
    for category in parts:
        kept = np.array([category in (None, one) for one in collected.categories], dtype=np.bool_)
        scored = _Scored(
            variants=variants,
            coded=coded,
            reference=reference_of(against, collected.groups, kept, weights, measure),
            costs=VariantCosts(collected, criterion, kept, usd_per_call or {}),
            seed=seed,
        )
        frontiers.append(_frontier(category, scored))
    return Replay(
        criterion_id=criterion,
        measure=measure,
        against="the run's own verdicts" if criterion not in collected.gold else "gold",
        cost_axis=_axis(frontiers[0].rows),
        frontiers=tuple(_mark_best(frontier, measure, _axis(frontiers[0].rows)) for frontier in frontiers),
        notes=(*planned.notes, *_notes(frontiers[0].rows)),
        seed=seed,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scored:
    variants: Sequence[Variant]
    coded: Sequence[CodedVotes]
    reference: Reference
    costs: VariantCosts
    seed: int


class _Decisions:
    """Decides variants; each choice of samples and orders is combined once, for all judges."""

    def __init__(self, collected: Collected, criterion_id: CriterionId) -> None:
        self._design = collected.design
        self._criterion_id = criterion_id
        self._draws = collected.draws[criterion_id]
        self._votes: dict[tuple[int, Orders], CodedVotes] = {}

    def of(self, variant: Variant) -> CodedVotes:
        """The variant's decisions as one rater."""
        key = (variant.n_samples, variant.orders)
        if key not in self._votes:
            chosen = _only(self._draws, chosen_draws(self._draws, *key))
            self._votes[key] = combine_draws(chosen, variant.orders, self._design.aggregation.flip)
        how = self._design.aggregation
        how = replace(how, rule=variant.rule, quorum=min(how.quorum, len(variant.judges)))
        votes = self._votes[key].only(variant.judges)
        return code_decisions(apply_rule(votes, how), self._criterion_id, how)


def _only(draws: CodedDraws, places: Sequence[int]) -> CodedDraws:
    return replace(
        draws,
        draws=tuple(draws.draws[place] for place in places),
        codes=draws.codes[:, :, places],
        missing=draws.missing[:, :, places],
    )


def _own(collected: Collected, criterion_id: CriterionId) -> Variant:
    stored = {draw.sample for draw in collected.draws[criterion_id].draws}
    return Variant(
        judges=tuple(judge.id for judge in collected.design.seated),
        n_samples=max(len(stored), 1),
        orders=collected.design.orders,
        rule=collected.design.aggregation.rule,
    )


def _frontier(category: str | None, scored: _Scored) -> Frontier:
    reference = scored.reference
    weights = _weights(reference.n_groups, scored.seed)
    own_sums = sum_by_group(scored.coded[:1], reference)[:, 0]
    own = figures_of(weights @ own_sums, reference)
    own_value = value_of(figures_of(own_sums.sum(axis=0)[None, :], reference), 0, reference.measure)
    at_once = max(1, _CELLS_AT_ONCE // max(reference.n_groups * reference.n_cells, 1))
    rows: list[Replayed] = []
    all_sums = []
    for start in range(0, len(scored.variants), at_once):
        sums = sum_by_group(scored.coded[start : start + at_once], reference)
        all_sums.append(sums)
        rows += _rows(scored, start, sums, weights, own, own_value)
    n_subjects = int(reference.present.sum())
    decided = np.array([n_subjects - row.n_undecided >= LEAST_DECIDED * n_subjects for row in rows])
    return Frontier(
        category=category,
        rows=tuple(rows),
        recommended=recommend(scored.variants, np.concatenate(all_sums, axis=1), reference, decided, seed=scored.seed),
        n_subjects=n_subjects,
    )


def _weights(n_groups: int, seed: int) -> NDArray[np.float32]:
    if n_groups < 2:
        return np.zeros((0, n_groups), dtype=np.float32)
    return group_weights(n_groups, N_RESAMPLES, seed).astype(np.float32)


def _rows(
    scored: _Scored,
    start: int,
    sums: NDArray[np.float32],
    weights: NDArray[np.float32],
    own: Resampled,
    own_value: float | Undefined,
) -> Iterator[Replayed]:
    """The rows of the variants from `start` on, whose sums by group are given."""
    reference, measure = scored.reference, scored.reference.measure
    n_groups, n_here, n_cells = sums.shape
    points = figures_of(sums.sum(axis=0), reference)
    values = [value_of(points, row, measure) for row in range(n_here)]
    flat = figures_of((weights @ sums.reshape(n_groups, -1)).reshape(-1, n_cells), reference)
    drawn = Resampled(values=flat.values.reshape(-1, n_here), defined=flat.defined.reshape(-1, n_here))
    counts = counts_of(sums, reference)
    n, n_counted = counts.sum(axis=0).astype(int).tolist(), (counts > 0).sum(axis=0).tolist()
    differences = [_minus(value, own_value) for value in values]
    apart = Resampled(values=drawn.values - own.values[:, None], defined=drawn.defined & own.defined[:, None])
    seed = scored.seed
    intervals = intervals_of(values, drawn, n_groups=n_counted, seed=seed)
    intervals_apart = intervals_of(differences, apart, n_groups=n_counted, seed=seed)
    n_subjects, provenance = int(reference.present.sum()), _provenance(measure)
    for row in range(n_here):
        variant, is_own = scored.variants[start + row], start + row == 0
        figure = Finding(
            name=measure,
            about=variant.name,
            value=values[row],
            interval=intervals[row],
            n=n[row],
            n_groups=n_counted[row],
            missing=(("undecided", n_subjects - n[row]),) if n[row] < n_subjects else (),
            provenance=provenance,
        )
        minus = replace(
            figure,
            name=f"{measure}_difference",
            about=f"{variant.name} minus the run's own design",
            value=differences[row],
            interval=_ITSELF if is_own else intervals_apart[row],
        )
        yield Replayed(
            variant=variant,
            figure=figure,
            minus_own=minus,
            n_undecided=n_subjects - n[row],
            usd_per_item=scored.costs.usd_per_item(variant),
            calls_per_item=scored.costs.calls_per_item(variant),
            is_own=is_own,
        )


def _minus(value: float | Undefined, own: float | Undefined) -> float | Undefined:
    if isinstance(value, Undefined):
        return value
    return own if isinstance(own, Undefined) else value - own


def _provenance(measure: ReplayMeasure) -> str:
    against = "the run's own verdicts" if measure in PROXIES else "gold"
    return f"{measure.replace('_', ' ')} with {against}, over the subjects that the variant decides"


def _axis(rows: Sequence[Replayed]) -> Literal["usd", "calls"]:
    return "usd" if any(isinstance(row.usd_per_item, float) for row in rows) else "calls"


def _mark_best(frontier: Frontier, measure: ReplayMeasure, axis: str) -> Frontier:
    """Mark the rows that no other row beats: as good for less, or better for as much."""
    sign = -1.0 if measure in LOWER_IS_BETTER else 1.0
    comparable = [
        (cost, -sign * row.figure.value, number)
        for number, row in enumerate(frontier.rows)
        if isinstance(row.figure.value, float)
        and frontier.decides_enough(row)
        and isinstance(cost := row.usd_per_item if axis == "usd" else row.calls_per_item, float)
    ]
    best, marked = np.inf, set()
    for _, loss, number in sorted(comparable):
        if loss < best:
            best = loss
            marked.add(number)
    rows = tuple(replace(row, on_frontier=number in marked) for number, row in enumerate(frontier.rows))
    return replace(frontier, rows=rows)


def _notes(rows: Sequence[Replayed]) -> Iterator[str]:
    n_subjects = max((row.figure.n + row.n_undecided for row in rows), default=0)
    n_shy = sum(row.figure.n < LEAST_DECIDED * n_subjects for row in rows)
    if n_shy:
        yield (
            f"{n_shy:,} of {len(rows):,} variants leave more than {1 - LEAST_DECIDED:.0%} of the subjects undecided: "
            "they are in replay.json, not on the frontier or in the plot: to leave the hard ones out is no merit."
        )
    reasons = dict.fromkeys(row.usd_per_item.reason for row in rows if isinstance(row.usd_per_item, Undefined))
    if reasons and _axis(rows) == "calls":
        yield f"No cost is known, so that calls for each item stand in: {next(iter(reasons))}."
    elif reasons:
        yield f"Variants without a known cost are not on the frontier: {'; '.join(reasons)}."
