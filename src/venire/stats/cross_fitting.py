"""Cross-fitting: what is learned on some groups predicts the others, so that nobody marks their own work."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic

N_FOLDS = 5

FitAndPredict = Callable[[NDArray[np.intp], NDArray[np.intp]], NDArray[np.float64]]
"""Learns on the items of the first array and predicts those of the second, one row for each."""


def assign_folds(groups: NDArray[np.number], *, n_folds: int = N_FOLDS, seed: int = 0) -> NDArray[np.intp]:
    """Deal whole groups to folds of about equally many items.

    Use it for every split by group: items of one group (answers to one question) never stand on both sides. Groups are
    shuffled, then dealt from the largest to the smallest, each to the fold with the fewest items. The order of items
    changes nothing; the names of groups enter by their order.

    Args:
        groups: shape (n_items,): the number of each item's group.
        n_folds: at least 2.
        seed: of the shuffle, numpy's PCG64.

    Returns:
        Shape (n_items,): each item's fold, 0 … n_folds − 1, none of them empty.

    Raises:
        UndefinedStatistic: there are fewer groups than folds.
        ValueError: n_folds is below 2.

    References:
        Stone (1974), Cross-validatory choice and assessment of statistical predictions,
        doi:10.1111/j.2517-6161.1974.tb00994.x.

    A group of three items, one of two, and one of one:

    >>> np.bincount(assign_folds(np.array([7, 7, 7, 8, 8, 9]), n_folds=2)).tolist()
    [3, 3]
    """
    if n_folds < 2:
        raise ValueError(f"n_folds is {n_folds!r}; at least 2 are needed, one to learn on and one to predict")
    names, number_of, counts = np.unique(groups, return_inverse=True, return_counts=True)
    if len(names) < n_folds:
        raise UndefinedStatistic(
            f"cross-fitting: {len(names)} groups cannot fill {n_folds} folds; take fewer folds or more groups"
        )
    shuffled = np.random.Generator(np.random.PCG64(seed)).permutation(len(names))
    fold_of_group = np.empty(len(names), dtype=np.intp)
    n_items = np.zeros(n_folds, dtype=np.intp)
    for group in shuffled[np.argsort(-counts[shuffled], kind="stable")]:
        fold = int(n_items.argmin())
        fold_of_group[group] = fold
        n_items[fold] += counts[group]
    return fold_of_group[number_of]


def cross_fit(folds: NDArray[np.intp], fit_and_predict: FitAndPredict) -> NDArray[np.float64]:
    """Predict every item by what was learned on the other folds.

    Use it for any combiner or threshold that is learned from true labels and then judged by the same labels.

    Args:
        folds: shape (n_items,), from `assign_folds`.
        fit_and_predict: is given the items to learn on and the items to predict, in ascending order.

    Returns:
        Shape (n_items, …): the predictions, in the order of the items.

    Raises:
        UndefinedStatistic: there are fewer than two folds, or what learns raises it.
        ValueError: a fold's predictions are not one row for each of its items.

    References:
        Stone (1974), as above; Wolpert (1992), Stacked generalization, doi:10.1016/S0893-6080(05)80023-1.

    The mean of the other folds:

    >>> values = np.array([1.0, 2.0, 6.0])
    >>> cross_fit(np.array([0, 1, 2]), lambda learn, test: np.full(len(test), values[learn].mean())).tolist()
    [4.0, 3.5, 1.5]
    """
    names = np.unique(folds)
    if len(names) < 2:
        raise UndefinedStatistic(f"cross-fitting: {len(names)} fold; at least two are needed")
    parts = []
    for fold in names:
        test = np.flatnonzero(folds == fold)
        predicted = np.asarray(fit_and_predict(np.flatnonzero(folds != fold), test), dtype=np.float64)
        if predicted.shape[:1] != test.shape:
            raise ValueError(f"fold {fold}: predictions have shape {predicted.shape!r} for {len(test)} items")
        parts.append((test, predicted))
    result = np.empty((len(folds), *parts[0][1].shape[1:]))
    for test, predicted in parts:
        result[test] = predicted
    return result
