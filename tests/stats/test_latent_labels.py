"""Dawid–Skene and the one-coin model: laws, other implementations, published votes, and what they warn of."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import DawidSkene, OneCoinDawidSkene
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic
from venire.stats.dawid_skene import LatentLabels, dawid_skene
from venire.stats.label_patterns import find_patterns
from venire.stats.one_coin import OneCoinLabels, one_coin

Votes = tuple[NDArray[np.float64], NDArray[np.bool_], int]
Fit = Callable[[NDArray[np.float64], NDArray[np.bool_], int], LatentLabels | OneCoinLabels]
MODELS: list[Fit] = [dawid_skene, one_coin]


def simulated(n_items: int, accuracies: list[float], n_labels: int, *, missing: float = 0.0, seed: int = 0) -> Votes:
    """Votes of voters that are right with these chances and otherwise give another label."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(0, n_labels, n_items)
    other = (truth + generator.integers(1, n_labels, (len(accuracies), n_items))) % n_labels
    is_right = generator.random(other.shape) < np.array(accuracies)[:, None]
    return np.where(is_right, truth, other).astype(float), generator.random(other.shape) >= missing, n_labels


@st.composite
def tables(draw: st.DrawFn) -> Votes:
    n_voters, n_items, n_labels = draw(st.integers(1, 5)), draw(st.integers(1, 12)), draw(st.integers(2, 3))
    cells = st.lists(st.integers(-1, n_labels - 1), min_size=n_voters * n_items, max_size=n_voters * n_items)
    codes = np.array(draw(cells), dtype=float).reshape(n_voters, n_items)
    codes[0, 0] = 0
    return np.maximum(codes, 0), codes >= 0, n_labels


def frame(codes: NDArray[np.float64], present: NDArray[np.bool_]) -> pd.DataFrame:
    voters, items = np.nonzero(present)
    return pd.DataFrame({"task": items, "worker": voters, "label": codes[voters, items].astype(int)})


@pytest.mark.parametrize("fit", MODELS)
@given(votes=tables(), data=st.data())
@settings(max_examples=40)
def test_the_order_of_items_changes_nothing(fit: Fit, votes: Votes, data: st.DataObject) -> None:
    codes, present, n_labels = votes
    order = data.draw(st.permutations(range(codes.shape[1])))

    shuffled = fit(codes[:, order], present[:, order], n_labels)

    assert np.array_equal(shuffled.posterior, fit(codes, present, n_labels).posterior[order])


@given(votes=tables(), data=st.data())
@settings(max_examples=40)
def test_one_coin_does_not_know_the_order_of_voters_or_the_names_of_labels(votes: Votes, data: st.DataObject) -> None:
    codes, present, n_labels = votes
    order = data.draw(st.permutations(range(len(codes))))
    names = np.array(data.draw(st.permutations(range(n_labels))))

    renamed = one_coin(names[codes[order].astype(int)], present[order], n_labels)

    assert renamed.posterior[:, names] == pytest.approx(one_coin(codes, present, n_labels).posterior, abs=1e-6)


def test_dawid_skene_does_not_know_the_order_of_voters_or_the_names_of_labels() -> None:
    codes, present, n_labels = simulated(400, [0.9, 0.8, 0.7, 0.6], 3, missing=0.1)
    names = np.array([2, 0, 1])

    renamed = dawid_skene(names[codes[::-1].astype(int)], present[::-1], n_labels)

    assert renamed.posterior[:, names] == pytest.approx(dawid_skene(codes, present, n_labels).posterior, abs=1e-3)


@pytest.mark.parametrize("fit", MODELS)
@given(votes=tables())
@settings(max_examples=40)
def test_a_posterior_is_a_distribution_where_anybody_voted(fit: Fit, votes: Votes) -> None:
    codes, present, n_labels = votes

    result = fit(codes, present, n_labels)

    assert np.array_equal(result.defined, present.any(axis=0))
    assert result.posterior.sum(axis=1) == pytest.approx(1)


@given(votes=tables(), garbage=st.sampled_from([-3.0, 7.0, float("nan")]))
@settings(max_examples=40)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_what_lies_under_a_missing_vote_is_never_read(votes: Votes, garbage: float) -> None:
    codes, present, n_labels = votes

    soiled = dawid_skene(np.where(present, codes, garbage), present, n_labels)

    assert np.array_equal(soiled.posterior, dawid_skene(codes, present, n_labels).posterior)


@given(votes=tables())
def test_patterns_give_every_item_its_own_votes_back(votes: Votes) -> None:
    codes, present, n_labels = votes

    found = find_patterns(codes, present, n_labels)

    assert np.array_equal(found.labels[:, found.pattern_of], np.where(present, codes, n_labels))
    assert found.counts.sum() == codes.shape[1]
    assert len(np.unique(found.labels, axis=1).T) == len(found.counts)


