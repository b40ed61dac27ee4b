"""Who errs together: phi correlations, effective votes, and the majority of independent voters."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import poisson_binom

from venire.errors import UndefinedStatistic
from venire.stats.condorcet import condorcet_ideal, majority_accuracy
from venire.stats.effective_votes import effective_votes
from venire.stats.phi_correlation import phi_correlations

Table = tuple[NDArray[np.bool_], NDArray[np.bool_]]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    n_voters, n_items = draw(st.integers(2, 5)), draw(st.integers(2, 30))
    cells = draw(st.lists(st.integers(0, 3), min_size=n_voters * n_items, max_size=n_voters * n_items))
    codes = np.array(cells).reshape(n_voters, n_items)
    return codes % 2 == 1, codes < 3  # a quarter is missing


def errors(n_voters: int, shared: float, n_items: int = 20_000) -> NDArray[np.bool_]:
    """Errors in 30 % of items, which come of one common draw in this share of items."""
    generator = np.random.default_rng(0)
    own, common = generator.random((n_voters, n_items)) < 0.3, generator.random(n_items) < 0.3
    return np.where(generator.random((n_voters, n_items)) < np.sqrt(shared), common, own)


@given(table=tables())
@settings(max_examples=60)
def test_phi_is_pearsons_correlation_over_shared_items(table: Table) -> None:
    indicators, present = table

    found = phi_correlations(indicators, present)

    for one, other in np.ndindex(found.values.shape):
        both = present[one] & present[other]
        pair = indicators[one, both], indicators[other, both]
        varies = len(pair[0]) > 0 and all(len(set(each.tolist())) == 2 for each in pair)
        assert found.defined[one, other] == varies
        assert found.n_shared[one, other] == both.sum()
        if varies:
            assert found.values[one, other] == pytest.approx(np.corrcoef(*pair)[0, 1])


@given(table=tables(), data=st.data())
@settings(max_examples=40)
def test_the_order_of_voters_and_items_changes_nothing(table: Table, data: st.DataObject) -> None:
    indicators, present = table
    voters = data.draw(st.permutations(range(len(indicators))))
    items = data.draw(st.permutations(range(indicators.shape[1])))
    whole = phi_correlations(indicators, present)

    shuffled = phi_correlations(indicators[voters][:, items], present[voters][:, items])

    assert np.array_equal(shuffled.values, whole.values[voters][:, voters])


def test_what_lies_under_a_missing_vote_is_never_read() -> None:
    indicators, present = errors(3, 0.2, 50), np.random.default_rng(1).random((3, 50)) < 0.8

    soiled = phi_correlations(np.where(present, indicators, ~indicators), present)

    assert np.array_equal(soiled.values, phi_correlations(indicators, present).values)


@pytest.mark.parametrize(("n_voters", "rho"), [(3, 0.2), (9, 0.5)])
def test_correlated_voters_are_worth_fewer(n_voters: int, rho: float) -> None:
    table = errors(n_voters, rho)

    found = effective_votes(phi_correlations(table, np.ones(table.shape, dtype=bool)))

    assert found.n_effective == pytest.approx(n_voters / (1 + (n_voters - 1) * rho), rel=0.03)
    assert (found.n_pairs, found.is_below_zero) == (n_voters * (n_voters - 1) // 2, False)


def test_nine_voters_that_err_alike_are_one() -> None:
    table = np.repeat(errors(1, 0.0, 40), 9, axis=0)

    assert effective_votes(phi_correlations(table, np.ones(table.shape, dtype=bool))).n_effective == pytest.approx(1)


def test_errors_that_even_out_are_worth_more_and_it_is_said() -> None:
    table = np.array([[1, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 1, 0]], dtype=bool)

    found = effective_votes(phi_correlations(table, np.ones(table.shape, dtype=bool)))

    assert found.is_below_zero
    assert found.n_effective > 3


def test_a_voter_that_is_never_wrong_leaves_it_undefined() -> None:
    table = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 0]], dtype=bool)

    with pytest.raises(UndefinedStatistic, match="2 of 3 pairs have no correlation, the first being voters 0 and 2"):
        effective_votes(phi_correlations(table, np.ones(table.shape, dtype=bool)))


def test_two_voters_who_are_each_others_opposite_leave_it_undefined() -> None:
    table = np.array([[1, 0, 1, 0], [0, 1, 0, 1]], dtype=bool)

    with pytest.raises(UndefinedStatistic, match=r"-1\.000, at or below"):
        effective_votes(phi_correlations(table, np.ones(table.shape, dtype=bool)))


def test_one_voter_does_not_err_together() -> None:
    with pytest.raises(UndefinedStatistic, match="1 voter"):
        effective_votes(phi_correlations(np.array([[True, False]]), np.ones((1, 2), dtype=bool)))


@given(accuracies=st.lists(st.floats(0, 1), min_size=1, max_size=12))
@settings(max_examples=80)
def test_the_majority_is_scipys_poisson_binomial(accuracies: list[float]) -> None:
    number = poisson_binom(accuracies)
    half = len(accuracies) / 2
    expected = number.sf(np.floor(half)) + (number.pmf(half) / 2 if len(accuracies) % 2 == 0 else 0)

    assert majority_accuracy(accuracies) == pytest.approx(expected, abs=1e-9)


@given(accuracies=st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.9, 1.0]), min_size=1, max_size=5), data=st.data())
def test_the_majority_is_the_sum_over_all_outcomes_in_any_order(accuracies: list[float], data: st.DataObject) -> None:
    total = 0.0
    for outcome in product((0, 1), repeat=len(accuracies)):
        chance = np.prod([p if right else 1 - p for p, right in zip(accuracies, outcome, strict=True)])
        total += chance * ((2 * sum(outcome) > len(outcome)) + (2 * sum(outcome) == len(outcome)) / 2)

    assert majority_accuracy(accuracies) == pytest.approx(total)
    assert majority_accuracy(data.draw(st.permutations(accuracies))) == majority_accuracy(accuracies)


def test_more_voters_above_chance_are_better_and_below_chance_worse() -> None:
    good, bad = ([majority_accuracy([p] * n) for n in (1, 3, 9, 101)] for p in (0.6, 0.4))

    assert good == sorted(good)
    assert bad == sorted(bad, reverse=True)


def test_the_ideal_is_averaged_by_how_common_labels_are() -> None:
    found = condorcet_ideal(np.array([[1.0, 0.5]] * 3), np.array([0.25, 0.75]))

    assert found.by_label == pytest.approx((1.0, 0.5))
    assert found.accuracy == pytest.approx(0.625)


@pytest.mark.parametrize("accuracies", [[], [1.2], [float("nan")]])
def test_what_is_no_accuracy_is_refused(accuracies: list[float]) -> None:
    with pytest.raises(ValueError, match="accuracies"):
        majority_accuracy(accuracies)


@pytest.mark.parametrize("prevalence", [[0.5, 0.6], [-0.5, 1.5], [1.0]])
def test_what_is_no_prevalence_is_refused(prevalence: list[float]) -> None:
    with pytest.raises(ValueError, match="prevalence"):
        condorcet_ideal(np.full((3, 2), 0.7), np.array(prevalence))
