"""The rule calibrated: the most probable label by a penalised logistic regression on all votes."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes
from venire.errors import UndefinedStatistic
from venire.stats.penalised_logistic import logistic_probabilities, penalised_logistic


def learn_calibration(
    votes: CodedVotes, gold: CodedVotes
) -> Callable[[NDArray[np.intp], NDArray[np.intp]], NDArray[np.float64]]:
    """Make what learns label probabilities from some subjects' gold and gives those of others.

    Use it with a few hundred labels or more: it also learns which labels are frequent, which judges repeat each other,
    and what a missing vote tells. Each label of each judge is a signal of its own; of two labels one tells both.

    Args:
        votes: of the voting judges, sorted by name.
        gold: one rater on the same subjects.

    References:
        le Cessie and van Houwelingen (1992), doi:10.2307/2347628.
    """
    n_labels = len(votes.labels)
    kept = range(1, 2) if n_labels == 2 else range(n_labels)
    signals = np.stack([row == label for row in votes.codes for label in kept], axis=1).astype(np.float64)
    present = np.repeat(votes.present.T, len(kept), axis=1)
    truth = gold.codes[0].astype(np.intp)

    def learn(some: NDArray[np.intp], rest: NDArray[np.intp]) -> NDArray[np.float64]:
        # A label that gold never has, such as "both bad", has no probability.
        labels, known = np.unique(truth[some], return_inverse=True)
        if len(labels) < 2:
            raise UndefinedStatistic(f"all gold to learn from is {votes.labels[int(labels[0])]!r}")
        fit = penalised_logistic(signals[some], present[some], known, len(labels))
        found = np.zeros((len(rest), n_labels))
        found[:, labels] = logistic_probabilities(fit, signals[rest], present[rest])
        return found

    return learn
