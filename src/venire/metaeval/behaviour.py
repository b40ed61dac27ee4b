"""Behaviour: what a judge's own draws say of it, before anybody knows what is right."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedDraws
from venire.domain.finding import Finding, Undefined
from venire.metaeval.intervals import interval_of, ratios
from venire.metaeval.rows import Clusters
from venire.stats.cluster_bootstrap import resampled_sums

ONE_ORDER = Undefined("it was asked in one order alone")
ONE_SAMPLE = Undefined("it has one sample of each subject")
N_RESAMPLES = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Leans:
    """Choices of what was shown first, in both orders; both of shape (n_judges, n_subjects)."""

    first: NDArray[np.bool_]
    both: NDArray[np.bool_]
    """Where the judge answered both orders."""


def share_of(
    name: str,
    about: str,
    amounts: NDArray[np.float64],
    numbers: NDArray[np.float64],
    clusters: Clusters,
    seed: int,
    how: str,
) -> Finding | Undefined:
    """A sum over a number, subject by subject, with an interval by group.

    Args:
        amounts, numbers: shape (n_subjects,); a subject with number 0 does not count.
        how: where it comes from, in words.
    """
    counted = numbers > 0
    n = int(counted.sum())
    if not n:
        return Undefined("no subject has what it takes")
    groups = clusters.among(counted)
    sums = np.stack([np.bincount(groups, weights=of[counted]) for of in (amounts, numbers)], axis=1)
    value = float(sums[:, 0].sum() / sums[:, 1].sum())
    drawn = ratios(resampled_sums(sums, N_RESAMPLES, seed) if len(sums) > 1 else np.zeros((0, 2)))
    interval = interval_of(value, drawn, n_groups=len(sums), seed=seed)
    return Finding(name=name, about=about, value=value, interval=interval, n=n, n_groups=len(sums), provenance=how)


def flips_of(
    draws: CodedDraws, row: int, clusters: Clusters, seed: int
) -> tuple[Finding | Undefined, float | Undefined]:
    """How often a judge's two orders disagree on one sample, and how often it then chose what was shown first."""
    places = {(draw.order, draw.sample): place for place, draw in enumerate(draws.draws)}
    pairs = [
        (place, places["BA", sample])
        for (order, sample), place in places.items()
        if order == "AB" and ("BA", sample) in places
    ]
    if not pairs:
        return ONE_ORDER, ONE_ORDER
    forward, backward = ([pair[side] for pair in pairs] for side in (0, 1))
    both = draws.present[row][:, forward] & draws.present[row][:, backward]
    ab, ba = draws.codes[row][:, forward], draws.codes[row][:, backward]
    flipped = both & (ab != ba)
    rate = share_of(
        "flip_rate",
        draws.raters[row],
        flipped.sum(axis=1).astype(float),
        both.sum(axis=1).astype(float),
        clusters,
        seed,
        "pairs of answers to the two orders that name different responses",
    )
    n_flipped = int(flipped.sum())
    if not n_flipped:
        return rate, Undefined("it never changed its mind with the order")
    return rate, float((flipped & (ab == 0) & (ba == 1)).sum() / n_flipped)


def consistency_of(draws: CodedDraws, row: int, clusters: Clusters, seed: int) -> Finding | Undefined:
    """Labels: the chance that two samples of one order agree. Numbers: their standard deviation, within a subject."""
    agree, pairs = np.zeros(len(draws.subjects)), np.zeros(len(draws.subjects))
    for order in ("AB", "BA"):
        places = [place for place, draw in enumerate(draws.draws) if draw.order == order]
        codes, present = draws.codes[row][:, places], draws.present[row][:, places]
        n = present.sum(axis=1)
        if not draws.labels:
            mean = np.where(present, codes, 0.0).sum(axis=1) / np.maximum(n, 1)
            squares = (np.where(present, codes - mean[:, None], 0.0) ** 2).sum(axis=1)
            agree += np.where(n > 1, squares, 0.0)
            pairs += np.maximum(n - 1, 0)
            continue
        for first in range(len(places)):
            for second in range(first):
                both = present[:, first] & present[:, second]
                agree += both & (codes[:, first] == codes[:, second])
                pairs += both
    if not pairs.any():
        return ONE_SAMPLE
    if draws.labels:
        how = "pairs of samples of one subject and order that are the same label"
        return share_of("self_consistency", draws.raters[row], agree, pairs, clusters, seed, how)
    found = share_of("sample_variance", draws.raters[row], agree, pairs, clusters, seed, "within subjects")
    if isinstance(found, Undefined) or isinstance(found.value, Undefined):
        return found
    return Finding(
        name="sample_standard_deviation",
        about=draws.raters[row],
        value=float(np.sqrt(found.value)),
        interval=Undefined("given for the variance alone"),
        n=found.n,
        n_groups=found.n_groups,
        provenance="of the samples of one subject and order around their mean, in points of the scale",
    )


def leans_of(draws: CodedDraws, rows: Sequence[int]) -> Leans | None:
    """Where each judge chose what was shown first in both orders; None: there is one order."""
    orders = {draw.order: place for place, draw in reversed(list(enumerate(draws.draws)))}
    if len(orders) < 2:
        return None
    ab, ba = draws.codes[rows][:, :, orders["AB"]], draws.codes[rows][:, :, orders["BA"]]
    both = draws.present[rows][:, :, orders["AB"]] & draws.present[rows][:, :, orders["BA"]]
    return Leans(first=np.asarray(both & (ab == 0) & (ba == 1), dtype=np.bool_), both=np.asarray(both, dtype=np.bool_))
