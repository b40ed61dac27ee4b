"""Kendall's tau-b beside scipy, and its laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from venire.errors import UndefinedStatistic
from venire.stats.kendall_tau import kendall_tau

VALUES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=40)


@given(VALUES)
def test_it_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    first, second = np.array(pairs).T
    if len(set(first)) == 1 or len(set(second)) == 1:
        with pytest.raises(UndefinedStatistic, match="no order"):
            kendall_tau(first, second)
        return

    found = kendall_tau(first, second)

    assert found.tau == pytest.approx(kendalltau(first, second).statistic, abs=1e-12)
    assert found.tau == pytest.approx(kendall_tau(second, first).tau, abs=1e-12)
    assert found.tau == pytest.approx(-kendall_tau(first, -second).tau, abs=1e-12)


def test_one_value_has_no_order() -> None:
    with pytest.raises(UndefinedStatistic, match="at least 2"):
        kendall_tau(np.array([1]), np.array([1]))


def test_what_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="not finite"):
        kendall_tau(np.array([1.0, np.nan]), np.array([1.0, 2.0]))
    with pytest.raises(ValueError, match="shapes"):
        kendall_tau(np.array([1.0]), np.array([1.0, 2.0]))


def test_the_example_of_kendall_1945() -> None:
    """Ten objects with ties, tau-b of Kendall (1945), section 4, as scipy gives it."""
    first = np.array([1, 2.5, 2.5, 4.5, 4.5, 6.5, 6.5, 8, 9.5, 9.5])
    second = np.array([1, 2, 4.5, 4.5, 4.5, 4.5, 8, 8, 8, 10])

    assert kendall_tau(first, second).tau == pytest.approx(0.859, abs=5e-4)
