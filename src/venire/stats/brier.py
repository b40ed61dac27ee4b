"""The Brier score: the squared distance of probabilities from what turned out to be true."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.stats.probability_checks import check_probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Brier:
    """The mean loss and what it is made of."""

    loss: float
    """In [0, 2]: summed over all labels, as Brier wrote it. With two labels the halved form is also common."""
    losses: NDArray[np.float64]
    """Shape (n_items,): each item's own, to be summed by group where an interval is wanted."""
    n: int


def brier(probabilities: NDArray[np.float64], labels: NDArray[np.number]) -> Brier:
    """Measure Σ_k (p_k − 1[k is true])², averaged over items.

    Use it to compare combiners that give probabilities: like log loss it is smallest for the true probabilities, but
    one confident mistake costs 2 at most.

    Args:
        probabilities: shape (n_items, n_labels), each row summing to 1.
        labels: shape (n_items,), the true labels, 0 … n_labels − 1.

    Returns:
        The mean in [0, 2], lower is better, with every item's loss.

    Raises:
        UndefinedStatistic: there is no item.
        ValueError: rows are no probabilities, or a label is no label.

    References:
        Brier (1950), Verification of forecasts expressed in terms of probability,
        doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    Rain was forecast at 0.7 and at 0.3; it rained both times:

    >>> round(brier(np.array([[0.3, 0.7], [0.7, 0.3]]), np.array([1, 1])).loss, 2)
    0.58
    """
    truth = check_probabilities(probabilities, labels, "Brier score")
    losses = np.square(probabilities).sum(axis=1) + 1.0 - 2.0 * probabilities[np.arange(len(truth)), truth]
    losses = np.maximum(losses, 0.0)  # rounding may leave a hair below
    return Brier(loss=float(losses.mean()), losses=losses, n=len(truth))
