"""The weighted mean of the voters' values."""

import numpy as np
from numpy.typing import NDArray

from venire.stats.coordinate_median import Located


def weighted_mean(values: NDArray[np.float64], present: NDArray[np.bool_], weights: NDArray[np.float64]) -> Located:
    """Average the voters' values by given weights, each item and coordinate on its own.

    A missing value leaves with its weight: the others' weights are scaled up.

    Args:
        values: shape (n_voters, n_items, …).
        present: the same shape: which values count.
        weights: shape (n_voters,), 0 or above.

    Returns:
        The means; undefined where no voter with a weight above 0 has a value.

    Raises:
        ValueError: a weight is below 0 or not finite, or shapes differ.

    >>> weighted_mean(np.array([[1.0], [5.0]]), np.ones((2, 1), dtype=bool), np.array([3.0, 1.0])).values.tolist()
    [2.0]
    """
    if values.shape != present.shape or weights.shape != values.shape[:1]:
        raise ValueError(
            f"values, present and weights have shapes {values.shape!r}, {present.shape!r}, {weights.shape!r}"
        )
    check_weights(weights)
    spread = weights.reshape(-1, *[1] * (values.ndim - 1)) * present
    total = spread.sum(axis=0)
    sums = (spread * np.where(present, values, 0.0)).sum(axis=0)
    n = np.asarray(np.count_nonzero(spread > 0, axis=0), dtype=np.intp)
    return Located(values=sums / np.where(total > 0, total, 1.0), defined=total > 0, n=n)


def check_weights(weights: NDArray[np.float64]) -> None:
    """Refuse what cannot weigh.

    Raises:
        ValueError: a weight is below 0 or not finite.
    """
    if not bool((np.isfinite(weights) & (weights >= 0)).all()):
        raise ValueError(f"weights are {weights.tolist()!r}; numbers of 0 or above were expected")
