"""Cohen's kappa: published values, scikit-learn as oracle, and where it is undefined."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score  # type: ignore[import-untyped]

from venire.errors import UndefinedStatistic
from venire.stats.cohen_kappa import Weights, cohen_kappa, confusion_table, kappa_of_tables

FAULTS = Path(__file__).parents[3] / "shared" / "faults" / "faults.json"
codes = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)
weightings = st.sampled_from(["nominal", "linear", "quadratic"])


def fault(fault_id: str) -> dict[str, Any]:
    if not FAULTS.exists():
        pytest.skip("the shared fault collection is not here")
    found: dict[str, Any] = next(one for one in json.loads(FAULTS.read_text()) if one["id"] == fault_id)
    return found


def coded(words: list[str], order: list[str]) -> np.ndarray[Any, np.dtype[np.intp]]:
    return np.array([order.index(word) for word in words])


def test_the_worked_example_of_cohen_1960() -> None:
    """Cohen (1960), doi:10.1177/001316446002000104: 200 subjects, kappa = (58 - 70) / (200 - 70) = -.09."""
    result = cohen_kappa(np.array([[50, 26, 24], [24, 4, 32], [6, 30, 4]]))

    assert [result.observed, result.expected, result.n] == pytest.approx([0.29, 0.35, 200])
    assert result.kappa == pytest.approx(-12 / 130)


@given(pairs=codes, weights=weightings)
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[int, int]], weights: Weights) -> None:
    a, b = np.array(pairs).T
    table = confusion_table(a, b, 4)
    if len({*a.tolist(), *b.tolist()}) == 1:
        return

    oracle = cohen_kappa_score(a, b, labels=[0, 1, 2, 3], weights=None if weights == "nominal" else weights)

    assert cohen_kappa(table, weights).kappa == pytest.approx(oracle, abs=1e-12)


@given(pairs=codes, weights=weightings)
def test_many_tables_give_what_one_table_gives(pairs: list[tuple[int, int]], weights: Weights) -> None:
    a, b = np.array(pairs).T
    table = confusion_table(a, b, 4)

    values, defined = kappa_of_tables(np.stack([table, table * 3, table * 0]).astype(float), weights)

    assert not defined[2]
    if defined[0]:
        assert values[:2] == pytest.approx([cohen_kappa(table, weights).kappa] * 2)
    else:
        with pytest.raises(UndefinedStatistic):
            cohen_kappa(table, weights)


@given(pairs=codes, names=st.permutations(range(4)))
def test_renaming_labels_leaves_nominal_kappa_alone(pairs: list[tuple[int, int]], names: list[int]) -> None:
    a, b = np.array(pairs).T
    new = np.array(names)
    before, after = confusion_table(a, b, 4), confusion_table(new[a], new[b], 4)

    values, defined = kappa_of_tables(np.stack([before, after]).astype(float))

    assert defined[0] == defined[1]
    assert values[0] == pytest.approx(values[1])


@given(pairs=codes, weights=weightings)
def test_swapping_the_raters_leaves_kappa_alone(pairs: list[tuple[int, int]], weights: Weights) -> None:
    a, b = np.array(pairs).T
    table = confusion_table(a, b, 4).astype(float)

    values, _ = kappa_of_tables(np.stack([table, table.T]), weights)

    assert values[0] == pytest.approx(values[1])


def test_one_and_the_same_label_throughout_is_undefined() -> None:
    """Kind of fault F22: 0/0 is neither 0 nor 1."""
    with pytest.raises(UndefinedStatistic, match="expected agreement is 1"):
        cohen_kappa(np.array([[4, 0], [0, 0]]))


def test_different_constant_labels_are_chance_agreement() -> None:
    assert cohen_kappa(np.array([[0, 4], [0, 0]])).kappa == 0.0


def test_no_subject_is_undefined() -> None:
    with pytest.raises(UndefinedStatistic, match="no subject"):
        cohen_kappa(np.zeros((2, 2)))


def test_fault_22_constant_labels_give_a_reason() -> None:
    case = fault("F22")["input"]
    table = confusion_table(coded(case["a"], case["labels"]), coded(case["b"], case["labels"]), 2)

    with pytest.raises(UndefinedStatistic, match="expected agreement is 1"):
        cohen_kappa(table)


def test_fault_23_weights_follow_the_declared_order() -> None:
    case = fault("F23")["input"]
    table = confusion_table(coded(case["human"], case["order"]), coded(case["judge"], case["order"]), 4)

    assert cohen_kappa(table, case["weights"]).kappa == pytest.approx(0.8, abs=case["tolerance"])


def test_weights_follow_the_declared_order() -> None:
    """Kind of fault F23: poor fair good excellent against the same words in alphabetical order."""
    order = ["poor", "fair", "good", "excellent"]
    a = ["poor", "fair", "good", "excellent", "good", "fair", "poor", "excellent"]
    b = ["fair", "fair", "good", "good", "excellent", "poor", "poor", "excellent"]

    kappas = [
        cohen_kappa(confusion_table(coded(a, labels), coded(b, labels), 4), "quadratic").kappa
        for labels in (order, sorted(order))
    ]

    assert kappas == pytest.approx([0.8, 0.2])


@pytest.mark.parametrize("bad", [[-1, 0], [0, 4], [0.5, 1], [np.nan, 1]])
def test_a_code_that_is_no_label_is_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="not one of 0"):
        confusion_table(np.array(bad), np.array([0, 1]), 4)


def test_codes_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="shapes"):
        confusion_table(np.array([0, 1]), np.array([0]), 2)
