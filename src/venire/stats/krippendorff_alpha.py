"""Krippendorff's alpha: reliability of any number of raters, labels missing or not."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic
from venire.stats.label_patterns import find_patterns

Level = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KrippendorffAlpha:
    """Alpha and what it is made of."""

    alpha: float
    observed: float
    """Mean disagreement of the pairs of labels within units."""
    expected: float
    """Mean disagreement of all pairs of labels, whichever unit they are of."""
    n_units: int
    """Units with at least two labels; the others tell nothing of reliability and are left out."""
    n_labels: int
    """Labels on these units."""


def krippendorff_alpha(
    codes: NDArray[np.number], present: NDArray[np.bool_], n_labels: int, level: Level = "nominal"
) -> KrippendorffAlpha:
    """Measure how far raters agree beyond chance, 1 − observed / expected disagreement.

    Use it for any number of raters of which not everybody labelled everything. Labels in order: "ordinal", whose
    distances come from how often the labels between two are used; "interval" takes the codes themselves as numbers.

    Args:
        codes: shape (n_raters, n_units), labels 0 … n_labels − 1 in the scale's order, where `present`.
        present: shape (n_raters, n_units).

    Returns:
        Alpha, at most 1, 0 at chance.

    Raises:
        UndefinedStatistic: no unit has two labels, or all labels on such units are the same.
        ValueError: shapes differ, or a code is no label.

    References:
        Krippendorff (2019), Content Analysis, 4th edition, chapter 12, doi:10.4135/9781071878781.
        Hayes and Krippendorff (2007), Answering the call for a standard reliability measure,
        doi:10.1080/19312450709336664.

    Two raters, ten units, of Krippendorff (2011), Computing Krippendorff's alpha-reliability, part B:

    >>> first, second = np.array([0, 1, 0, 0, 0, 0, 0, 0, 1, 0]), np.array([1, 1, 1, 0, 0, 1, 0, 0, 0, 0])
    >>> found = krippendorff_alpha(np.stack([first, second]), np.ones((2, 10), dtype=bool), 2)
    >>> round(found.alpha, 3)
    0.095
    """
    patterns = find_patterns(codes, present, n_labels)
    counts = np.stack([(patterns.labels == label).sum(axis=0) for label in range(n_labels)], axis=1).astype(np.float64)
    per_unit = counts.sum(axis=1)
    kept = per_unit >= 2
    counts, per_unit, times = counts[kept], per_unit[kept], patterns.counts[kept].astype(np.float64)
    if not len(counts):
        raise UndefinedStatistic("Krippendorff's alpha: no unit has labels of two raters")
    weight = times / (per_unit - 1.0)
    coincidences = (counts * weight[:, None]).T @ counts - np.diag((counts * weight[:, None]).sum(axis=0))
    totals = coincidences.sum(axis=1)
    n = float(totals.sum())
    distance = _distance(totals, level)
    observed = float((coincidences * distance).sum()) / n
    expected = float((np.outer(totals, totals) * distance).sum()) / (n * (n - 1.0))
    if expected == 0.0:
        raise UndefinedStatistic(
            f"Krippendorff's alpha: all {int(n)} labels are the same; they could not have differed"
        )
    return KrippendorffAlpha(
        alpha=1.0 - observed / expected,
        observed=observed,
        expected=expected,
        n_units=int(times.sum()),
        n_labels=int((times * per_unit).sum()),
    )


def alpha_of_numbers(values: NDArray[np.float64], present: NDArray[np.bool_]) -> KrippendorffAlpha:
    """Alpha at the interval level for numbers of any fineness, as `krippendorff_alpha` gives it for whole ones.

    Args:
        values: shape (n_raters, n_units), finite where `present`.
        present: shape (n_raters, n_units).

    Raises:
        UndefinedStatistic: no unit has two numbers, or all numbers on such units are the same.

    >>> rows = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 4.0]])
    >>> round(alpha_of_numbers(rows, np.ones((2, 3), dtype=bool)).alpha, 4)
    0.878
    """
    n = present.sum(axis=0)
    kept = n >= 2
    if not kept.any():
        raise UndefinedStatistic("Krippendorff's alpha: no unit has labels of two raters")
    there, n = present[:, kept], n[kept]
    numbers = np.where(there, values[:, kept], 0.0)
    centred = np.where(there, numbers - numbers.sum(axis=0) / n, 0.0)
    pooled = numbers[there]
    # The mean squared difference of the pairs within a unit is twice its variance.
    observed = float((2.0 * (centred**2).sum(axis=0) * n / (n - 1.0)).sum()) / len(pooled)
    expected = 2.0 * float(pooled.var(ddof=1))
    if expected == 0.0:
        raise UndefinedStatistic("Krippendorff's alpha: all numbers are the same, so that chance has no part")
    return KrippendorffAlpha(
        alpha=1.0 - observed / expected,
        observed=observed,
        expected=expected,
        n_units=int(kept.sum()),
        n_labels=len(pooled),
    )


def _distance(totals: NDArray[np.float64], level: Level) -> NDArray[np.float64]:
    """Squared distances of labels: shape (n_labels, n_labels)."""
    ranks = np.arange(len(totals), dtype=np.float64)
    match level:
        case "nominal":
            return np.asarray(ranks[:, None] != ranks[None, :], dtype=np.float64)
        case "interval":
            return np.asarray((ranks[:, None] - ranks[None, :]) ** 2)
        case "ordinal":
            # Labels used from one to the other, both ends by half.
            middle = np.cumsum(totals) - totals / 2.0
            return np.asarray((middle[:, None] - middle[None, :]) ** 2)
