"""Reliability weights: the log odds of a voter being right, learned where the truth is known."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic

PSEUDO_ITEMS = 10.0
"""Items at the voter's overall accuracy that are added to each category before its own accuracy is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityWeights:
    """What each voter's vote weighs."""

    weights: NDArray[np.float64]
    """Shape (n_voters,), or (n_voters, n_categories): 0 for a voter at chance, below 0 for one that is worse."""
    accuracy: NDArray[np.float64]
    """The same shape: smoothed, so never 0 or 1."""
    n: NDArray[np.intp]
    """The same shape: items on which the voter was compared with the truth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedVotes:
    """The weight that each label holds."""

    held: NDArray[np.float64]
    """Shape (n_labels, n_items): the largest is the weighted plurality's label."""
    defined: NDArray[np.bool_]
    """Shape (n_items,): False where nobody voted."""


def reliability_weights(
    codes: NDArray[np.number], present: NDArray[np.bool_], truth: NDArray[np.number], n_labels: int
) -> ReliabilityWeights:
    """Weigh voters by log((K − 1) p / (1 − p)), with p the share of right votes.

    Use it where some items have a true label and voters differ in quality; learn on those, vote on others. It is the
    best weighting for independent voters whose errors fall evenly on the other labels. One right vote per K and the
    wrong ones to match are added to each count (p = (right + 1) / (n + K)): a voter never seen is at chance, weight 0.

    Args:
        codes: shape (n_voters, n_items), labels 0 … n_labels − 1 where `present`.
        present: the same shape.
        truth: shape (n_items,), the true labels of these items.
        n_labels: K, at least 2.

    Returns:
        A weight for each voter.

    Raises:
        UndefinedStatistic: there is no item with a true label.
        ValueError: shapes differ, there are fewer than two labels, or a true label is no label.

    References:
        Nitzan and Paroush (1982), Optimal decision rules in uncertain dichotomous choice situations,
        doi:10.2307/2526438. Grofman, Owen and Feld (1983), Thirteen theorems in search of the truth,
        doi:10.1007/BF00125672. More than two labels: Li and Yu (2014), arXiv:1411.4086.

    One voter is right four times of four, (4 + 1) / (4 + 2); the other twice, which is chance:

    >>> votes, truth = np.array([[0, 1, 0, 1], [0, 1, 1, 0]]), np.array([0, 1, 0, 1])
    >>> reliability_weights(votes, np.ones(votes.shape, dtype=bool), truth, n_labels=2).weights.round(3).tolist()
    [1.609, 0.0]
    """
    right, n = _count(codes, present, truth, n_labels)
    accuracy = (right + 1.0) / (n + n_labels)
    return ReliabilityWeights(weights=_log_odds(accuracy, n_labels), accuracy=accuracy, n=n.astype(np.intp))


