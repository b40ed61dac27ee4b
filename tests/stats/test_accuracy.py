"""Accuracy: exact agreement, with its numerator."""

import numpy as np
import pytest

from venire.errors import UndefinedStatistic
from venire.stats.accuracy import Accuracy, accuracy


def test_accuracy_is_the_share_of_equal_labels() -> None:
    assert accuracy(np.array([0, 1, 2]), np.array([0, 1, 1])) == Accuracy(accuracy=2 / 3, n_agreeing=2, n=3)


def test_constant_labels_agree_fully() -> None:
    """Fault F22: raw agreement 1.0, n = 4 is shown beside the undefined kappa."""
    assert accuracy(np.zeros(4), np.zeros(4)) == Accuracy(accuracy=1.0, n_agreeing=4, n=4)


def test_accuracy_of_nothing_is_undefined() -> None:
    with pytest.raises(UndefinedStatistic, match="no subject"):
        accuracy(np.array([]), np.array([]))


def test_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="shapes"):
        accuracy(np.zeros(2), np.zeros(3))
