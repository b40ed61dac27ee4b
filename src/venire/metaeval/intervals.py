"""Intervals: how far a figure moves when its groups are drawn again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.domain.finding import Interval, Undefined
from venire.errors import UndefinedStatistic
from venire.metaeval.rows import RaterRow
from venire.stats.alike_groups import find_alike, resampled_alike
from venire.stats.cluster_bootstrap import percentile_interval, resampled_sums
from venire.stats.cohen_kappa import KappaValues, Weights, kappa_of_tables
from venire.stats.wilson import wilson_interval

N_RESAMPLES = 2000
"""Enough for both ends of a 95% interval: Efron and Tibshirani (1993), chapters 13 and 14, use 1,000 and 2,000."""
FEW_GROUPS = 30
"""Below this a nominal 95% interval covers less than 93% (decisions/statistics.md), as is known of clusters: Cameron
and Miller (2015), doi:10.3368/jhr.50.2.317, VI."""
MANY_GROUPS = 2000
"""From here on groups that are alike are drawn together. Below, drawing them one by one takes no time, and a judge's
interval does not move with the draws when another judge joins the panel."""
FEW_KINDS = 8
"""Drawing together pays where there are this many times fewer kinds than groups: one kind costs as much as that."""
LEVEL = 0.95
_CELLS_AT_ONCE = 4_000_000
"""Per-group sums held at once: 32 MB, so that memory does not grow with the number of judges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampled:
    """One figure in every resample."""

    values: NDArray[np.float64]
    """Shape (n_resamples,): means something only where `defined`."""
    defined: NDArray[np.bool_]

    def minus(self, other: "Resampled") -> "Resampled":
        """The difference in every resample; both must come of the same groups and seed."""
        return Resampled(values=self.values - other.values, defined=self.defined & other.defined)


def resample(
    raters: Sequence[RaterRow], sums_of: Callable[[Sequence[RaterRow]], NDArray[np.float64]], seed: int
) -> NDArray[np.float64]:
    """Sum per-group statistics of raters over resamples of groups, the same resamples for every rater.

    Args:
        sums_of: gives the sums per group of some raters, shape (n_groups, n_raters, …).

    Returns:
        Shape (n_resamples, n_raters, …); no resamples where there are fewer than two groups.
    """
    one = sums_of(raters[:1])
    n_groups = len(one)
    if n_groups < 2:
        return np.zeros((0, len(raters), *one.shape[2:]))
    at_once = max(1, _CELLS_AT_ONCE // max(one.size, 1))
    parts = [raters[start : start + at_once] for start in range(0, len(raters), at_once)]
    if n_groups >= MANY_GROUPS:
        alike = find_alike(map(sums_of, parts))
        if len(alike.first) * FEW_KINDS <= n_groups:
            return np.concatenate([resampled_alike(sums_of(part), alike, N_RESAMPLES, seed) for part in parts], axis=1)
    return np.concatenate([resampled_sums(sums_of(part), N_RESAMPLES, seed) for part in parts], axis=1)


def kappas(tables: NDArray[np.float64], weights: Weights) -> Resampled:
    """Kappa of every resampled table, shape (n_resamples, n_labels, n_labels)."""
    result: KappaValues = kappa_of_tables(tables, weights)
    return Resampled(values=result.values, defined=result.defined)


def shares_on_diagonal(tables: NDArray[np.float64]) -> Resampled:
    """Share of equal labels in every resampled table, shape (n_resamples, n_labels, n_labels)."""
    equal = np.trace(tables, axis1=1, axis2=2)
    return ratios(np.stack([equal, tables.sum(axis=(1, 2))], axis=1))


def ratios(sums: NDArray[np.float64]) -> Resampled:
    """Sum over number in every resample, shape (n_resamples, 2)."""
    defined = sums[:, 1] > 0
    values = np.zeros(len(sums))
    np.divide(sums[:, 0], sums[:, 1], out=values, where=defined)
    return Resampled(values=values, defined=defined)


def interval_of(
    point: float | Undefined, resampled: Resampled, *, n_groups: int, seed: int, is_share: bool = False
) -> Interval | Undefined:
    """The 95% percentile interval of a figure, or why there is none.

    Args:
        n_groups: the groups behind the point; fewer than 30 are called few in the method's text.
        is_share: a share of subjects; at 0 or 1, where every resample says the same, Wilson's interval over the
            groups stands in.
    """
    if isinstance(point, Undefined):
        return point
    if n_groups < 2:
        return Undefined(f"{n_groups} group; at least 2 are needed to see how groups vary")
    try:
        bounds = percentile_interval(resampled.values, resampled.defined, LEVEL)
    except UndefinedStatistic as reason:
        return Undefined(str(reason))
    if bounds.is_degenerate:
        if is_share and point in (0.0, 1.0):
            return _wilson_over_groups(point, n_groups)
        return Undefined(f"every resample gives {point:.3g}; these data do not show how far it could vary")
    left_out = [f"{bounds.n_undefined} resamples without a value left out"] if bounds.n_undefined else []
    method = _method(n_groups, bounds.n_resamples, seed, *left_out)
    return Interval(low=bounds.low, high=bounds.high, level=LEVEL, method=method)


def intervals_of(
    points: Sequence[float | Undefined], drawn: Resampled, *, n_groups: Sequence[int], seed: int
) -> Sequence[Interval | Undefined]:
    """As `interval_of`, for many figures over the same resamples at once.

    Args:
        drawn: values and definedness of shape (n_resamples, n_figures).
    """
    if not len(drawn.values):
        return [interval_of(point, drawn, n_groups=n, seed=seed) for point, n in zip(points, n_groups, strict=True)]
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(drawn.values, [tail, 1 - tail], axis=0)
    # What needs a second look (undefined in some resample, or the same in all) is looked at by itself.
    plain = drawn.defined.all(axis=0) & ~np.isclose(low, high, rtol=1e-12, atol=1e-12)
    found: list[Interval | Undefined] = []
    for number, (point, n, is_plain) in enumerate(zip(points, n_groups, plain.tolist(), strict=True)):
        if is_plain and n >= 2 and not isinstance(point, Undefined):
            method = _method(n, len(drawn.values), seed)
            found.append(Interval(low=float(low[number]), high=float(high[number]), level=LEVEL, method=method))
            continue
        column = Resampled(values=drawn.values[:, number], defined=drawn.defined[:, number])
        found.append(interval_of(point, column, n_groups=n, seed=seed))
    return found


def _method(n_groups: int, n_resamples: int, seed: int, *more: str) -> str:
    how = f"percentile bootstrap over {n_groups} groups, {n_resamples} resamples, seed {seed}"
    return "; ".join([how, *more, *_few(n_groups)])


def _wilson_over_groups(share: float, n_groups: int) -> Interval:
    bounds = wilson_interval(n_groups if share == 1.0 else 0, n_groups, LEVEL)
    method = f"Wilson's score interval over {n_groups} groups, because every resample of groups gives {share:.0f}"
    return Interval(low=bounds.low, high=bounds.high, level=LEVEL, method="; ".join([method, *_few(n_groups)]))


def _few(n_groups: int) -> Sequence[str]:
    return ["few groups: too narrow"] if n_groups < FEW_GROUPS else []
