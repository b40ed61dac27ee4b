"""Log loss, Brier score and calibration error: laws, other implementations, and what they refuse."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn import metrics

from venire.errors import UndefinedStatistic
from venire.stats.brier import brier
from venire.stats.expected_calibration_error import expected_calibration_error
from venire.stats.log_loss import log_loss

Forecast = tuple[NDArray[np.float64], NDArray[np.intp]]
SCORES = [log_loss, brier, expected_calibration_error]


@st.composite
def forecasts(draw: st.DrawFn) -> Forecast:
    n_items, n_labels = draw(st.integers(1, 20)), draw(st.integers(2, 4))
    cells = draw(st.lists(st.integers(1, 9), min_size=n_items * n_labels, max_size=n_items * n_labels))
    weights = np.array(cells, dtype=float).reshape(n_items, n_labels)
    labels = draw(st.lists(st.integers(0, n_labels - 1), min_size=n_items, max_size=n_items))
    return weights / weights.sum(axis=1, keepdims=True), np.array(labels)


@given(forecast=forecasts())
@settings(max_examples=60)
def test_log_loss_is_what_scikit_learn_computes(forecast: Forecast) -> None:
    probabilities, labels = forecast

    theirs = metrics.log_loss(labels, probabilities, labels=range(probabilities.shape[1]))

    assert log_loss(probabilities, labels).loss == pytest.approx(theirs)


@given(forecast=forecasts())
@settings(max_examples=60)
def test_brier_is_what_scikit_learn_computes(forecast: Forecast) -> None:
    probabilities, labels = forecast

    theirs = metrics.brier_score_loss(
        labels, probabilities, labels=list(range(probabilities.shape[1])), scale_by_half=False
    )

    assert brier(probabilities, labels).loss == pytest.approx(theirs)


@given(forecast=forecasts(), data=st.data())
@settings(max_examples=40)
def test_the_order_of_items_changes_no_score(forecast: Forecast, data: st.DataObject) -> None:
    probabilities, labels = forecast
    order = data.draw(st.permutations(range(len(labels))))

    assert log_loss(probabilities[order], labels[order]).loss == pytest.approx(log_loss(probabilities, labels).loss)
    assert brier(probabilities[order], labels[order]).loss == pytest.approx(brier(probabilities, labels).loss)
    shuffled = expected_calibration_error(probabilities[order], labels[order])
    assert shuffled.error == pytest.approx(expected_calibration_error(probabilities, labels).error)


@given(truth=st.floats(0.05, 0.95), stated=st.floats(0.05, 0.95))
def test_nothing_scores_better_in_expectation_than_the_true_probability(truth: float, stated: float) -> None:
    for score in (log_loss, brier):
        yes, no = (score(np.array([[1 - stated, stated]]), np.array([label])).loss for label in (1, 0))
        best_yes, best_no = (score(np.array([[1 - truth, truth]]), np.array([label])).loss for label in (1, 0))
        assert truth * best_yes + (1 - truth) * best_no <= truth * yes + (1 - truth) * no + 1e-12


def test_losses_of_items_average_to_the_loss() -> None:
    probabilities, labels = np.array([[0.2, 0.8], [0.6, 0.4]]), np.array([1, 1])

    for found in (log_loss(probabilities, labels), brier(probabilities, labels)):
        assert found.losses.mean() == pytest.approx(found.loss)
        assert found.n == 2


def test_bins_hold_every_item_once_and_equal_confidences_together() -> None:
    probabilities = np.repeat([[0.45, 0.55], [0.4, 0.6], [0.3, 0.7]], [5, 90, 5], axis=0)

    found = expected_calibration_error(probabilities, np.ones(100), n_bins=4)

    assert sum(one.n for one in found.bins) == 100
    assert max(one.n for one in found.bins) == 90
    assert all(one.low == one.high for one in found.bins if one.n == 90)


def test_different_confidences_are_dealt_evenly() -> None:
    high = np.linspace(0.6, 0.99, 10)

    found = expected_calibration_error(np.stack([1 - high, high], axis=1), np.ones(10), n_bins=5)

    assert [one.n for one in found.bins] == [2, 2, 2, 2, 2]


def test_certain_and_wrong_is_the_largest_calibration_error() -> None:
    assert expected_calibration_error(np.array([[1.0, 0.0]] * 3), np.ones(3)).error == 1.0


def test_probability_zero_of_the_truth_is_an_infinite_loss_and_no_number() -> None:
    with pytest.raises(UndefinedStatistic, match="item 1 has label 0, which was given probability 0"):
        log_loss(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([0, 0]))


@pytest.mark.parametrize("score", SCORES)
def test_without_an_item_there_is_no_score(score: object) -> None:
    with pytest.raises(UndefinedStatistic, match="no item"):
        score(np.empty((0, 2)), np.empty(0))  # type: ignore[operator]


@pytest.mark.parametrize(
    ("row", "label"), [([0.5, 0.6], 0), ([-0.1, 1.1], 0), ([float("nan"), 1.0], 0), ([0.5, 0.5], 2), ([0.5, 0.5], 0.5)]
)
def test_what_is_no_probability_or_no_label_is_refused(row: list[float], label: float) -> None:
    with pytest.raises(ValueError, match=r"were expected|is not one of"):
        brier(np.array([row]), np.array([label]))
