"""Prediction-powered inference: a mean of labels, sharpened by a judge's predictions for what has none."""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic


@dataclass(frozen=True, slots=True, kw_only=True)
class PoweredMean:
    """The mean, by labels and predictions together and by labels alone."""

    mean: float
    low: float
    high: float
    weight: float
    """How far the predictions are believed: 0 is labels alone, 1 takes them at their word before correcting."""
    labels_only: float
    labels_low: float
    labels_high: float
    n_labelled: int
    n_unlabelled: int
    level: float


def powered_mean(
    labels: NDArray[np.float64],
    predictions: NDArray[np.float64],
    unlabelled: NDArray[np.float64],
    level: float = 0.95,
) -> PoweredMean:
    """Estimate a mean from some labels and many predictions, mean(λ f) over all else + mean(y − λ f) over the labelled.

    Use it where the labelled ones are a random sample of all: what the predictions get wrong is then estimated on them
    and taken off. λ is chosen for the least variance, so that in large samples it is never worse than labels alone.

    Args:
        labels: shape (n,), the truth of the labelled ones.
        predictions: shape (n,), what the judge said of them.
        unlabelled: shape (N,), what it said of the others.
        level: the confidence level.

    Raises:
        UndefinedStatistic: fewer than 2 labels, or nothing unlabelled.
        ValueError: shapes differ, or a value is not finite.

    References:
        Angelopoulos, Duchi and Zrnic (2023), PPI++: Efficient prediction-powered inference, arXiv:2311.01453.

    A judge that is always right makes the interval that of all predictions:

    >>> y = np.array([0.0, 1.0, 1.0, 0.0])
    >>> found = powered_mean(y, y, np.repeat([0.0, 1.0], [50, 150]))
    >>> round(found.mean, 3), round(found.labels_only, 3)
    (0.75, 0.5)
    """
    if labels.shape != predictions.shape or labels.ndim != 1 or unlabelled.ndim != 1:
        raise ValueError(
            f"shapes {labels.shape!r}, {predictions.shape!r}, {unlabelled.shape!r}; expected (n,), (n,), (N,)"
        )
    if not all(bool(np.isfinite(one).all()) for one in (labels, predictions, unlabelled)):
        raise ValueError("a value is not finite; leave missing ones out")
    n, n_other = len(labels), len(unlabelled)
    if n < 2 or not n_other:
        raise UndefinedStatistic(
            f"prediction-powered mean: {n} labels and {n_other} unlabelled; at least 2 and 1 needed"
        )
    spread = float(np.var(np.concatenate([predictions, unlabelled])))
    covariance = float(np.cov(labels, predictions, ddof=1)[0, 1])
    weight = 0.0 if spread == 0.0 else min(1.0, max(0.0, covariance / (spread * (1.0 + n / n_other))))
    rest = labels - weight * predictions
    mean = float(weight * unlabelled.mean() + rest.mean())
    z = NormalDist().inv_cdf((1 + level) / 2)
    half = z * math.sqrt(float(np.var(rest, ddof=1)) / n + weight**2 * float(np.var(unlabelled)) / n_other)
    plain, plain_half = float(labels.mean()), z * math.sqrt(float(np.var(labels, ddof=1)) / n)
    return PoweredMean(
        mean=mean,
        low=mean - half,
        high=mean + half,
        weight=weight,
        labels_only=plain,
        labels_low=plain - plain_half,
        labels_high=plain + plain_half,
        n_labelled=n,
        n_unlabelled=n_other,
        level=level,
    )
