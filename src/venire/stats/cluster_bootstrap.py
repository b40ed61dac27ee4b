"""The cluster bootstrap: intervals for figures whose observations come in groups."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic

_BLOCK_CELLS = 1_000_000
"""Draws made at once: 8 MB as 64-bit integers, so that memory does not grow with the resamples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapInterval:
    """A percentile interval over resamples."""

    low: float
    high: float
    level: float
    n_resamples: int
    n_undefined: int
    """Resamples in which the figure had no value; the interval is over the others."""

    @property
    def is_degenerate(self) -> bool:
        """Whether all resamples say the same: a width of zero speaks of the data's poverty, not of certainty."""
        return math.isclose(self.low, self.high, rel_tol=1e-12, abs_tol=1e-12)


def group_weights(n_groups: int, n_resamples: int, seed: int) -> NDArray[np.int16]:
    """Draw how often each group enters each resample of as many groups, with replacement.

    Use it with sums per group: weights @ sums are the sums of the resamples, as `resampled_sums` computes them.

    Args:
        seed: of numpy's PCG64; the same seed gives the same weights.

    Returns:
        Shape (n_resamples, n_groups), every row summing to n_groups (a multinomial draw).

    Raises:
        UndefinedStatistic: there are fewer than 2 groups, which cannot vary.

    References:
        Field and Welsh (2007), Bootstrapping clustered data, doi:10.1111/j.1467-9868.2007.00593.x.
    """
    blocks = _weight_blocks(n_groups, n_resamples, seed)
    weights = np.empty((n_resamples, n_groups), dtype=np.int16)
    start = 0
    for block in blocks:
        weights[start : start + len(block)] = block
        start += len(block)
    return weights


def resampled_sums(sums: NDArray[np.number], n_resamples: int, seed: int) -> NDArray[np.float64]:
    """Sum per-group statistics over every resample of groups, block by block.

    Args:
        sums: shape (n_groups, …): what each group adds, such as its part of a confusion table.

    Returns:
        Shape (n_resamples, …): equal to `group_weights(…) @ sums`, in bounded memory.

    Raises:
        UndefinedStatistic: there are fewer than 2 groups.

    Groups of one observation, all successes: every resample has 3 of 3.

    >>> resampled_sums(np.array([[1, 1], [1, 1], [1, 1]]), n_resamples=2, seed=0)
    array([[3., 3.],
           [3., 3.]])
    """
    flat = sums.reshape(len(sums), math.prod(sums.shape[1:])).astype(np.float64)
    blocks = [block.astype(np.float64) @ flat for block in _weight_blocks(len(flat), n_resamples, seed)]
    return np.concatenate(blocks).reshape(n_resamples, *sums.shape[1:])


def percentile_interval(
    values: NDArray[np.float64], defined: NDArray[np.bool_], level: float = 0.95
) -> BootstrapInterval:
    """Cut equal shares off both ends of the resampled values.

    Args:
        values: shape (n_resamples,), one figure for each resample.
        defined: shape (n_resamples,): where the figure has a value.
        level: the confidence level, between 0 and 1.

    Returns:
        The interval, with the number of resamples that had no value.

    Raises:
        UndefinedStatistic: no resample has a value.
        ValueError: level is outside (0, 1).

    References:
        Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 13.

    >>> interval = percentile_interval(np.arange(101.0), np.ones(101, dtype=bool), level=0.9)
    >>> round(interval.low, 9), round(interval.high, 9)
    (5.0, 95.0)
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level!r}; it must lie between 0 and 1, such as 0.95")
    kept = values[defined]
    if len(kept) == 0:
        raise UndefinedStatistic(f"bootstrap: the figure has no value in any of {len(values)} resamples")
    low, high = np.quantile(kept, [(1 - level) / 2, (1 + level) / 2])
    return BootstrapInterval(
        low=float(low), high=float(high), level=level, n_resamples=len(values), n_undefined=len(values) - len(kept)
    )


def _weight_blocks(n_groups: int, n_resamples: int, seed: int) -> Iterator[NDArray[np.int16]]:
    if n_groups < 2:
        raise UndefinedStatistic(f"bootstrap: {n_groups} group; at least 2 are needed to see how groups vary")
    if n_resamples < 1:
        raise ValueError(f"n_resamples is {n_resamples!r}; there must be at least one")
    generator = np.random.Generator(np.random.PCG64(seed))
    rows_at_once = max(1, _BLOCK_CELLS // n_groups)
    for start in range(0, n_resamples, rows_at_once):
        n_rows = min(rows_at_once, n_resamples - start)
        drawn = generator.integers(0, n_groups, size=(n_rows, n_groups))
        drawn += np.arange(n_rows)[:, None] * n_groups
        counts = np.bincount(drawn.ravel(), minlength=n_rows * n_groups)
        # A count above 32,767 would take a group drawn more often than chance ever gives.
        yield counts.reshape(n_rows, n_groups).astype(np.int16)
