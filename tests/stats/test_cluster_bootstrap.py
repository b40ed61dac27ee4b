"""The cluster bootstrap: seeded multinomial weights over groups, and percentile intervals."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.errors import UndefinedStatistic
from venire.stats.cluster_bootstrap import group_weights, percentile_interval, resampled_sums


@given(n_groups=st.integers(2, 50), n_resamples=st.integers(1, 50), seed=st.integers(0, 2**32))
def test_every_resample_draws_as_many_groups_as_there_are(n_groups: int, n_resamples: int, seed: int) -> None:
    weights = group_weights(n_groups, n_resamples, seed)

    assert weights.shape == (n_resamples, n_groups)
    assert (weights.sum(axis=1) == n_groups).all()
    assert (weights >= 0).all()


def test_the_seed_decides_the_weights() -> None:
    same = group_weights(20, 10, seed=7)

    assert (group_weights(20, 10, seed=7) == same).all()
    assert (group_weights(20, 10, seed=8) != same).any()


def test_the_weights_are_the_same_for_ever() -> None:
    """Golden: made by this function with numpy's PCG64, so that a stored report can be made again."""
    assert group_weights(4, 3, seed=0).tolist() == [[0, 1, 2, 1], [3, 1, 0, 0], [1, 0, 1, 2]]


def test_sums_over_blocks_are_those_of_the_whole_weights() -> None:
    sums = np.random.Generator(np.random.PCG64(1)).integers(0, 5, size=(3000, 2, 2))

    blockwise = resampled_sums(sums, n_resamples=700, seed=3)

    whole = group_weights(3000, 700, seed=3).astype(float) @ sums.reshape(3000, 4)
    assert blockwise == pytest.approx(whole.reshape(700, 2, 2))


def test_the_spread_of_resampled_means_is_the_standard_error() -> None:
    """Efron and Tibshirani (1993), equation 5.12: the ideal bootstrap error of a mean is sigma / sqrt(n)."""
    values = np.random.Generator(np.random.PCG64(5)).normal(size=400)

    means = resampled_sums(values[:, None], n_resamples=4000, seed=2)[:, 0] / 400

    assert means.std() == pytest.approx(values.std() / 20, rel=0.05)


def test_groups_of_equal_members_vary_as_groups_not_as_members() -> None:
    """Ten groups of 100 equal observations: the error is that of 10 observations, not of 1,000."""
    sums = np.repeat([0.0, 100.0], 5)[:, None]

    shares = resampled_sums(sums, n_resamples=4000, seed=2)[:, 0] / 1000

    assert shares.std() == pytest.approx(0.5 / np.sqrt(10), rel=0.05)


def test_memory_does_not_grow_with_the_resamples() -> None:
    tracemalloc.start()
    resampled_sums(np.ones((10_000, 9)), n_resamples=2_000, seed=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 100e6


@pytest.mark.parametrize("n_groups", [0, 1])
def test_fewer_than_two_groups_are_undefined(n_groups: int) -> None:
    with pytest.raises(UndefinedStatistic, match="at least 2"):
        resampled_sums(np.ones((n_groups, 3)), n_resamples=10, seed=0)


def test_the_interval_leaves_undefined_resamples_out_and_counts_them() -> None:
    values = np.array([1.0, 2.0, 3.0, -999.0])

    interval = percentile_interval(values, np.array([True, True, True, False]), level=0.5)

    assert (interval.low, interval.high) == (1.5, 2.5)
    assert (interval.n_resamples, interval.n_undefined) == (4, 1)


def test_an_interval_without_width_is_flagged() -> None:
    flat = percentile_interval(np.ones(10), np.ones(10, dtype=bool))
    wide = percentile_interval(np.arange(10.0), np.ones(10, dtype=bool))

    assert flat.is_degenerate
    assert not wide.is_degenerate


def test_no_defined_resample_is_undefined() -> None:
    with pytest.raises(UndefinedStatistic, match="no value in any of 3"):
        percentile_interval(np.zeros(3), np.zeros(3, dtype=bool))
