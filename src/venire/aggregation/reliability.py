"""The rule reliability: every vote weighs the log odds of its judge being right."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes
from venire.stats.reliability_weights import (
    reliability_weights,
    reliability_weights_by_category,
    weighted_plurality,
)

NO_CATEGORY = "no category"


def learn_reliability(
    votes: CodedVotes, gold: CodedVotes, categories: Sequence[str | None] | None
) -> Callable[[NDArray[np.intp], NDArray[np.intp]], NDArray[np.float64]]:
    """Make what learns weights from some subjects' gold and weighs the labels of others.

    Use it where judges differ in quality and err apart. The weight of a judge below chance is negative: its vote for a
    label speaks for the others.

    Args:
        votes: of the voting judges, sorted by name.
        gold: one rater on the same subjects.
        categories: of each subject, for weights by category; None: one weight for each judge.

    References:
        Nitzan and Paroush (1982), doi:10.2307/2526438.
    """
    codes, present, truth = votes.codes, votes.present, gold.codes[0]
    n_labels = len(votes.labels)
    names = sorted({category or NO_CATEGORY for category in categories or ()})
    places = {name: number for number, name in enumerate(names)}
    kinds = np.array([places[category or NO_CATEGORY] for category in categories or ()], dtype=np.intp)

    def learn(some: NDArray[np.intp], rest: NDArray[np.intp]) -> NDArray[np.float64]:
        known = codes[:, some], present[:, some], truth[some]
        if categories is None:
            weights = reliability_weights(*known, n_labels).weights
        else:
            found = reliability_weights_by_category(*known, kinds[some], (n_labels, len(names)))
            weights = found.weights[:, kinds[rest]]
        sums = weighted_plurality(codes[:, rest], present[:, rest], weights, n_labels).held.T
        # Sums may be negative: as probabilities, of labels that are equally likely beforehand, they keep their order.
        chances = np.exp(sums - sums.max(axis=1, keepdims=True))
        return np.asarray(chances / chances.sum(axis=1, keepdims=True), dtype=np.float64)

    return learn
