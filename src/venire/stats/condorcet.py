"""Condorcet's ideal: how often a majority of independent voters with these accuracies would be right."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class CondorcetIdeal:
    """The ideal and what it is averaged of."""

    accuracy: float
    by_label: tuple[float, ...]
    """Where label k is true, k = 0, 1, …"""
    n_voters: int


def majority_accuracy(accuracies: Sequence[float] | NDArray[np.float64]) -> float:
    """Compute the chance that more than half of independent voters are right; an even split counts half.

    Use it for one true label. The number of right votes is Poisson-binomial; its distribution is built voter by voter,
    exactly but for rounding.

    Args:
        accuracies: each voter's chance of being right.

    Returns:
        A probability.

    Raises:
        ValueError: there is no voter, or an accuracy is outside [0, 1].

    References:
        Condorcet (1785), Essai sur l'application de l'analyse à la probabilité des décisions.
        Grofman, Owen and Feld (1983), Thirteen theorems in search of the truth, doi:10.1007/BF00125672.
        Hong (2013), On computing the distribution function for the Poisson binomial distribution,
        doi:10.1016/j.csda.2012.10.006.

    Three voters who are right in 60 % of cases: 0.6³ + 3 · 0.6² · 0.4.

    >>> round(majority_accuracy([0.6, 0.6, 0.6]), 9)
    0.648
    """
    chances = np.asarray(accuracies, dtype=np.float64)
    if chances.ndim != 1 or len(chances) == 0:
        raise ValueError(f"accuracies have shape {chances.shape!r}; one number for each of one voter or more")
    if not bool(((chances >= 0) & (chances <= 1)).all()):
        raise ValueError(f"accuracies are {chances.tolist()!r}; each must lie in [0, 1]")
    n_right = np.ones(1)  # how likely 0, 1, … right votes are, before anybody voted
    for chance in np.sort(chances):  # sorted: the same bits in any order of voters
        n_right = np.convolve(n_right, [1.0 - chance, chance])
    n_voters = len(chances)
    above = float(n_right[n_voters // 2 + 1 :].sum())
    even = float(n_right[n_voters // 2]) if n_voters % 2 == 0 else 0.0
    return min(1.0, above + even / 2)


def condorcet_ideal(accuracies: NDArray[np.float64], prevalence: NDArray[np.float64]) -> CondorcetIdeal:
    """Average the majority's accuracy over the true labels, by how common they are.

    Use it beside a panel's real accuracy: the gap is what erring together costs. Accuracies go by true label because a
    voter may be good at one and bad at another. With more than two labels a majority of right votes is more than a
    plurality needs, so that the ideal is then a lower bound.

    Args:
        accuracies: shape (n_voters, n_labels): each voter's share of right votes where label k is true. Leave out
            labels that are never true.
        prevalence: shape (n_labels,): the share of items whose true label is k; sums to 1.

    Returns:
        The ideal, overall and by label.

    Raises:
        ValueError: the shapes differ, or shares lie outside [0, 1] or do not sum to 1.

    Always "yes" and always "no" are right by turns; a third voter, right in 80 %, decides:

    >>> ideal = condorcet_ideal(np.array([[0.0, 1.0], [1.0, 0.0], [0.8, 0.8]]), np.array([0.5, 0.5]))
    >>> round(ideal.accuracy, 9)
    0.8
    """
    if accuracies.ndim != 2 or prevalence.shape != accuracies.shape[1:]:
        raise ValueError(
            f"accuracies and prevalence have shapes {accuracies.shape!r} and {prevalence.shape!r}; "
            "(n_voters, n_labels) and (n_labels,) were expected"
        )
    if not (bool((prevalence >= 0).all()) and abs(float(prevalence.sum()) - 1.0) <= 1e-9):
        raise ValueError(f"prevalence is {prevalence.tolist()!r}; shares that sum to 1 were expected")
    by_label = tuple(majority_accuracy(accuracies[:, label]) for label in range(len(prevalence)))
    return CondorcetIdeal(accuracy=float(np.dot(by_label, prevalence)), by_label=by_label, n_voters=accuracies.shape[0])
