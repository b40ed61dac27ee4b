"""Log loss: what the probabilities given to the true labels cost, in nats."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic
from venire.stats.probability_checks import check_probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLoss:
    """The mean loss and what it is made of."""

    loss: float
    """In nats; log(n_labels) for equal probabilities."""
    losses: NDArray[np.float64]
    """Shape (n_items,): each item's own, to be summed by group where an interval is wanted."""
    n: int


def log_loss(probabilities: NDArray[np.float64], labels: NDArray[np.number]) -> LogLoss:
    """Measure how surprised the probabilities are by the true labels: the mean of −log p(true label).

    Use it to compare combiners that give probabilities: only the true probabilities make it smallest, and a single
    confident mistake costs much. For a score that stays bounded take Brier's.

    Args:
        probabilities: shape (n_items, n_labels), each row summing to 1.
        labels: shape (n_items,), the true labels, 0 … n_labels − 1.

    Returns:
        The mean in [0, ∞), lower is better, with every item's loss.

    Raises:
        UndefinedStatistic: there is no item, or a true label was given probability 0 (its loss is infinite).
        ValueError: rows are no probabilities, or a label is no label.

    References:
        Good (1952), Rational decisions, doi:10.1111/j.2517-6161.1952.tb00104.x.
        Gneiting and Raftery (2007), Strictly proper scoring rules, doi:10.1198/016214506000001437.

    >>> round(log_loss(np.array([[0.5, 0.5], [0.25, 0.75]]), np.array([0, 1])).loss, 4)
    0.4904
    """
    truth = check_probabilities(probabilities, labels, "log loss")
    given = probabilities[np.arange(len(truth)), truth]
    if bool((given <= 0).any()):
        item = int(np.flatnonzero(given <= 0)[0])
        raise UndefinedStatistic(f"log loss: item {item} has label {truth[item]}, which was given probability 0")
    losses = -np.log(given)
    return LogLoss(loss=float(losses.mean()), losses=losses, n=len(truth))
