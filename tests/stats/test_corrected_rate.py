"""Rates corrected for a judge's errors: formulas, coverage, and where nothing can be corrected."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.errors import UndefinedStatistic
from venire.stats.corrected_rate import correct_rate
from venire.stats.prediction_powered import powered_mean


def test_a_judge_without_errors_leaves_the_share_as_it_is() -> None:
    found = correct_rate(30, 100, calibration=(40, 40, 40, 40))

    assert found.rate == pytest.approx(0.3)
    assert found.low < 0.3 < found.high


@given(st.integers(0, 60), st.integers(1, 20), st.integers(1, 20), st.data())
def test_bounds_lie_within_0_and_1_around_each_other(called: int, n1: int, n0: int, data: st.DataObject) -> None:
    hits, rejections = data.draw(st.integers(0, n1)), data.draw(st.integers(0, n0))
    calibration = (hits, n1, rejections, n0)
    if hits / n1 + rejections / n0 <= 1:
        with pytest.raises(UndefinedStatistic, match="no better than chance"):
            correct_rate(called, 60, calibration=calibration)
        return

    found = correct_rate(called, 60, calibration=calibration)

    assert 0 <= found.low <= found.high <= 1
    assert 0 <= found.rate <= 1


@pytest.mark.parametrize("calibration", [(0, 0, 5, 5), (5, 5, 0, 0)])
def test_without_labels_of_both_classes_it_is_undefined(calibration: tuple[int, int, int, int]) -> None:
    with pytest.raises(UndefinedStatistic, match="there must be some of each"):
        correct_rate(5, 10, calibration=calibration)


def test_a_part_greater_than_its_whole_is_refused() -> None:
    with pytest.raises(ValueError, match="no count of a part"):
        correct_rate(11, 10, calibration=(1, 2, 1, 2))


def test_more_labels_narrow_the_interval() -> None:
    few = correct_rate(600, 1000, calibration=(18, 20, 16, 20))
    many = correct_rate(600, 1000, calibration=(180, 200, 160, 200))

    assert many.high - many.low < few.high - few.low


@pytest.mark.parametrize(("truth", "q1", "q0"), [(0.5, 0.9, 0.8), (0.1, 0.85, 0.9), (0.95, 0.8, 0.75)])
def test_the_interval_covers_the_truth_about_as_often_as_it_says(truth: float, q1: float, q0: float) -> None:
    """4,000 simulations: the standard error of a coverage of 95 % is 0.34 points."""
    generator = np.random.default_rng(0)
    apparent = truth * q1 + (1 - truth) * (1 - q0)
    covered = []
    for called, hits, rejections in zip(
        generator.binomial(500, apparent, 4000),
        generator.binomial(60, q1, 4000),
        generator.binomial(60, q0, 4000),
        strict=True,
    ):
        found = correct_rate(int(called), 500, calibration=(int(hits), 60, int(rejections), 60))
        covered.append(found.low <= truth <= found.high)

    assert 0.935 < np.mean(covered) < 0.985


def test_prediction_powered_means_cover_the_truth_and_are_narrower_than_labels_alone() -> None:
    generator = np.random.default_rng(0)
    covered, narrower = [], []
    for _ in range(2000):
        truth = (generator.random(1100) < 0.4).astype(float)
        said = np.where(generator.random(1100) < 0.85, truth, 1 - truth)
        found = powered_mean(truth[:100], said[:100], said[100:])
        covered.append(found.low <= 0.4 <= found.high)
        narrower.append(found.high - found.low < found.labels_high - found.labels_low)

    assert 0.93 < np.mean(covered) < 0.97
    assert np.mean(narrower) > 0.95


def test_a_judge_that_says_always_the_same_leaves_labels_alone() -> None:
    labels = np.array([0.0, 1.0, 1.0, 1.0])

    found = powered_mean(labels, np.ones(4), np.ones(50))

    assert found.weight == 0.0
    assert (found.mean, found.low, found.high) == (found.labels_only, found.labels_low, found.labels_high)


def test_prediction_powered_inference_needs_labels_and_others() -> None:
    with pytest.raises(UndefinedStatistic, match="1 labels and 5 unlabelled"):
        powered_mean(np.array([1.0]), np.array([1.0]), np.ones(5))
    with pytest.raises(ValueError, match="expected"):
        powered_mean(np.ones(2), np.ones(3), np.ones(5))
    with pytest.raises(ValueError, match="not finite"):
        powered_mean(np.array([1.0, np.nan]), np.ones(2), np.ones(5))
