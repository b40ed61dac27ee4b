"""Groups that are alike are drawn together: the same distribution, whoever stands beside whom."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic
from venire.stats.alike_groups import find_alike, resampled_alike
from venire.stats.cluster_bootstrap import resampled_sums

FEW_VALUES = arrays.arrays(np.float64, st.tuples(st.integers(2, 30), st.integers(1, 3)), elements=st.integers(0, 1))


@pytest.fixture(scope="module")
def sums() -> NDArray[np.float64]:
    """What 400 groups add: equal labels, and subjects counted."""
    drawn = np.random.Generator(np.random.PCG64(1)).integers(0, 3, size=400).astype(float)
    return np.stack([np.minimum(drawn, 1), np.maximum(drawn, 1)], axis=1)


@given(FEW_VALUES)
def test_every_group_is_of_the_kind_whose_first_group_it_equals(rows: NDArray[np.float64]) -> None:
    alike = find_alike([rows])

    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    found = {tuple(row): n for row, n in zip(rows[alike.first].tolist(), alike.n_alike.tolist(), strict=True)}
    assert found == {tuple(row): n for row, n in zip(distinct.tolist(), counts.tolist(), strict=True)}
    assert alike.first.tolist() == sorted(alike.first.tolist())


@given(FEW_VALUES)
def test_kinds_do_not_depend_on_the_order_of_columns_or_on_how_they_are_divided(rows: NDArray[np.float64]) -> None:
    whole, divided = find_alike([rows]), find_alike([rows[:, [column]] for column in reversed(range(rows.shape[1]))])

    assert whole.first.tolist() == divided.first.tolist()
    assert whole.n_alike.tolist() == divided.n_alike.tolist()


def test_the_resampled_sums_have_the_distribution_of_the_plain_bootstrap(sums: NDArray[np.float64]) -> None:
    """Mean, covariance and percentiles of a ratio, over 20,000 resamples of each."""
    plain = resampled_sums(sums, 20_000, seed=3)
    alike = resampled_alike(sums, find_alike([sums]), 20_000, seed=3)

    assert alike.mean(axis=0) == pytest.approx(plain.mean(axis=0), rel=0.002)
    assert np.cov(alike.T) == pytest.approx(np.cov(plain.T), rel=0.05)
    ratios = [np.quantile(some[:, 0] / some[:, 1], [0.025, 0.5, 0.975]) for some in (plain, alike)]
    assert ratios[0] == pytest.approx(ratios[1], abs=0.003)


def test_every_resample_draws_as_many_groups_as_there_are(sums: NDArray[np.float64]) -> None:
    ones = np.ones((400, 1))

    assert resampled_alike(ones, find_alike([sums]), 50, seed=0).tolist() == [[400.0]] * 50


def test_all_parts_get_the_same_resamples(sums: NDArray[np.float64]) -> None:
    alike = find_alike([sums])

    both = resampled_alike(sums, alike, 100, seed=5)
    apart = [resampled_alike(sums[:, [column]], alike, 100, seed=5) for column in (0, 1)]

    assert (both == np.concatenate(apart, axis=1)).all()


def test_the_same_seed_gives_the_same_sums_and_another_seed_others(sums: NDArray[np.float64]) -> None:
    alike = find_alike([sums])
    first, again, other = (resampled_alike(sums, alike, 20, seed=seed) for seed in (7, 7, 8))

    assert (first == again).all()
    assert (first != other).any()


def test_memory_does_not_grow_with_the_resamples() -> None:
    sums = np.arange(20_000.0)[:, None] % 5_000
    tracemalloc.start()
    resampled_alike(sums, find_alike([sums]), 2_000, seed=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 40e6


@pytest.mark.parametrize("n_groups", [0, 1])
def test_fewer_than_two_groups_are_undefined(n_groups: int) -> None:
    with pytest.raises(UndefinedStatistic, match="at least 2"):
        resampled_alike(np.ones((n_groups, 3)), find_alike([np.ones((n_groups, 3))]), 10, seed=0)


def test_sums_of_other_groups_are_refused() -> None:
    with pytest.raises(ValueError, match="sums of 3 groups, but 4 groups were sorted"):
        resampled_alike(np.ones((3, 1)), find_alike([np.ones((4, 1))]), 10, seed=0)
