"""Scales and criteria refuse what no judge could answer."""

from typing import Any

import pytest

from venire.domain.identity import CriterionId
from venire.domain.rubric import (
    ChoiceScale,
    Criterion,
    IntervalScale,
    NominalScale,
    OrdinalScale,
    Rubric,
    Scale,
    Value,
    admits,
)
from venire.errors import DesignError

YES_NO = NominalScale(labels=("yes", "no"))


def _criterion(name: str = "q", **fields: Any) -> Criterion:
    plain: dict[str, Any] = {"id": CriterionId(name), "question": "Is it?", "scale": YES_NO}
    return Criterion(**(plain | fields))


@pytest.mark.parametrize("make", [NominalScale, OrdinalScale])
@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ((), "at least two"),
        (("yes",), "at least two"),
        (("yes", "Yes"), "repeat one another"),
        (("1", "１"), "repeat one another"),
        (("fine", "ﬁne"), "repeat one another"),
        (("a", "a\u200b"), "repeat one another"),
        (("a", ""), "is empty"),
        (("a", "\u200b"), "is empty"),
        (("a", " b"), "outer spaces"),
        (("a", "b\nc"), "line break"),
        (("a", "b\u2028c"), "line break"),
        (("a", "Cannot_Assess"), "the word for abstaining"),
    ],
)
def test_labels_that_could_not_be_told_apart_are_refused(make: Any, labels: tuple[str, ...], words: str) -> None:
    with pytest.raises(DesignError, match=words):
        make(labels=labels)


def test_the_first_label_is_the_positive_one_unless_named() -> None:
    assert YES_NO.positive == "yes"
    assert NominalScale(labels=("a", "b"), positive="b").positive == "b"
    with pytest.raises(DesignError, match="not one of the labels"):
        NominalScale(labels=("a", "b"), positive="c")


@pytest.mark.parametrize(
    ("low", "high", "integer"),
    [(2, 2, True), (3, 2, True), (0.5, 2, True), (float("nan"), 1, False), (0, float("inf"), False)],
)
def test_bounds_that_hold_no_scale_are_refused(low: float, high: float, integer: bool) -> None:
    with pytest.raises(DesignError, match="min="):
        IntervalScale(min=low, max=high, integer=integer)


def test_whole_bounds_are_the_same_scale_with_and_without_a_point() -> None:
    assert repr(IntervalScale(min=1, max=10)) == repr(IntervalScale(min=1.0, max=10.0))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"id": "1st"}, "must start with a letter"),
        ({"id": "a b"}, "must start with a letter"),
        ({"id": "x" * 65}, "must start with a letter"),
        ({"id": "Overall"}, "is reserved"),
        ({"id": "confidence"}, "is reserved"),
        ({"question": " \n"}, "has no question"),
        ({"weight": 0}, "above 0"),
        ({"weight": float("nan")}, "above 0"),
        ({"weight": float("inf")}, "above 0"),
    ],
)
def test_a_criterion_that_cannot_be_asked_or_weighed_is_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(DesignError, match=words):
        _criterion(**fields)


def test_a_rubric_has_criteria_with_names_of_their_own() -> None:
    with pytest.raises(DesignError, match="no criterion"):
        Rubric(criteria=())
    with pytest.raises(DesignError, match="repeat one another"):
        Rubric(criteria=(_criterion("a"), _criterion("A")))


def test_a_criterion_is_found_by_its_id() -> None:
    rubric = Rubric(criteria=(_criterion("a"), _criterion("b")))

    assert rubric.criterion(CriterionId("b")).id == "b"
    with pytest.raises(KeyError, match="there are"):
        rubric.criterion(CriterionId("c"))


@pytest.mark.parametrize(
    ("scale", "inside", "outside"),
    [
        (YES_NO, ["yes", "no"], ["Yes", "", True, 1, 0]),
        (IntervalScale(min=1, max=3), [1, 2.0, 3], [0, 4, 1.5, "1", True, float("nan"), float("inf")]),
        (IntervalScale(min=0, max=1, integer=False), [0, 0.5, 1.0], [-0.1, 1.1, False, "tie"]),
        (ChoiceScale(), [0, 2, "tie"], [1, 3, -1, "both_bad", "A", 0.0, True]),
        (ChoiceScale(tie=False, both_bad=True), [0, "both_bad"], ["tie"]),
    ],
)
def test_a_scale_admits_its_values_and_no_others(scale: Scale, inside: list[Value], outside: list[Value]) -> None:
    assert all(admits(scale, value, (0, 2)) for value in inside)
    assert not any(admits(scale, value, (0, 2)) for value in outside)
