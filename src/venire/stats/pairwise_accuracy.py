"""Pairwise accuracy with calibrated ties: how often scores order two things as people do, ties counted fairly."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic


@dataclass(frozen=True, slots=True, kw_only=True)
class PairwiseAccuracy:
    """The accuracy at the best tie threshold."""

    accuracy: float
    threshold: float
    """Scores that differ by no more are called a tie."""
    without_threshold: float
    """Where only equal scores are a tie."""
    n_pairs: int


def pairwise_accuracy(scores: NDArray[np.float64], gold: NDArray[np.float64]) -> PairwiseAccuracy:
    """Find the share of pairs ordered as in gold, with the tie threshold that makes it largest.

    Use it to compare judges whose scores tie often with judges whose never do: Kendall's tau punishes whichever ties
    less like gold. The threshold is fitted on the same pairs, which flatters it a little; with many pairs very little.

    Args:
        scores, gold: shape (n,), finite.

    Returns:
        Accuracy in [0, 1].

    Raises:
        UndefinedStatistic: fewer than 2 values.
        ValueError: shapes differ, or a value is not finite.

    References:
        Deutsch, Foster and Freitag (2023), Ties matter, arXiv:2305.14324.

    Gold ties the last two, whose scores are close:

    >>> found = pairwise_accuracy(np.array([0.1, 0.8, 0.9]), np.array([1.0, 2.0, 2.0]))
    >>> found.accuracy, round(found.without_threshold, 3)
    (1.0, 0.667)
    """
    if scores.shape != gold.shape or scores.ndim != 1:
        raise ValueError(f"shapes {scores.shape!r} and {gold.shape!r}; both must be (n,)")
    if not bool(np.isfinite(scores).all() and np.isfinite(gold).all()):
        raise ValueError("a value is not finite; leave missing ones out")
    if len(scores) < 2:
        raise UndefinedStatistic(f"pairwise accuracy: {len(scores)} value; at least 2 make a pair")
    one, other = np.triu_indices(len(scores), 1)
    ours, theirs = scores[one] - scores[other], gold[one] - gold[other]
    order = np.argsort(np.abs(ours), kind="stable")
    gap = np.abs(ours)[order]
    tied, same = (theirs == 0)[order], ((np.sign(ours) == np.sign(theirs)) & (theirs != 0))[order]
    # With the k closest pairs called ties: gold's ties among them are right, and the order of the others.
    right = np.concatenate([[0], np.cumsum(tied)]) + np.concatenate([np.cumsum(same[::-1])[::-1], [0]])
    ends = np.concatenate([[0], np.flatnonzero(np.diff(gap, append=np.inf) > 0) + 1])
    if gap[0] == 0.0:
        ends = ends[1:]  # equal scores cannot be told apart by any threshold
    best = int(ends[np.argmax(right[ends])])
    plain = int(ends[0]) if gap[0] == 0.0 else 0
    return PairwiseAccuracy(
        accuracy=float(right[best]) / len(gap),
        threshold=float(gap[best - 1]) if best else 0.0,
        without_threshold=float(right[plain]) / len(gap),
        n_pairs=len(gap),
    )
