"""Cross-fitting: whole groups, even folds, and nobody predicted by what they taught."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic
from venire.stats.cross_fitting import assign_folds, cross_fit

GROUPS = st.lists(st.integers(0, 12), min_size=12, max_size=60).filter(lambda found: len(set(found)) >= 3)


@given(groups=GROUPS, n_folds=st.integers(2, 3), seed=st.integers(0, 5))
@settings(max_examples=80)
def test_a_group_is_in_one_fold_and_no_fold_is_empty(groups: list[int], n_folds: int, seed: int) -> None:
    folds = assign_folds(np.array(groups), n_folds=n_folds, seed=seed)

    assert len({(group, fold) for group, fold in zip(groups, folds, strict=True)}) == len(set(groups))
    assert set(folds.tolist()) == set(range(n_folds))


@given(groups=GROUPS, seed=st.integers(0, 5))
def test_folds_differ_by_no_more_than_the_largest_group(groups: list[int], seed: int) -> None:
    sizes = np.bincount(assign_folds(np.array(groups), n_folds=3, seed=seed))

    assert sizes.max() - sizes.min() <= np.bincount(groups).max()


@given(groups=GROUPS, data=st.data())
def test_the_order_of_items_changes_no_fold(groups: list[int], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(groups))))

    shuffled = assign_folds(np.array(groups)[order], n_folds=3, seed=1)

    assert np.array_equal(shuffled, assign_folds(np.array(groups), n_folds=3, seed=1)[order])


def test_seeds_deal_otherwise_and_the_same_seed_alike() -> None:
    groups = np.arange(100)
    deals = [assign_folds(groups, seed=seed) for seed in (0, 0, 1)]

    assert np.array_equal(deals[0], deals[1])
    assert not np.array_equal(deals[0], deals[2])


@given(groups=GROUPS)
@settings(max_examples=40)
def test_no_item_is_predicted_by_its_own_group(groups: list[int]) -> None:
    numbers = np.array(groups)

    def check(learn: NDArray[np.intp], test: NDArray[np.intp]) -> NDArray[np.float64]:
        assert not set(numbers[learn]) & set(numbers[test])
        return test.astype(float)

    predicted = cross_fit(assign_folds(numbers, n_folds=3), check)

    assert predicted.tolist() == list(range(len(groups)))


def test_rows_of_probabilities_keep_their_shape() -> None:
    predicted = cross_fit(np.array([0, 1, 0]), lambda learn, test: np.full((len(test), 2), len(learn)))

    assert predicted.tolist() == [[1, 1], [2, 2], [1, 1]]


def test_fewer_groups_than_folds_is_said() -> None:
    with pytest.raises(UndefinedStatistic, match="2 groups cannot fill 5 folds"):
        assign_folds(np.array([1, 1, 2]))


def test_one_fold_is_refused() -> None:
    with pytest.raises(ValueError, match="n_folds is 1"):
        assign_folds(np.array([1, 2]), n_folds=1)
    with pytest.raises(UndefinedStatistic, match="1 fold"):
        cross_fit(np.zeros(3, dtype=np.intp), lambda learn, test: np.zeros(len(test)))


def test_predictions_that_are_too_few_are_refused() -> None:
    with pytest.raises(ValueError, match="fold 0: predictions have shape"):
        cross_fit(np.array([0, 0, 1]), lambda learn, test: np.zeros(1))