def reliability_weights_by_category(
    codes: NDArray[np.number],
    present: NDArray[np.bool_],
    truth: NDArray[np.number],
    categories: NDArray[np.intp],
    sizes: tuple[int, int],
    *,
    pseudo_items: float = PSEUDO_ITEMS,
) -> ReliabilityWeights:
    """Weigh voters by their accuracy in each category, drawn towards their overall one where a category has few items.

    Use it where a voter may be good at one kind of item and bad at another. The accuracy of a category is
    (right + m p) / (n + m): with n = m items it lies half way between the category's own and p, the overall one.

    Args:
        codes, present, truth: as in `reliability_weights`.
        categories: shape (n_items,), 0 … n_categories − 1.
        sizes: n_labels and n_categories.
        pseudo_items: m, above 0.

    Returns:
        Weights of shape (n_voters, n_categories): a category without items has the overall ones.

    Raises:
        UndefinedStatistic: there is no item with a true label.
        ValueError: as in `reliability_weights`; a category is outside its range, or m is not above 0.

    >>> votes, truth = np.array([[0, 0, 1, 1]]), np.array([0, 0, 0, 0])
    >>> found = reliability_weights_by_category(
    ...     votes, np.ones((1, 4), dtype=bool), truth, np.array([0, 0, 1, 1]), (2, 3), pseudo_items=2.0)
    >>> found.accuracy.round(3).tolist()
    [[0.75, 0.25, 0.5]]
    """
    n_labels, n_categories = sizes
    if not pseudo_items > 0:
        raise ValueError(f"pseudo_items is {pseudo_items!r}; a number above 0 was expected")
    if categories.shape != truth.shape or not bool(((categories >= 0) & (categories < n_categories)).all()):
        raise ValueError(f"categories must be one of 0 … {n_categories - 1} for each of {len(truth)} items")
    overall = reliability_weights(codes, present, truth, n_labels).accuracy
    accuracy = np.empty((len(codes), n_categories))
    n = np.empty(accuracy.shape, dtype=np.intp)
    for category in range(n_categories):
        held = categories == category
        seen = present[:, held]
        n[:, category] = seen.sum(axis=1)
        right = (seen & (codes[:, held] == truth[held])).sum(axis=1)
        accuracy[:, category] = (right + pseudo_items * overall) / (n[:, category] + pseudo_items)
    return ReliabilityWeights(weights=_log_odds(accuracy, n_labels), accuracy=accuracy, n=n)


def weighted_plurality(
    codes: NDArray[np.number], present: NDArray[np.bool_], weights: NDArray[np.float64], n_labels: int
) -> WeightedVotes:
    """Sum the weights of the votes that each label has.

    With log-odds weights the sums are, up to a constant, the log probabilities of the labels where all are equally
    likely beforehand. A weight below 0 counts against the label voted for.

    Args:
        codes, present: shape (n_voters, n_items).
        weights: shape (n_voters,), or (n_voters, n_items) where they differ by item.

    Returns:
        Sums by label. Equal ones are a tie, for the caller to settle.

    Raises:
        ValueError: the shapes differ.

    >>> votes = np.array([[0], [1], [1]])
    >>> weighted_plurality(votes, np.ones((3, 1), dtype=bool), np.array([3.0, 1.0, 1.0]), n_labels=2).held.tolist()
    [[3.0], [2.0]]
    """
    if codes.shape != present.shape or weights.shape not in (codes.shape, codes.shape[:1]):
        raise ValueError(f"shapes are {codes.shape!r}, {present.shape!r} and weights {weights.shape!r}")
    spread = weights if weights.shape == codes.shape else weights[:, None]
    # Sorted before adding: the same bits in any order of voters.
    held = np.stack(
        [np.sort(np.where(present & (codes == label), spread, 0.0), axis=0).sum(axis=0) for label in range(n_labels)]
    )
    return WeightedVotes(held=held, defined=np.asarray(present.any(axis=0), dtype=np.bool_))


def _count(
    codes: NDArray[np.number], present: NDArray[np.bool_], truth: NDArray[np.number], n_labels: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Right votes and all votes of each voter."""
    if codes.shape != present.shape or codes.ndim != 2 or truth.shape != codes.shape[1:]:
        raise ValueError(f"shapes are {codes.shape!r}, {present.shape!r} and truth {truth.shape!r}")
    if n_labels < 2:
        raise ValueError(f"n_labels is {n_labels!r}; a choice has at least two")
    if len(truth) == 0:
        raise UndefinedStatistic("reliability weights: there is no item with a true label to learn from")
    if not bool(((truth >= 0) & (truth < n_labels) & (truth == np.floor(truth))).all()):
        raise ValueError(f"a true label is not one of 0 … {n_labels - 1}; leave unlabelled items out")
    return (present & (codes == truth)).sum(axis=1), present.sum(axis=1)


def _log_odds(accuracy: NDArray[np.float64], n_labels: int) -> NDArray[np.float64]:
    return np.asarray(np.log(accuracy) - np.log1p(-accuracy) + np.log(n_labels - 1), dtype=np.float64)
