"""The median of each coordinate on its own."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """One location for every item."""

    values: NDArray[np.float64]
    """Shape (n_items, …): means something only where `defined`."""
    defined: NDArray[np.bool_]
    """Shape (n_items, …): False where no voter has a value."""
    n: NDArray[np.intp]
    """Shape (n_items, …): values counted."""


def coordinate_median(values: NDArray[np.float64], present: NDArray[np.bool_]) -> Located:
    """Take the middle of the voters' values, each item and coordinate on its own.

    Use it where single values may be arbitrarily wrong. A vector of medians may be like no voter's vector: it does
    not turn with the axes, and points that look plausible on every axis but not together pull it away. Of an even
    number of values it is the middle between the two in the middle.

    Args:
        values: shape (n_voters, n_items, …).
        present: the same shape: which values count.

    References:
        Acharya, Pan and Verkhovsky (2026), RoPoLL (there "CoMed"), arXiv:2606.30931.

    >>> coordinate_median(np.array([[1.0], [2.0], [9.0]]), np.ones((3, 1), dtype=bool)).values.tolist()
    [2.0]
    """
    if values.shape != present.shape or values.ndim < 2:
        raise ValueError(
            f"values and present have shapes {values.shape!r} and {present.shape!r}; both (voters, items, …)"
        )
    n = np.asarray(np.count_nonzero(present, axis=0), dtype=np.intp)
    # Missing values are sorted to the end, behind everything.
    ordered = np.sort(np.where(present, values, np.inf), axis=0)
    low = np.take_along_axis(ordered, np.maximum(n - 1, 0)[None] // 2, axis=0)[0]
    high = np.take_along_axis(ordered, np.minimum(n // 2, len(values) - 1)[None], axis=0)[0]
    return Located(values=middle_of(low, high, n > 0), defined=n > 0, n=n)


def middle_of(low: NDArray[np.float64], high: NDArray[np.float64], defined: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Halve the way between two values, 0 where they are not defined; equal values stay as they are.

    >>> middle_of(np.array([-1e308]), np.array([1.5e308]), np.array([True])).tolist()
    [2.5e+307]
    """
    low, high = np.where(defined, low, 0.0), np.where(defined, high, 0.0)
    # Halves first: the difference of two large values may be infinite.
    return np.asarray(low + (high / 2 - low / 2))
