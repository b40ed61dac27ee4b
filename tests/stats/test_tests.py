"""Tests of hypotheses: tails beside scipy, adjustments beside statsmodels, and the alternative annotator."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from venire.errors import UndefinedStatistic
from venire.stats.alternative_annotator import alternative_annotator_test
from venire.stats.homogeneity import chi_square_tail, proportions_differ
from venire.stats.multiple_tests import benjamini_yekutieli, holm
from venire.stats.student_t import mean_below_test, t_tail


@given(st.floats(-30, 30), st.integers(1, 400))
def test_the_tail_of_t_is_that_of_scipy(t: float, df: int) -> None:
    assert t_tail(t, df) == pytest.approx(stats.t.sf(t, df), rel=1e-7, abs=1e-13)


@given(st.floats(0, 300), st.integers(1, 60))
def test_the_tail_of_chi_square_is_that_of_scipy(value: float, df: int) -> None:
    assert chi_square_tail(value, df) == pytest.approx(stats.chi2.sf(value, df), rel=1e-9, abs=1e-14)


@given(st.lists(st.integers(-5, 5).map(float), min_size=2, max_size=30), st.floats(-3, 3))
def test_the_test_of_a_mean_is_that_of_scipy(values: list[float], bound: float) -> None:
    found = mean_below_test(np.array(values), bound)

    if np.std(values) == 0:
        assert found.p_value in (0.0, 1.0)
        return
    assert found.p_value == pytest.approx(stats.ttest_1samp(values, bound, alternative="less").pvalue, abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_adjusted_p_values_are_those_of_statsmodels(values: list[float]) -> None:
    p_values = np.array(values)

    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1], abs=1e-12)
    assert benjamini_yekutieli(p_values) == pytest.approx(multipletests(p_values, method="fdr_by")[1], abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=2, max_size=6))
def test_homogeneity_is_pearsons_chi_square(groups: list[tuple[int, int]]) -> None:
    parts, wholes = [one for one, _ in groups], [one + other for one, other in groups]
    table = np.array([(one, other) for one, other in groups if one + other])
    if len(table) < 2 or 0 in table.sum(axis=0):
        with pytest.raises(UndefinedStatistic):
            proportions_differ(parts, wholes)
        return

    found = proportions_differ(parts, wholes)

    theirs = stats.chi2_contingency(table, correction=False)
    assert (found.chi_square, found.p_value) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-9)


def people(seed: int, accuracies: list[float], n: int = 200) -> np.ndarray:
    generator = np.random.default_rng(seed)
    truth = generator.integers(0, 2, n)
    return np.array([np.where(generator.random(n) < one, truth, 1 - truth) for one in accuracies]).astype(float)


def test_a_judge_as_good_as_people_may_replace_them_and_a_coin_may_not() -> None:
    rows = people(0, [0.85, 0.85, 0.85, 0.9, 0.5])
    everybody = np.ones((5, 200), dtype=bool)

    good = alternative_annotator_test(rows[3], rows[:3], everybody[3], everybody[:3], epsilon=0.15)
    coin = alternative_annotator_test(rows[4], rows[:3], everybody[4], everybody[:3], epsilon=0.15)

    assert (good.passes, good.winning_rate) == (True, 1.0)
    assert (coin.passes, coin.winning_rate) == (False, 0.0)
    assert good.advantage > coin.advantage


def test_numbers_are_compared_by_distance() -> None:
    generator = np.random.default_rng(0)
    truth = generator.normal(0, 3, 100)
    rows = truth + generator.normal(0, 1, (4, 100))
    everybody = np.ones((4, 100), dtype=bool)

    found = alternative_annotator_test(truth, rows[:3], everybody[0], everybody[:3], is_label=False)

    assert found.passes
    assert found.advantage > 0.6


@pytest.mark.parametrize(
    ("n_people", "n_items", "message"), [(2, 100, "2 of at least 3 annotators"), (3, 20, "shares 20 items")]
)
def test_too_few_annotators_or_items_leave_it_undefined(n_people: int, n_items: int, message: str) -> None:
    rows = people(0, [0.9] * (n_people + 1), n_items)
    everybody = np.ones(rows.shape, dtype=bool)

    with pytest.raises(UndefinedStatistic, match=message):
        alternative_annotator_test(rows[0], rows[1:], everybody[0], everybody[1:])
