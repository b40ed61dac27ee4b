"""The weighted median: numpy's median of repeated values, and what has no weight."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.stats.weighted_median import weighted_median


@given(
    seed=st.integers(0, 10_000),
    times=st.lists(st.integers(0, 4), min_size=1, max_size=6),
    factor=st.sampled_from([1.0, 0.1, 1 / 3, 1e-200, 1e200]),
)
def test_whole_weights_are_repetitions(seed: int, times: list[int], factor: float) -> None:
    generator = np.random.default_rng(seed)
    values = generator.integers(-3, 4, (len(times), 5)).astype(np.float64)
    present = generator.random(values.shape) < 0.8

    found = weighted_median(values, present, factor * np.array(times))

    for item in range(5):
        repeated = np.repeat(values[:, item], np.where(present[:, item], times, 0))
        assert found.defined[item] == (len(repeated) > 0)
        if len(repeated):
            assert found.values[item] == np.median(repeated)


def test_half_of_the_weight_on_each_side_gives_the_middle() -> None:
    values = np.array([[0.0], [1.0], [4.0]])

    assert weighted_median(values, np.ones((3, 1), dtype=bool), np.array([0.1, 0.2, 0.3])).values.tolist() == [2.5]


@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [1.0, np.nan]])
def test_weights_that_are_no_weights_are_refused(weights: list[float]) -> None:
    with pytest.raises(ValueError, match="weights"):
        weighted_median(np.zeros((2, 1)), np.ones((2, 1), dtype=bool), np.array(weights))


def test_the_middle_of_the_largest_numbers_is_a_number() -> None:
    values = np.array([[-1.7e308], [1.7e308]])

    assert weighted_median(values, np.ones((2, 1), dtype=bool), np.ones(2)).values.tolist() == [0.0]
