"""Spearman's rank correlation: how far two orders agree, ties sharing their mean rank."""

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic


def spearman(first: NDArray[np.number], second: NDArray[np.number]) -> float:
    """Measure the linear correlation of ranks.

    Use it for orders in which a long way matters more than many small ones; Kendall's tau counts pairs instead.

    Args:
        first, second: shape (n,), finite.

    Returns:
        In [−1, 1].

    Raises:
        UndefinedStatistic: fewer than 2 values, or all of one side equal.
        ValueError: shapes differ, or a value is not finite.

    References:
        Spearman (1904), The proof and measurement of association between two things, doi:10.2307/1412159.

    >>> round(spearman(np.array([1, 2, 3, 4]), np.array([10, 20, 40, 30])), 4)
    0.8
    """
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != other.shape or one.ndim != 1:
        raise ValueError(f"shapes {one.shape!r} and {other.shape!r}; both must be (n,)")
    if not bool(np.isfinite(one).all() and np.isfinite(other).all()):
        raise ValueError("a value is not finite; leave missing ones out before ranking")
    if len(one) < 2 or len(np.unique(one)) == 1 or len(np.unique(other)) == 1:
        raise UndefinedStatistic("Spearman's correlation: fewer than 2 values, or all of one side are equal")
    a, b = mean_ranks(one), mean_ranks(other)
    a, b = a - a.mean(), b - b.mean()
    return float((a @ b) / np.sqrt((a @ a) * (b @ b)))


def mean_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 1; equal values share the mean of theirs.

    >>> mean_ranks(np.array([5.0, 1.0, 5.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2.0)[inverse], dtype=np.float64)
