"""Paired differences: one panel's figure minus another's, over the same resamples of groups."""

import numpy as np

from venire.coding.votes import CodedVotes
from venire.domain.finding import Finding, Undefined
from venire.metaeval.intervals import interval_of
from venire.stats.cluster_bootstrap import group_weights
from venire.tuning.scoring import N_RESAMPLES, Reference, figures_of, sum_by_group, value_of


def subtract_paired(one: CodedVotes, other: CodedVotes, reference: Reference, *, about: str, seed: int) -> Finding:
    """The figure of one panel's decisions minus that of another's; the groups are resampled for both at once.

    Each is held to the reference over the subjects that it decides itself: a panel with one judge less ties more often,
    and where it does not, it says what the larger one says. How many it leaves undecided is counted beside it.
    """
    kept = reference
    sums = sum_by_group([one, other], kept)
    points = figures_of(sums.sum(axis=0), kept)
    values = [value_of(points, row, kept.measure) for row in (0, 1)]
    difference: float | Undefined
    match values:
        case [float() as first, float() as second]:
            difference = first - second
        case _:
            difference = next(value for value in values if isinstance(value, Undefined))
    n_groups = len(np.unique(kept.groups[kept.present]))
    if n_groups < 2:
        interval = interval_of(difference, points, n_groups=n_groups, seed=seed)
    else:
        weights = group_weights(reference.n_groups, N_RESAMPLES, seed).astype(np.float32)
        drawn = [figures_of(weights @ sums[:, row], kept) for row in (0, 1)]
        interval = interval_of(difference, drawn[0].minus(drawn[1]), n_groups=n_groups, seed=seed)
    n_lost = int((reference.present & other.present[0]).sum() - (reference.present & one.present[0]).sum())
    return Finding(
        name=f"{kept.measure}_difference",
        about=about,
        value=difference,
        interval=interval,
        n=int((reference.present & one.present[0]).sum()),
        n_groups=n_groups,
        missing=(("undecided, which the panel decides", n_lost),) if n_lost > 0 else (),
        provenance="each over the subjects that it decides; the groups are resampled for both at once",
    )
