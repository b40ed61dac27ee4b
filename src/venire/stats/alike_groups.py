"""The cluster bootstrap over groups of which many are alike: the same distribution from far fewer draws."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic

_BLOCK_CELLS = 1_000_000
"""Draws made at once: 8 MB as 64-bit integers, so that memory does not grow with the resamples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlikeGroups:
    """Groups sorted by what they add: of groups that add the same, one stands for all."""

    first: NDArray[np.intp]
    """Shape (n_kinds,): the first group of each kind, ascending."""
    n_alike: NDArray[np.intp]
    """Shape (n_kinds,): how many groups are of this kind."""

    @property
    def n_groups(self) -> int:
        """How many groups there are in all."""
        return int(self.n_alike.sum())


def find_alike(parts: Iterable[NDArray[np.float64]]) -> AlikeGroups:
    """Find the groups that add the same to every statistic.

    Nothing depends on the order of parts or of columns, since kinds are numbered by their first group.

    Args:
        parts: each of shape (n_groups, …): what each group adds to some of the statistics. They are looked at one
            after the other, so that they need not be held together.

    >>> find_alike([np.array([[1.0], [0.0], [1.0]]), np.array([[2.0], [2.0], [2.0]])]).n_alike
    array([2, 1])
    """
    kinds: NDArray[np.intp] | None = None
    first = n_alike = np.zeros(0, dtype=np.intp)
    for part in parts:
        rows = part.reshape(len(part), math.prod(part.shape[1:]))
        if kinds is not None:
            rows = np.column_stack([kinds, rows])
        first, kinds, n_alike = _kinds_of(np.ascontiguousarray(rows, dtype=np.float64))
    return AlikeGroups(first=first, n_alike=n_alike)


def resampled_alike(sums: NDArray[np.float64], alike: AlikeGroups, n_resamples: int, seed: int) -> NDArray[np.float64]:
    """Sum per-group statistics over resamples of groups, drawing how often each kind comes.

    Of n groups drawn with replacement from n, the number of each kind follows a multinomial distribution whose
    probabilities are the kinds' shares; so the sums have the same distribution as those of `resampled_sums`, though
    the same seed gives other draws. The cost grows with the number of kinds, not of groups.

    Args:
        sums: shape (n_groups, …), one of the parts that `alike` was found in.
        seed: of numpy's PCG64; the same seed and kinds give the same resamples for every part.

    Returns:
        Shape (n_resamples, …).

    Raises:
        UndefinedStatistic: there are fewer than 2 groups.

    References:
        Efron and Tibshirani (1993), An introduction to the bootstrap, section 5.5 (resampling vectors).

    >>> sums = np.array([[1.0], [1.0], [1.0]])
    >>> resampled_alike(sums, find_alike([sums]), n_resamples=2, seed=0)
    array([[3.],
           [3.]])
    """
    n_groups = alike.n_groups
    if n_groups < 2:
        raise UndefinedStatistic(f"bootstrap: {n_groups} group; at least 2 are needed to see how groups vary")
    if len(sums) != n_groups:
        raise ValueError(f"sums of {len(sums)} groups, but {n_groups} groups were sorted; give sums of the same groups")
    kept = sums[alike.first]
    flat = kept.reshape(len(kept), math.prod(kept.shape[1:]))
    generator = np.random.Generator(np.random.PCG64(seed))
    rows_at_once = max(1, _BLOCK_CELLS // len(flat))
    blocks = [
        generator.multinomial(n_groups, alike.n_alike / n_groups, size=min(rows_at_once, n_resamples - start)) @ flat
        for start in range(0, n_resamples, rows_at_once)
    ]
    return np.concatenate(blocks).reshape(n_resamples, *sums.shape[1:])


def _kinds_of(rows: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    # Rows are compared as their bytes, which is several times faster than number by number.
    whole = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, kinds, n_alike = np.unique(whole, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return first[order], place[kinds], n_alike[order]
