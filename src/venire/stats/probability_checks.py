"""Probabilities beside true labels, checked before anything is computed of them."""

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic

_SLACK = 1e-6


def check_probabilities(
    probabilities: NDArray[np.float64], labels: NDArray[np.number], statistic: str
) -> NDArray[np.intp]:
    """The true labels as indices, once rows are known to be probabilities and labels to be labels.

    Args:
        probabilities: shape (n_items, n_labels).
        labels: shape (n_items,).
        statistic: its name, for the messages.

    Raises:
        UndefinedStatistic: there is no item.
        ValueError: shapes differ, a row is no distribution, or a label is no label.

    >>> check_probabilities(np.array([[0.4, 0.6]]), np.array([1.0]), "a score").tolist()
    [1]
    """
    if probabilities.ndim != 2 or labels.shape != probabilities.shape[:1]:
        raise ValueError(
            f"{statistic}: probabilities and labels have shapes {probabilities.shape!r} and {labels.shape!r}; "
            "(n_items, n_labels) and (n_items,) were expected"
        )
    if len(labels) == 0:
        raise UndefinedStatistic(f"{statistic}: there is no item with a true label")
    sums = probabilities.sum(axis=1)
    bad = ~((probabilities >= 0).all(axis=1) & (np.abs(sums - 1.0) <= _SLACK))
    if bool(bad.any()):
        item = int(np.flatnonzero(bad)[0])
        row = probabilities[item].tolist()
        raise ValueError(f"{statistic}: item {item} has {row!r}; numbers of 0 or above that sum to 1 were expected")
    n_labels = probabilities.shape[1]
    if not bool(((labels >= 0) & (labels < n_labels) & (labels == np.floor(labels))).all()):
        raise ValueError(f"{statistic}: a true label is not one of 0 … {n_labels - 1}; leave unlabelled items out")
    return labels.astype(np.intp)
