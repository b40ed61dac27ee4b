"""The weighted median: the value with half of the weight on either side."""

import numpy as np
from numpy.typing import NDArray

from venire.stats.coordinate_median import Located, middle_of
from venire.stats.weighted_mean import check_weights

_ROUNDING = 1e-12
"""Of the whole weight: 0.1 + 0.2 and 0.3 are halves of the same."""


def weighted_median(values: NDArray[np.float64], present: NDArray[np.bool_], weights: NDArray[np.float64]) -> Located:
    """Take the value where half of the voters' weight is reached, each item and coordinate on its own.

    Use it where voters count unequally and single values may be arbitrarily wrong: those with less than half of the
    weight cannot move it beyond the others' values. Where exactly half is reached by one value, it is the middle
    between that one and the next, as the median of an even number of values is.

    Args:
        values: shape (n_voters, n_items, …).
        present: the same shape: which values count.
        weights: shape (n_voters,), 0 or above.

    Returns:
        The medians; undefined where no voter with a weight above 0 has a value.

    Raises:
        ValueError: a weight is below 0 or not finite, or shapes differ.

    References:
        Edgeworth (1888), On a new method of reducing observations, doi:10.1080/14786448808628257.

    >>> weighted_median(np.array([[1.0], [2.0], [9.0]]), np.ones((3, 1), dtype=bool), np.array([1, 1, 3])).values
    array([9.])
    """
    if values.shape != present.shape or values.ndim < 2 or weights.shape != values.shape[:1]:
        raise ValueError(
            f"values, present and weights have shapes {values.shape!r}, {present.shape!r}, {weights.shape!r}"
        )
    check_weights(weights)
    # As shares of the largest, so that no sum of them overflows.
    shares = (weights / max(weights.max(initial=0.0), np.finfo(np.float64).tiny)).reshape(-1, *[1] * (values.ndim - 1))
    mass = shares * present
    n = np.asarray(np.count_nonzero(mass, axis=0), dtype=np.intp)
    order = np.argsort(np.where(mass > 0, values, np.inf), axis=0, kind="stable")
    ordered = np.take_along_axis(values, order, axis=0)
    reached = np.cumsum(np.take_along_axis(mass, order, axis=0), axis=0)
    half = reached[-1] / 2
    at_low = (reached >= half * (1 - _ROUNDING)).argmax(axis=0)
    at_high = (reached > half * (1 + _ROUNDING)).argmax(axis=0)
    low, high = (np.take_along_axis(ordered, at[None], axis=0)[0] for at in (at_low, at_high))
    return Located(values=middle_of(low, high, n > 0), defined=n > 0, n=n)
