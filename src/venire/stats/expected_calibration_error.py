"""Expected calibration error: how far stated confidence is from the share that is right."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.stats.probability_checks import check_probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBin:
    """Items of similar confidence."""

    low: float
    """Smallest confidence in the bin."""
    high: float
    confidence: float
    """Mean probability of the likeliest label."""
    right: float
    """Share in which the likeliest label is the true one."""
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationError:
    """The error and the bins behind it."""

    error: float
    bins: tuple[CalibrationBin, ...]
    """In ascending order of confidence; none is empty."""
    n: int


def expected_calibration_error(
    probabilities: NDArray[np.float64], labels: NDArray[np.number], n_bins: int = 10
) -> CalibrationError:
    """Measure Σ_b (n_b / n) · |share right − mean confidence| over bins of equally many items.

    Use it to see whether 80 % means 80 %; not to choose a combiner, since always stating the base rate has no error.
    Bins hold equally many items, so that none rests on two; equal confidences always share a bin. It is biased upwards
    in small samples: with n items and B bins, up to about 0.4 √(B / n) comes of chance alone.

    Args:
        probabilities: shape (n_items, n_labels), each row summing to 1.
        labels: shape (n_items,), the true labels.
        n_bins: at most so many bins.

    Returns:
        The error in [0, 1], lower is better, with its bins.

    Raises:
        UndefinedStatistic: there is no item.
        ValueError: rows are no probabilities, a label is no label, or n_bins is below 1.

    References:
        Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning,
        doi:10.1609/aaai.v29i1.9602. Guo et al. (2017), arXiv:1706.04599.

    Four items at 0.75, of which three are right, are calibrated:

    >>> expected_calibration_error(np.array([[0.25, 0.75]] * 4), np.array([1, 1, 1, 0])).error
    0.0
    """
    if n_bins < 1:
        raise ValueError(f"n_bins is {n_bins!r}; at least one bin is needed")
    truth = check_probabilities(probabilities, labels, "calibration error")
    confidence = probabilities.max(axis=1)
    is_right = probabilities.argmax(axis=1) == truth
    _, rank_of, counts = np.unique(confidence, return_inverse=True, return_counts=True)
    # The middle rank decides, so that equal confidences fall together.
    middle = (np.cumsum(counts) - counts / 2) / len(truth)
    bin_of = np.minimum((middle * n_bins).astype(np.intp), n_bins - 1)[rank_of]
    bins = tuple(
        CalibrationBin(
            low=float(confidence[held].min()),
            high=float(confidence[held].max()),
            confidence=float(confidence[held].mean()),
            right=float(is_right[held].mean()),
            n=int(held.sum()),
        )
        for number in range(n_bins)
        if bool((held := bin_of == number).any())
    )
    error = sum(one.n * abs(one.right - one.confidence) for one in bins) / len(truth)
    return CalibrationError(error=error, bins=bins, n=len(truth))
