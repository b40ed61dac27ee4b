"""The geometric median: the point with the smallest sum of distances to the voters' vectors."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from venire.stats.coordinate_median import coordinate_median
from venire.stats.descent import Offsets, descend, excess_at, pull
from venire.stats.weighted_mean import check_weights
from venire.stats.weighted_median import weighted_median

TOLERANCE = 1e-9
"""Of the certificate: a sum of unit vectors no longer than this is taken for none."""
_CELLS = 200_000
"""Numbers of one block: they stay in the processor's cache."""
_THREADS = 2
_LARGEST, _SMALLEST = 1e100, 1e-100
"""Beyond these, an item's numbers are scaled first: their squares would be infinite, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GeometricMedians:
    """The geometric median of every item, each with the proof that it is one."""

    points: NDArray[np.float64]
    """Shape (n_items, n_dims): means something only where `defined`."""
    defined: NDArray[np.bool_]
    """Shape (n_items,): False where no voter has a vector."""
    n: NDArray[np.intp]
    """Shape (n_items,): vectors counted."""
    is_vertex: NDArray[np.bool_]
    """Shape (n_items,): whether the median is one of the vectors."""
    excess: NDArray[np.float64]
    """Shape (n_items,): the length of the sum of unit vectors towards the others; at a vector, what that length
    exceeds the voters there by. A median has 0, up to rounding. With weights, both are weighted, in units of the
    largest weight on the item."""
    n_iterations: int
    """Steps of the item that took the most; 0 where every median is a vector or the middle of two."""

    @property
    def converged(self) -> NDArray[np.bool_]:
        """Shape (n_items,): whether the excess is at most 1e-9."""
        return np.asarray(self.excess <= TOLERANCE, dtype=np.bool_)


def geometric_median(
    values: NDArray[np.float64], present: NDArray[np.bool_], weights: NDArray[np.float64] | None = None
) -> GeometricMedians:
    """Find the geometric median of the voters' vectors on every item.

    Use it where some voters may be arbitrarily wrong: fewer than half of them move it a bounded distance, while one
    moves the mean without bound. Unlike the median of each coordinate it turns with the axes. Vectors must be on a
    common scale. It is unique unless all vectors lie on a line and one half of them is on each side of a gap: then, as
    in one dimension, it is the middle of the gap.

    Every item is settled on its own. The vector with the smallest sum of distances is the median where the unit
    vectors from it to the others sum to no more than the voters it stands for (Vardi and Zhang's condition).
    Otherwise a step leaves it, and Newton's steps follow until the sum of unit vectors vanishes (`descent`).
    Stopping on a small step instead would freeze beside a vector.

    Args:
        values: shape (n_voters, n_items, n_dims), finite where `present`.
        present: shape (n_voters, n_items): whether the voter's whole vector counts.
        weights: shape (n_voters,), 0 or above, all equal unless given; a voter of weight 2 is two voters.

    Returns:
        The medians, with a certificate for each, taken about the vector that is nearest to it: where numbers are
        large, such as 1e8, the point itself is rounded to their last digit afterwards. Where distances within an item
        span more than 14 orders of magnitude, some do not converge, and `converged` says which.

    Raises:
        ValueError: shapes do not fit, a present value is not finite, or a weight is below 0 or not finite.

    References:
        Vardi and Zhang (2000), The multivariate L1-median and associated data depth, doi:10.1073/pnas.97.4.1423.
        Acharya, Pan and Verkhovsky (2026), RoPoLL, algorithm 1, arXiv:2606.30931.

    The corners of an equilateral triangle meet in its centre:

    >>> corners = np.array([[[0.0, 0.0]], [[1.0, 0.0]], [[0.5, 3**0.5 / 2]]])
    >>> geometric_median(corners, np.ones((3, 1), dtype=bool)).points.round(4).tolist()
    [[0.5, 0.2887]]
    """
    if values.ndim != 3 or present.shape != values.shape[:2]:
        raise ValueError(
            f"values and present have shapes {values.shape!r} and {present.shape!r}; "
            "(voters, items, dims) and (voters, items) were expected"
        )
    if weights is not None:
        present = present & _weighs(weights, len(values))[:, None]
    n_voters, n_items, n_dims = values.shape
    n = np.asarray(np.count_nonzero(present, axis=0), dtype=np.intp)
    points, excess = np.zeros((n_items, n_dims)), np.zeros(n_items)
    is_vertex, n_iterations = np.zeros(n_items, dtype=np.bool_), 0
    n_at_once = max(64, _CELLS // max(n_voters * n_dims, 1))
    parts = [slice(start, start + n_at_once) for start in range(0, n_items, n_at_once)]
    settle = _settle_line if n_dims == 1 else _settle
    for part, block in zip(
        parts, _side_by_side(lambda part: settle(values[:, part], present[:, part], weights), parts), strict=True
    ):
        points[part], is_vertex[part], excess[part] = block.points, block.is_vertex, block.excess
        n_iterations = max(n_iterations, block.n_iterations)
    return GeometricMedians(
        points=points, defined=n > 0, n=n, is_vertex=is_vertex, excess=excess, n_iterations=n_iterations
    )


def _side_by_side(settle: Callable[[slice], "_Settled"], parts: Sequence[slice]) -> Iterator["_Settled"]:
    """Settle the blocks, two at a time where there are several: numpy lets go of the interpreter while it computes.

    No block knows of another, so the result is the same in any order.
    """
    if len(parts) < _THREADS:
        yield from map(settle, parts)
        return
    with ThreadPoolExecutor(_THREADS) as threads:
        yield from threads.map(settle, parts)


class _Settled(NamedTuple):
    """A block of items: points (n_items, n_dims), whether each is a vector, and the excess."""

    points: NDArray[np.float64]
    is_vertex: NDArray[np.bool_]
    excess: NDArray[np.float64]
    n_iterations: int


def _settle_line(
    values: NDArray[np.float64], present: NDArray[np.bool_], weights: NDArray[np.float64] | None
) -> _Settled:
    """In one dimension it is the median."""
    _check(values, present)
    line = values[:, :, 0]
    located = coordinate_median(line, present) if weights is None else weighted_median(line, present, weights)
    is_vertex = ((line == located.values) & present).any(axis=0)
    return _Settled(located.values[:, None], is_vertex, np.zeros(len(is_vertex)), 0)


def _settle(values: NDArray[np.float64], present: NDArray[np.bool_], weights: NDArray[np.float64] | None) -> _Settled:
    """Settle one block of items."""
    _check(values, present)
    columns = np.where(present[:, None, :], values.transpose(0, 2, 1), 0.0)  # coordinate-major: (voters, dims, items)
    exponents = _tame(columns)
    mass = _mass(present, weights)
    sums = _distance_sums(columns, mass)
    here = np.arange(columns.shape[2])
    best = sums.argmin(axis=0)
    origin = columns[best, :, here].T
    offsets = Offsets.about(origin, columns, mass)
    towards = pull(offsets)
    length = np.sqrt((towards * towards).sum(axis=0))
    excess = np.maximum(length - offsets.n_here, 0.0)
    z, n_iterations = np.zeros_like(origin), 0
    is_vertex = (excess <= 1e-12 * offsets.n_here) | (offsets.n_here == 0)
    excess[is_vertex] = 0.0
    active = np.flatnonzero(~is_vertex)
    tied = np.flatnonzero(is_vertex & (length >= offsets.n_here - TOLERANCE) & (length > 0))
    if len(tied):
        half = _between(columns, sums, origin, best, tied)
        # Vectors that are only almost on a line have two that are equally good but for rounding, and nothing between.
        at_half = excess_at(offsets.of(tied), half)
        good = (half != 0).any(axis=0) & (at_half <= TOLERANCE / 2)
        middle = tied[good]
        z[:, middle], excess[middle], is_vertex[middle] = half[:, good], at_half[good], False
    if len(active):
        descent = descend(offsets.of(active), towards[:, active], TOLERANCE / 2)
        z[:, active], excess[active], n_iterations = descent.way, descent.excess, descent.n_iterations
    points = origin + z
    return _Settled(points.T if exponents is None else np.ldexp(points, exponents).T, is_vertex, excess, n_iterations)


def _tame(columns: NDArray[np.float64]) -> NDArray[np.intc] | None:
    """Bring items with very large or very small numbers to about 1, in place; the powers of two to undo it, if any."""
    sizes = np.maximum(columns.max(axis=(0, 1)), -columns.min(axis=(0, 1)))
    wild = (sizes > _LARGEST) | ((sizes < _SMALLEST) & (sizes > 0))
    if not wild.any():
        return None
    exponents = np.where(wild, np.frexp(sizes)[1], 0).astype(np.intc)
    np.ldexp(columns, -exponents, out=columns)
    return exponents


def _weighs(weights: NDArray[np.float64], n_voters: int) -> NDArray[np.bool_]:
    """Which voters have a weight."""
    if weights.shape != (n_voters,):
        raise ValueError(f"weights have shape {weights.shape!r}; ({n_voters},) was expected, one for each voter")
    check_weights(weights)
    return np.asarray(weights > 0, dtype=np.bool_)


def _mass(present: NDArray[np.bool_], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """What each vector weighs, (n_voters, n_items), the heaviest of an item 1."""
    if weights is None:
        return present.astype(np.float64)
    mass = present * weights[:, None]
    heaviest = mass.max(axis=0)
    return np.asarray(mass / np.where(heaviest > 0, heaviest, 1.0), dtype=np.float64)


def _between(
    columns: NDArray[np.float64],
    sums: NDArray[np.float64],
    origin: NDArray[np.float64],
    best: NDArray[np.intp],
    tied: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Half the way to another vector that is as good as the best, as all between them then are; 0 where none is."""
    half, found = np.zeros((len(origin), len(tied))), np.zeros(len(tied), dtype=np.bool_)
    for voter, column in enumerate(columns):
        way = column[:, tied] - origin[:, tied]
        is_other = (sums[voter, tied] <= sums[best[tied], tied] * (1 + 1e-13)) & (way != 0).any(axis=0)
        half[:, is_other & ~found] = way[:, is_other & ~found] / 2
        found |= is_other
    return half


def _distance_sums(columns: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of distances from each vector to the others: shape (n_voters, n_items); infinite where it is missing."""
    sums = np.zeros(weights.shape)
    for one in range(len(columns)):
        for other in range(one):
            way = columns[one] - columns[other]
            distance = np.sqrt(np.einsum("di,di->i", way, way))
            sums[one] += weights[other] * distance
            sums[other] += weights[one] * distance
    sums[weights == 0] = np.inf
    return sums


def _check(values: NDArray[np.float64], present: NDArray[np.bool_]) -> None:
    if not bool((np.isfinite(values).all(axis=2) | ~present).all()):
        raise ValueError("a value that counts is not finite; mark its voter as not present on that item")
