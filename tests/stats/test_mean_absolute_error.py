"""Mean absolute error against scikit-learn, and where it is undefined."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics  # type: ignore[import-untyped]

from venire.errors import UndefinedStatistic
from venire.stats.mean_absolute_error import mean_absolute_error

numbers = st.floats(-100, 100)


@given(pairs=st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
def test_the_loss_is_that_of_scikit_learn(pairs: list[tuple[float, float]]) -> None:
    a, b = np.array(pairs).T

    assert mean_absolute_error(a, b).loss == pytest.approx(metrics.mean_absolute_error(a, b))


def test_the_loss_of_nothing_is_undefined() -> None:
    with pytest.raises(UndefinedStatistic, match="no subject"):
        mean_absolute_error(np.array([]), np.array([]))


def test_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="shapes"):
        mean_absolute_error(np.zeros(2), np.zeros(3))