def test_patterns_of_more_voters_than_a_number_can_hold_are_found_too() -> None:
    codes, present, n_labels = simulated(50, [0.99] * 40, 5)

    found = find_patterns(codes, present, n_labels)

    assert np.array_equal(found.labels[:, found.pattern_of], codes)


@pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning")
def test_dawid_skene_finds_what_crowd_kit_finds() -> None:
    codes, present, n_labels = simulated(1500, [0.9, 0.8, 0.7, 0.6, 0.4], 3, missing=0.2)
    theirs = DawidSkene(n_iter=200, tol=1e-9).fit(frame(codes, present)).probas_.sort_index().sort_index(axis=1)

    ours = dawid_skene(codes, present, n_labels)

    assert ours.posterior[present.any(axis=0)] == pytest.approx(theirs.to_numpy(), abs=0.05)
    assert ours.converged


@pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning")
def test_one_coin_finds_what_crowd_kit_finds() -> None:
    codes, present, n_labels = simulated(1500, [0.9, 0.8, 0.7, 0.6], 3)
    theirs = OneCoinDawidSkene(n_iter=200, tol=1e-9).fit_predict(frame(codes, present)).sort_index().to_numpy()

    ours = one_coin(codes, present, n_labels).posterior.argmax(axis=1)

    assert (ours == theirs).mean() > 0.995


def test_confusion_tables_are_found_again() -> None:
    codes, present, n_labels = simulated(20_000, [0.9, 0.75, 0.6], 2)

    fit = dawid_skene(codes, present, n_labels)

    assert fit.confusion[:, 0, 0] == pytest.approx([0.9, 0.75, 0.6], abs=0.03)


@pytest.mark.parametrize("fit", MODELS)
def test_two_voters_are_too_few_and_it_is_said(fit: Fit) -> None:
    codes, present, n_labels = simulated(100, [0.9, 0.9], 2)

    assert any("fewer than three" in warning for warning in fit(codes, present, n_labels).warnings)


def test_labels_that_are_all_alike_are_called_degenerate() -> None:
    codes = np.ones((3, 50))

    assert any("degenerate" in one for one in dawid_skene(codes, np.ones(codes.shape, dtype=bool), 2).warnings)


def test_labels_that_switched_are_said_to_have_switched() -> None:
    codes, present, n_labels = simulated(2000, [0.2, 0.2, 0.2], 3)

    fit = dawid_skene(codes, present, n_labels)

    right = (fit.confusion.mean(axis=0).argmax(axis=1) == np.arange(3)).all()
    assert right or any("label switching" in warning or "degenerate" in warning for warning in fit.warnings)


@pytest.mark.parametrize("fit", MODELS)
def test_labels_that_are_always_one_voters_are_said_to_stand_on_it(fit: Fit) -> None:
    """The third voter is believed throughout, though it is at chance: nothing in the votes tells."""
    codes, present, n_labels = simulated(1000, [0.9, 0.5, 0.5], 2, seed=2)

    found = fit(codes, present, n_labels)

    leader = int((found.posterior.argmax(axis=1) == codes).mean(axis=1).argmax())
    assert any(
        f"stands on one voter: the likeliest label is always that of voter {leader}" in one for one in found.warnings
    )


@pytest.mark.parametrize("fit", MODELS)
def test_voters_who_agree_are_a_consensus_and_nobody_leads(fit: Fit) -> None:
    codes, present, n_labels = simulated(500, [1.0, 0.99, 0.98], 2)

    assert fit(codes, present, n_labels).warnings == ()


@pytest.mark.parametrize("fit", MODELS)
def test_without_a_vote_there_is_no_label(fit: Fit) -> None:
    with pytest.raises(UndefinedStatistic, match="none of 3 voters voted on any of 4 items"):
        fit(np.zeros((3, 4)), np.zeros((3, 4), dtype=bool), 2)


@pytest.mark.parametrize("code", [-1.0, 2.0, 0.5])
def test_a_code_that_is_no_label_is_refused(code: float) -> None:
    with pytest.raises(ValueError, match="voter 1 is not one of 0 … 1"):
        dawid_skene(np.array([[0.0], [code]]), np.ones((2, 1), dtype=bool), 2)


def test_the_same_seed_gives_the_same_fit() -> None:
    votes = simulated(300, [0.6, 0.5, 0.5], 3)

    assert np.array_equal(dawid_skene(*votes, seed=3).posterior, dawid_skene(*votes, seed=3).posterior)
