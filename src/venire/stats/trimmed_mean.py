"""The trimmed mean: the mean of what is left when a share of values is cut off both ends."""

import math

import numpy as np
from numpy.typing import NDArray

from venire.stats.coordinate_median import Located


def trimmed_mean(values: NDArray[np.float64], present: NDArray[np.bool_], share: float) -> Located:
    """Average the voters' values without the highest and the lowest ones, each item and coordinate on its own.

    Use it where a known share of the values may be wrong. Of n values, floor(share × n) are cut at each end: with
    three voters nothing is cut below a share of one third.

    Args:
        values: shape (n_voters, n_items, …).
        present: the same shape: which values count.
        share: cut at each end, 0 to below ½.

    Raises:
        ValueError: the share is not in [0, ½), or the shapes differ.

    References:
        Tukey and McLaughlin (1963), Less vulnerable confidence and significance procedures for location.

    >>> trimmed_mean(np.array([[1.0], [2.0], [3.0], [90.0]]), np.ones((4, 1), dtype=bool), 0.25).values.tolist()
    [2.5]
    """
    if not (math.isfinite(share) and 0 <= share < 0.5):
        raise ValueError(f"share is {share!r}; 0 to below 0.5 was expected")
    if values.shape != present.shape or values.ndim < 2:
        raise ValueError(
            f"values and present have shapes {values.shape!r} and {present.shape!r}; both (voters, items, …)"
        )
    n = np.asarray(np.count_nonzero(present, axis=0), dtype=np.intp)
    n_cut = np.floor(share * n + 1e-9).astype(np.intp)  # a share of 0.3 of 10 is 3, whatever its last bit
    ordered = np.sort(np.where(present, values, np.inf), axis=0)
    places = np.arange(len(values)).reshape(-1, *[1] * (values.ndim - 1))
    kept = (places >= n_cut) & (places < n - n_cut)
    total = np.where(kept, ordered, 0.0).sum(axis=0)
    return Located(values=total / np.maximum(n - 2 * n_cut, 1), defined=n > 0, n=n)
