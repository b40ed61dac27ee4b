"""Fleiss, Spearman, pairwise accuracy, sign flips and sample sizes, beside their oracles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr
from statsmodels.stats import inter_rater

from venire.errors import UndefinedStatistic
from venire.stats.fleiss_kappa import fleiss_kappa
from venire.stats.pairwise_accuracy import pairwise_accuracy
from venire.stats.rank_correlation import spearman
from venire.stats.sample_size import labels_for_kappa, labels_for_share, smallest_difference
from venire.stats.sign_flip_test import sign_flip_test
from venire.stats.wilson import wilson_interval

PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=25)


@given(st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=1, max_size=15))
def test_fleiss_kappa_is_that_of_statsmodels(rows: list[list[int]]) -> None:
    counts = np.array([[row.count(label) for label in range(3)] for row in rows])
    if np.count_nonzero(counts.sum(axis=0)) == 1:
        with pytest.raises(UndefinedStatistic, match=r"all .* labels are the same"):
            fleiss_kappa(counts)
        return

    assert fleiss_kappa(counts).kappa == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-12)


def test_fleiss_kappa_needs_as_many_labels_on_every_subject() -> None:
    with pytest.raises(ValueError, match="same number"):
        fleiss_kappa(np.array([[2, 1], [1, 1]]))
    with pytest.raises(UndefinedStatistic, match="no subject"):
        fleiss_kappa(np.zeros((0, 2)))


@given(PAIRS)
def test_spearman_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    first, second = np.array(pairs).T
    if len(set(first)) == 1 or len(set(second)) == 1:
        with pytest.raises(UndefinedStatistic):
            spearman(first, second)
        return

    assert spearman(first, second) == pytest.approx(spearmanr(first, second).statistic, abs=1e-12)


def right_pairs(scores: np.ndarray, gold: np.ndarray, threshold: float) -> float:
    right = n = 0
    for one in range(len(scores)):
        for other in range(one):
            gap = scores[one] - scores[other]
            said = 0 if abs(gap) <= threshold else np.sign(gap)
            right += said == np.sign(gold[one] - gold[other])
            n += 1
    return right / n


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), min_size=2, max_size=9))
def test_pairwise_accuracy_is_the_best_of_all_thresholds(pairs: list[tuple[int, int]]) -> None:
    scores, gold = np.array(pairs, dtype=float).T

    found = pairwise_accuracy(scores, gold)

    gaps = {0.0, *(abs(a - b) for a in scores for b in scores)}
    assert found.accuracy == pytest.approx(max(right_pairs(scores, gold, gap) for gap in gaps))
    assert right_pairs(scores, gold, found.threshold) == pytest.approx(found.accuracy)
    assert right_pairs(scores, gold, 0.0) == pytest.approx(found.without_threshold)


def test_pairwise_accuracy_refuses_what_cannot_be_ordered() -> None:
    with pytest.raises(UndefinedStatistic, match="at least 2"):
        pairwise_accuracy(np.array([1.0]), np.array([1.0]))
    with pytest.raises(ValueError, match="not finite"):
        pairwise_accuracy(np.array([1.0, np.inf]), np.array([1.0, 2.0]))


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=8))
def test_a_few_groups_are_flipped_in_every_way(values: list[int]) -> None:
    differences = np.array(values, dtype=float)
    sums = [0.0]
    for value in values:
        sums = [one + sign * value for one in sums for sign in (1, -1)]

    found = sign_flip_test(differences)

    assert found.exact
    assert found.p_value == pytest.approx(np.mean([abs(one) >= abs(sum(values)) for one in sums]))


def test_many_groups_are_flipped_by_lot_and_p_is_never_0() -> None:
    strong = sign_flip_test(np.ones(40))
    none = sign_flip_test(np.random.default_rng(0).normal(0, 1, 200), seed=3)

    assert (strong.exact, strong.p_value) == (False, 1 / 10_001)
    assert none.p_value > 0.05
    assert none == sign_flip_test(np.random.default_rng(0).normal(0, 1, 200), seed=3)
    with pytest.raises(UndefinedStatistic, match="no group"):
        sign_flip_test(np.zeros(0))


@given(st.floats(0.05, 0.95), st.floats(0.02, 0.2))
def test_so_many_labels_bring_wilsons_interval_to_the_width(share: float, half_width: float) -> None:
    n = labels_for_share(share, half_width)

    found = wilson_interval(round(share * n), n)
    assert found.high - found.low <= 2 * half_width


def test_so_many_labels_bring_kappa_to_the_width_in_simulation() -> None:
    """Two raters with kappa .6 and even labels: agreement .8 on either label."""
    n = labels_for_kappa(0.6, 0.5, 0.1)
    generator = np.random.default_rng(0)
    first = generator.integers(0, 2, (4000, n))
    second = np.where(generator.random((4000, n)) < 0.8, first, 1 - first)
    observed = (first == second).mean(axis=1)
    chance = first.mean(axis=1) * second.mean(axis=1) + (1 - first.mean(axis=1)) * (1 - second.mean(axis=1))

    kappas = (observed - chance) / (1 - chance)

    assert 1.96 * kappas.std() == pytest.approx(0.1, rel=0.05)


def test_the_smallest_difference_is_found_as_often_as_it_says() -> None:
    difference = smallest_difference(1.0, 200)
    draws = np.random.default_rng(0).normal(difference, 1.0, (4000, 200))

    found = np.abs(draws.mean(axis=1)) > 1.96 / np.sqrt(200)

    assert found.mean() == pytest.approx(0.8, abs=0.02)


@pytest.mark.parametrize(
    "call",
    [
        lambda: labels_for_share(1.5, 0.1),
        lambda: labels_for_kappa(0.5, 0.0, 0.1),
        lambda: smallest_difference(-1.0, 5),
    ],
)
def test_sizes_of_the_impossible_are_refused(call: object) -> None:
    with pytest.raises(ValueError, match=r"expected|out of range"):
        call()  # type: ignore[operator]
