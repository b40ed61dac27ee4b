"""Choice: the best of many variants, measured on groups that it was not chosen on."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from venire.domain.finding import Finding, Undefined
from venire.domain.frontier import LOWER_IS_BETTER, Recommended, Variant
from venire.errors import UndefinedStatistic
from venire.metaeval.intervals import Resampled, interval_of
from venire.stats.cluster_bootstrap import group_weights
from venire.stats.cross_fitting import N_FOLDS, assign_folds
from venire.tuning.scoring import N_RESAMPLES, Reference, counts_of, figures_of, value_of


def recommend(
    variants: Sequence[Variant],
    sums: NDArray[np.float32],
    reference: Reference,
    eligible: NDArray[np.bool_],
    *,
    seed: int,
) -> Recommended | Undefined:
    """Choose the variant with the best figure, and measure choosing by cross-fitting over groups.

    Args:
        sums: shape (n_groups, n_variants, n_cells), from `sum_by_group`.
        eligible: shape (n_variants,): those that may be chosen.

    Returns:
        The choice on all groups; its figure there, which is flattered; and the figure of whatever is chosen on four
        folds, on the fifth. Or why there are too few groups for that.
    """
    try:
        folds = assign_folds(np.arange(reference.n_groups), seed=seed)
    except UndefinedStatistic as reason:
        return Undefined(str(reason))
    sign = -1.0 if reference.measure in LOWER_IS_BETTER else 1.0
    whole = sums.sum(axis=0)
    chosen = _best(figures_of(whole, reference), eligible, sign)
    if chosen is None:
        return Undefined("no variant has a figure")
    held_out = np.zeros((reference.n_groups, reference.n_cells), dtype=np.float32)
    picks: Counter[int] = Counter()
    for fold in range(N_FOLDS):
        inside = folds == fold
        pick = _best(figures_of(whole - sums[inside].sum(axis=0), reference), eligible, sign)
        if pick is None:
            return Undefined("without one fold no variant has a figure")
        picks[pick] += 1
        held_out[inside] = sums[inside, pick]
    weights = group_weights(reference.n_groups, N_RESAMPLES, seed).astype(np.float32)

    def finding(of_groups: NDArray[np.float32], about: str, how: str) -> Finding:
        value = value_of(figures_of(of_groups.sum(axis=0)[None, :], reference), 0, reference.measure)
        drawn = figures_of(weights @ of_groups, reference)
        return Finding(
            name=reference.measure,
            about=about,
            value=value,
            interval=interval_of(value, drawn, n_groups=reference.n_groups, seed=seed),
            n=int(counts_of(of_groups, reference).sum()),
            n_groups=reference.n_groups,
            provenance=how,
        )

    name = variants[chosen].name
    return Recommended(
        variant=variants[chosen],
        in_sample=finding(sums[:, chosen], name, "on the groups on which it was chosen, which flatters it"),
        out_of_sample=finding(
            held_out, f"the best of {len(variants):,}", "chosen on four folds, measured on the fifth"
        ),
        n_chosen=picks[chosen],
    )


def _best(figures: Resampled, eligible: NDArray[np.bool_], sign: float) -> int | None:
    """The eligible row with the best figure, the first of equals."""
    may_be = figures.defined & eligible
    if not bool(may_be.any()):
        return None
    return int(np.where(may_be, sign * figures.values, -np.inf).argmax())
