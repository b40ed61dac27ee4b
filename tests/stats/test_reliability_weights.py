"""Reliability weights: laws, what smoothing does, and the best weighting of independent voters."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic
from venire.stats.reliability_weights import (
    reliability_weights,
    reliability_weights_by_category,
    weighted_plurality,
)

Votes = tuple[NDArray[np.intp], NDArray[np.bool_], NDArray[np.intp], int]


@st.composite
def votes(draw: st.DrawFn) -> Votes:
    n_voters, n_items, n_labels = draw(st.integers(1, 5)), draw(st.integers(1, 15)), draw(st.integers(2, 4))
    cells = st.lists(st.integers(-1, n_labels - 1), min_size=n_voters * n_items, max_size=n_voters * n_items)
    codes = np.array(draw(cells)).reshape(n_voters, n_items)
    truth = draw(st.lists(st.integers(0, n_labels - 1), min_size=n_items, max_size=n_items))
    return np.maximum(codes, 0), codes >= 0, np.array(truth), n_labels


def simulated(accuracies: list[float], n_labels: int, n_items: int = 4000) -> Votes:
    generator = np.random.default_rng(0)
    truth = generator.integers(0, n_labels, n_items)
    other = (truth + generator.integers(1, n_labels, (len(accuracies), n_items))) % n_labels
    is_right = generator.random(other.shape) < np.array(accuracies)[:, None]
    return np.where(is_right, truth, other), np.ones(other.shape, dtype=bool), truth, n_labels


@given(table=votes(), data=st.data())
@settings(max_examples=60)
def test_orders_and_names_change_nothing(table: Votes, data: st.DataObject) -> None:
    codes, present, truth, n_labels = table
    voters = data.draw(st.permutations(range(len(codes))))
    items = data.draw(st.permutations(range(len(truth))))
    names = np.array(data.draw(st.permutations(range(n_labels))))
    weights = reliability_weights(codes, present, truth, n_labels).weights
    held = weighted_plurality(codes, present, weights, n_labels).held

    shuffled, seen = names[codes][voters][:, items], present[voters][:, items]

    again = reliability_weights(shuffled, seen, names[truth][items], n_labels).weights
    assert np.array_equal(again, weights[voters])
    assert np.array_equal(weighted_plurality(shuffled, seen, again, n_labels).held[names], held[:, items])


@given(table=votes())
def test_two_voters_who_vote_alike_weigh_alike(table: Votes) -> None:
    codes, present, truth, n_labels = table

    twice = reliability_weights(np.repeat(codes, 2, axis=0), np.repeat(present, 2, axis=0), truth, n_labels).weights

    assert np.array_equal(twice[::2], twice[1::2])


@given(table=votes())
def test_a_voter_who_is_never_seen_weighs_nothing(table: Votes) -> None:
    codes, present, truth, n_labels = table
    present[0] = False

    found = reliability_weights(codes, present, truth, n_labels)

    assert found.weights[0] == pytest.approx(0, abs=1e-12)
    assert found.n[0] == 0


@given(table=votes())
def test_weights_are_finite_whoever_is_always_right_or_wrong(table: Votes) -> None:
    codes, present, truth, n_labels = table

    found = reliability_weights(np.where(codes == 0, truth, codes), present, truth, n_labels)

    assert np.isfinite(found.weights).all()


def test_log_odds_weights_decide_better_than_counting() -> None:
    codes, present, truth, n_labels = simulated([0.9, 0.5, 0.5, 0.45, 0.45], 3)
    learn, test = slice(0, 1000), slice(1000, None)

    weights = reliability_weights(codes[:, learn], present[:, learn], truth[learn], n_labels).weights

    weighed = weighted_plurality(codes[:, test], present[:, test], weights, n_labels).held.argmax(axis=0)
    counted = weighted_plurality(codes[:, test], present[:, test], np.ones(5), n_labels).held.argmax(axis=0)
    assert (weighed == truth[test]).mean() > (counted == truth[test]).mean() + 0.05


def test_held_weights_are_log_probabilities_of_independent_voters() -> None:
    accuracy, n_labels = np.array([0.9, 0.6, 0.7]), 3
    weights = np.log(accuracy / (1 - accuracy) * (n_labels - 1))

    held = weighted_plurality(np.array([[0], [1], [1]]), np.ones((3, 1), dtype=bool), weights, n_labels).held[:, 0]

    exact = np.array([0.9 * 0.2 * 0.15, 0.05 * 0.6 * 0.7, 0.05 * 0.2 * 0.15])
    assert np.exp(held) / np.exp(held).sum() == pytest.approx(exact / exact.sum())


def test_a_voter_below_chance_counts_against_its_label() -> None:
    codes, present, truth, n_labels = simulated([0.2], 2)

    assert reliability_weights(codes, present, truth, n_labels).weights[0] < 0


def test_a_category_without_items_has_the_overall_weight_and_one_with_many_its_own() -> None:
    codes, present, truth, n_labels = simulated([0.8], 2)
    categories = np.zeros(len(truth), dtype=np.intp)
    overall = reliability_weights(codes, present, truth, n_labels)

    found = reliability_weights_by_category(codes, present, truth, categories, (n_labels, 2))

    assert found.accuracy[0, 1] == pytest.approx(overall.accuracy[0])
    assert found.accuracy[0, 0] == pytest.approx((codes == truth).mean(), abs=1e-3)


def test_judges_who_are_good_at_one_kind_each_are_weighed_by_kind() -> None:
    first, present, truth, n_labels = simulated([0.95, 0.5], 2)
    categories = np.arange(len(truth)) % 2
    codes = np.where(categories == 0, first, first[::-1])
    weights = reliability_weights_by_category(codes, present, truth, categories, (n_labels, 2)).weights

    held = weighted_plurality(codes, present, weights[:, categories], n_labels).held

    assert (held.argmax(axis=0) == truth).mean() > 0.93


def test_without_a_true_label_there_is_nothing_to_learn() -> None:
    with pytest.raises(UndefinedStatistic, match="no item with a true label"):
        reliability_weights(np.empty((2, 0)), np.empty((2, 0), dtype=bool), np.empty(0), 2)


def test_nobody_voted_is_undefined_and_no_zero() -> None:
    found = weighted_plurality(np.zeros((2, 2)), np.array([[True, False], [True, False]]), np.ones(2), 2)

    assert found.defined.tolist() == [True, False]


@pytest.mark.parametrize(("truth", "n_labels"), [([0, 2], 2), ([0, -1], 2), ([0, 0], 1)])
def test_what_is_no_label_is_refused(truth: list[int], n_labels: int) -> None:
    with pytest.raises(ValueError, match=r"true label|at least two"):
        reliability_weights(np.zeros((1, 2)), np.ones((1, 2), dtype=bool), np.array(truth), n_labels)


@pytest.mark.parametrize(("categories", "pseudo"), [([0, 2], 1.0), ([0, 1], 0.0)])
def test_a_category_out_of_range_or_no_pseudo_items_is_refused(categories: list[int], pseudo: float) -> None:
    with pytest.raises(ValueError, match=r"categories|pseudo_items"):
        reliability_weights_by_category(
            np.zeros((1, 2)),
            np.ones((1, 2), dtype=bool),
            np.zeros(2),
            np.array(categories),
            (2, 2),
            pseudo_items=pseudo,
        )
