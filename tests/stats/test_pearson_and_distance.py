"""Pearson's correlations and distances of vectors, against numpy and by their laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.errors import UndefinedStatistic
from venire.stats.pearson_correlations import pearson_correlations
from venire.stats.phi_correlation import phi_correlations
from venire.stats.vector_distance import average_distances, vector_distance


def whole(values: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    return np.ones(values.shape, dtype=np.bool_)


def test_correlations_are_numpys_also_far_from_zero() -> None:
    values = np.random.default_rng(0).normal(size=(5, 200)) + 1e6

    assert pearson_correlations(values, whole(values)).values == pytest.approx(np.corrcoef(values), abs=1e-6)


def test_a_pair_is_correlated_over_the_items_that_it_shares() -> None:
    generator = np.random.default_rng(1)
    values, present = generator.normal(size=(3, 40)), generator.random((3, 40)) < 0.7

    found = pearson_correlations(values, present)

    shared = present[0] & present[2]
    assert found.values[0, 2] == pytest.approx(np.corrcoef(values[0, shared], values[2, shared])[0, 1])
    assert found.n_shared[0, 2] == shared.sum()


def test_of_yes_and_no_it_is_phi() -> None:
    ones = np.random.default_rng(2).random((4, 60)) < 0.4

    found = pearson_correlations(ones.astype(float), whole(ones))

    assert found.values == pytest.approx(phi_correlations(ones, whole(ones)).values)


def test_a_constant_voter_has_no_correlation() -> None:
    values = np.array([[0.1, 0.1, 0.1], [1.0, 2.0, 3.0]])

    assert pearson_correlations(values, whole(values)).defined.tolist() == [[False, False], [False, True]]


def test_the_root_mean_square_is_never_below_the_mean() -> None:
    generator = np.random.default_rng(3)

    found = vector_distance(generator.normal(size=(50, 3)), generator.normal(size=(50, 3)))

    assert found.root_mean_square > found.mean


@given(st.floats(1e-6, 1e300))
def test_distances_grow_with_the_scale_and_do_not_overflow(factor: float) -> None:
    found = average_distances(np.array([3.0, 4.0]) * factor)

    assert found.root_mean_square == pytest.approx(factor * 12.5**0.5)
    assert found.mean == pytest.approx(factor * 3.5)


def test_no_item_has_no_distance() -> None:
    with pytest.raises(UndefinedStatistic, match="no item"):
        vector_distance(np.zeros((0, 2)), np.zeros((0, 2)))
