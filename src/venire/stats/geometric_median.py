"""The geometric median: the point with the smallest sum of distances to the voters' vectors."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.stats.coordinate_median import coordinate_median
from venire.stats.descent import Offsets, descend, pull

TOLERANCE = 1e-9
"""Of the certificate: a sum of unit vectors no longer than this is taken for none."""
_CELLS = 200_000
"""Numbers of one block: they stay in the processor's cache."""


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
    exceeds the voters there by. A median has 0, up to rounding."""

    @property
    def converged(self) -> NDArray[np.bool_]:
        """Shape (n_items,): whether the excess is at most 1e-9."""
        return np.asarray(self.excess <= TOLERANCE, dtype=np.bool_)


def geometric_median(values: NDArray[np.float64], present: NDArray[np.bool_]) -> GeometricMedians:
    """Find the geometric median of the voters' vectors on every item.

    Use it where some voters may be arbitrarily wrong: fewer than half of them move it a bounded distance, while one
    moves the mean without bound. Unlike the median of each coordinate it turns with the axes. Vectors must be on a
    common scale. It is unique unless all vectors lie on a line and are even in number: then, as in one dimension, it
    is the middle between the two in the middle.

    Every item is settled on its own. The vector with the smallest sum of distances is the median where the unit
    vectors from it to the others sum to no more than the voters it stands for (Vardi and Zhang's condition).
    Otherwise a step leaves it, and Newton's steps follow until the sum of unit vectors vanishes (`descent`).
    Stopping on a small step instead would freeze beside a vector.

    Args:
        values: shape (n_voters, n_items, n_dims), finite where `present`.
        present: shape (n_voters, n_items): whether the voter's whole vector counts.

    Returns:
        The medians, with a certificate for each, taken about the vector that is nearest to it: where numbers are
        large, such as 1e8, the point itself is rounded to their last digit afterwards.

    Raises:
        ValueError: shapes do not fit, or a present value is not finite.

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
    n_voters, n_items, n_dims = values.shape
    n = np.asarray(np.count_nonzero(present, axis=0), dtype=np.intp)
    points, excess = np.zeros((n_items, n_dims)), np.zeros(n_items)
    is_vertex = np.zeros(n_items, dtype=np.bool_)
    n_at_once = max(64, _CELLS // max(n_voters * n_dims, 1))
    for start in range(0, n_items, n_at_once):
        part = slice(start, start + n_at_once)
        block = _settle_line if n_dims == 1 else _settle
        points[part], is_vertex[part], excess[part] = block(values[:, part], present[:, part])
    return GeometricMedians(points=points, defined=n > 0, n=n, is_vertex=is_vertex, excess=excess)


Settled = tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]
"""Points (n_items, n_dims), whether each is a vector, and the excess."""


def _settle_line(values: NDArray[np.float64], present: NDArray[np.bool_]) -> Settled:
    """In one dimension it is the median."""
    _check(values, present)
    middle = coordinate_median(values[:, :, 0], present).values
    is_vertex = ((values[:, :, 0] == middle) & present).any(axis=0)
    return middle[:, None], is_vertex, np.zeros(len(middle))


def _settle(values: NDArray[np.float64], present: NDArray[np.bool_]) -> Settled:
    """Settle one block of items."""
    _check(values, present)
    columns = np.where(present[:, None, :], values.transpose(0, 2, 1), 0.0)  # coordinate-major: (voters, dims, items)
    weights = present.astype(np.float64)
    sums = _distance_sums(columns, weights)
    here = np.arange(columns.shape[2])
    best = sums.argmin(axis=0)
    origin = columns[best, :, here].T
    offsets = Offsets.about(origin, columns, weights)
    towards = pull(offsets)
    length = np.sqrt((towards * towards).sum(axis=0))
    excess = np.maximum(length - offsets.n_here, 0.0)
    z = np.zeros_like(origin)
    is_vertex = (excess <= 1e-12 * offsets.n_here) | (offsets.n_here == 0)
    excess = np.where(is_vertex, 0.0, excess)
    tied = np.flatnonzero(is_vertex & (length >= offsets.n_here - TOLERANCE) & (length > 0))
    if len(tied):
        z[:, tied], middle = _between(columns, sums, origin, best, tied)
        is_vertex[tied] = ~middle
    active = np.flatnonzero(~is_vertex & ~_is_any(tied, len(here)))
    if len(active):
        z[:, active], excess[active] = descend(offsets.of(active), towards[:, active], TOLERANCE / 2)
    return (origin + z).T, is_vertex, excess


def _between(
    columns: NDArray[np.float64],
    sums: NDArray[np.float64],
    origin: NDArray[np.float64],
    best: NDArray[np.intp],
    tied: NDArray[np.intp],
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Where two vectors are equally good, all between them are: half the way to the other, and whether there is one."""
    half, found = np.zeros((len(origin), len(tied))), np.zeros(len(tied), dtype=np.bool_)
    for voter, column in enumerate(columns):
        way = column[:, tied] - origin[:, tied]
        is_other = (sums[voter, tied] <= sums[best[tied], tied] * (1 + 1e-13)) & (way != 0).any(axis=0)
        half[:, is_other & ~found] = way[:, is_other & ~found] / 2
        found |= is_other
    return half, found


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


def _is_any(places: NDArray[np.intp], n: int) -> NDArray[np.bool_]:
    marks = np.zeros(n, dtype=np.bool_)
    marks[places] = True
    return marks


def _check(values: NDArray[np.float64], present: NDArray[np.bool_]) -> None:
    if not bool((np.isfinite(values).all(axis=2) | ~present).all()):
        raise ValueError("a value that counts is not finite; mark its voter as not present on that item")
