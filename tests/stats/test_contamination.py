"""Contamination: who is broken, and what broken voters give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.stats.contamination import (
    Who,
    bimodal_random,
    cauchy_far,
    corrupt_voters,
    inverted,
    unbiased_noise,
    within_range,
)
from venire.stats.label_contamination import another_label, extreme_label, mirrored_label

LOW, HIGH = np.array([1.0, 0.0]), np.array([5.0, 1.0])
HABITS: list[Who] = ["independent", "fixed"]


def dice(seed: int = 0) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


@pytest.mark.parametrize("who", HABITS)
def test_at_rate_0_nobody_is_broken_and_at_rate_1_everybody(who: Who) -> None:
    assert not corrupt_voters(5, 7, 0.0, dice(), who).any()
    assert corrupt_voters(5, 7, 1.0, dice(), who).all()


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 99), st.sampled_from(HABITS))
def test_whoever_is_broken_at_one_rate_is_broken_at_every_higher_one(
    one: float, other: float, seed: int, who: Who
) -> None:
    low, high = sorted((one, other))

    fewer, more = (corrupt_voters(6, 9, rate, dice(seed), who) for rate in (low, high))

    assert not (fewer & ~more).any()


def test_fixed_breaks_the_floor_of_the_share_whatever_its_last_bit() -> None:
    counts = [corrupt_voters(10, 1, rate, dice(), "fixed").sum() for rate in (0.1, 0.29, 0.3, 0.1 + 0.2, 0.7)]

    assert counts == [1, 2, 3, 3, 7]


def test_independent_breaks_about_the_share() -> None:
    broken = corrupt_voters(100, 1000, 0.3, dice())

    assert broken.mean() == pytest.approx(0.3, abs=0.01)


def test_a_rate_that_is_no_share_is_a_mistake() -> None:
    with pytest.raises(ValueError, match=r"rate is 1\.5"):
        corrupt_voters(3, 3, 1.5, dice())


def test_inverting_twice_gives_the_votes_back() -> None:
    values = LOW + dice().random((3, 4, 2)) * (HIGH - LOW)

    assert inverted(inverted(values, LOW, HIGH), LOW, HIGH) == pytest.approx(values)


def test_bimodal_random_gives_each_corner_as_often() -> None:
    drawn = bimodal_random(np.zeros((50, 400, 2)), LOW, HIGH, dice())

    corners, counts = np.unique(drawn.reshape(-1, 2), axis=0, return_counts=True)
    assert corners.tolist() == [[1, 0], [1, 1], [5, 0], [5, 1]]
    assert counts / 20_000 == pytest.approx(np.full(4, 0.25), abs=0.015)


def test_the_quartiles_of_cauchy_far_are_location_and_scale() -> None:
    drawn = cauchy_far(np.zeros((100, 400, 1)), np.array([40.0]), np.array([8.0]), dice())

    assert np.quantile(drawn, [0.25, 0.5, 0.75]) == pytest.approx([32, 40, 48], abs=0.4)


def test_the_mean_of_unbiased_noise_is_the_truth() -> None:
    truth = np.array([[3.0, 0.5]])

    drawn = unbiased_noise(np.zeros((40_000, 1, 2)), truth, np.array([1.0, 0.25]), dice())

    assert drawn.mean(axis=(0, 1)) == pytest.approx(truth[0], abs=0.02)
    assert drawn.std(axis=(0, 1)) == pytest.approx([1.0, 0.25], rel=0.02)


@pytest.mark.parametrize("make", [cauchy_far, lambda v, where, much, g: unbiased_noise(v, where[None], much, g)])
def test_a_negative_width_is_a_mistake(make: object) -> None:
    with pytest.raises(ValueError, match="0 or more"):
        make(np.zeros((1, 1, 1)), np.zeros(1), np.array([-1.0]), dice())  # type: ignore[operator]


@given(st.floats(1, 5))
def test_range_checking_never_refuses_a_value_inside(value: float) -> None:
    assert within_range(np.array([value]), np.array([1.0]), np.array([5.0])).all()


@given(st.integers(2, 6), st.integers(0, 99))
def test_another_label_is_another_and_is_a_label(n_labels: int, seed: int) -> None:
    codes = dice(seed).integers(0, n_labels, (4, 9)).astype(float)

    changed = another_label(codes, np.full(9, n_labels), dice(seed))

    assert (changed != codes).all()
    assert set(changed.ravel().tolist()) <= set(range(n_labels))


def test_a_tie_has_no_other_label() -> None:
    ties = np.full((2, 3), 2.0)

    assert (another_label(ties, np.full(3, 2), dice()) == ties).all()
    assert (mirrored_label(ties, np.full(3, 2)) == ties).all()


def test_labels_of_items_with_unlike_many_are_mirrored_and_drawn_each_on_its_own() -> None:
    n_labels = np.array([2, 4])

    assert mirrored_label(np.array([[0.0, 0.0]]), n_labels).tolist() == [[1, 3]]
    assert {tuple(row) for row in extreme_label(np.ones((60, 2)), n_labels, dice()).tolist()} == {
        (0, 0),
        (0, 3),
        (1, 0),
        (1, 3),
    }


def test_one_label_cannot_be_another() -> None:
    with pytest.raises(ValueError, match="at least two"):
        another_label(np.zeros((1, 1)), np.array([1]), dice())
