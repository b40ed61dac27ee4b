"""Kendall's tau-b: how far two rankings agree, ties allowed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic


@dataclass(frozen=True, slots=True, kw_only=True)
class KendallTau:
    """Tau-b and what it is made of."""

    tau: float
    n_concordant: int
    n_discordant: int
    n_tied_first: int
    """Pairs with equal values in the first ranking, whatever the second says."""
    n_tied_second: int
    n: int


def kendall_tau(first: NDArray[np.number], second: NDArray[np.number]) -> KendallTau:
    """Measure how far two orders of the same things agree, (concordant − discordant) / sqrt of the untied pairs.

    Use it for rankings of systems or graded labels. A pair that is tied in one of them counts for neither side and
    shortens that one's reach. In O(n log n): Knight (1966).

    Args:
        first, second: shape (n,), finite.

    Returns:
        Tau in [−1, 1].

    Raises:
        UndefinedStatistic: there are fewer than 2 things, or one of the rankings has them all tied.
        ValueError: shapes differ, or a value is not finite.

    References:
        Kendall (1945), The treatment of ties in ranking problems, doi:10.1093/biomet/33.3.239.
        Knight (1966), A computer method for calculating Kendall's tau, doi:10.1080/01621459.1966.10480879.

    >>> kendall_tau(np.array([1, 2, 3, 4]), np.array([1, 2, 4, 3])).tau
    0.6666666666666666
    """
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != other.shape or one.ndim != 1:
        raise ValueError(f"the rankings have shapes {one.shape!r} and {other.shape!r}; both must be (n,)")
    if not bool(np.isfinite(one).all() and np.isfinite(other).all()):
        raise ValueError("a value is not finite; leave missing ones out before ranking")
    n = len(one)
    if n < 2:
        raise UndefinedStatistic(f"Kendall's tau: {n} value; at least 2 are needed to have an order")
    order = np.lexsort((other, one))
    x, y = one[order], other[order]
    n_pairs = n * (n - 1) // 2
    tied_first, tied_second = _tied_pairs(x), _tied_pairs(np.sort(y))
    tied_both = _tied_in_both(x, y)
    discordant = _inversions(y)
    concordant = n_pairs - discordant - tied_first - tied_second + tied_both
    if n_pairs in (tied_first, tied_second):
        raise UndefinedStatistic("Kendall's tau: all values of one ranking are equal, so that it has no order")
    untied = float(np.sqrt(float(n_pairs - tied_first) * float(n_pairs - tied_second)))
    return KendallTau(
        tau=(concordant - discordant) / untied,
        n_concordant=concordant,
        n_discordant=discordant,
        n_tied_first=tied_first,
        n_tied_second=tied_second,
        n=n,
    )


def _tied_pairs(ordered: NDArray[np.float64]) -> int:
    edges = np.flatnonzero(np.diff(ordered) != 0) + 1
    return _pairs_within(np.diff(np.concatenate([[0], edges, [len(ordered)]])))


def _tied_in_both(x: NDArray[np.float64], y: NDArray[np.float64]) -> int:
    edges = np.flatnonzero((np.diff(x) != 0) | (np.diff(y) != 0)) + 1
    return _pairs_within(np.diff(np.concatenate([[0], edges, [len(x)]])))


def _pairs_within(runs: NDArray[np.intp]) -> int:
    return sum(int(run) * (int(run) - 1) // 2 for run in runs)


def _inversions(values: NDArray[np.float64]) -> int:
    """Pairs in which the earlier value is greater, counted while blocks of doubling size are merged."""
    ordered, count, width = values.copy(), 0, 1
    n = len(ordered)
    while width < n:
        for start in range(0, n - width, 2 * width):
            left, right = ordered[start : start + width], ordered[start + width : start + 2 * width]
            # For each of the right the number of greater ones on the left.
            count += int((len(left) - np.searchsorted(left, right, side="right")).sum())
            ordered[start : start + 2 * width] = np.sort(ordered[start : start + 2 * width], kind="stable")
        width *= 2
    return count
