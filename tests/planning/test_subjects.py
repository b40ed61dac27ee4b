"""Which responses are judged, alone or against each other."""

from typing import Any

import pytest

from venire.planning.calls import plan_calls
from venire.planning.subjects import is_askable, shown_orders, subjects_of

from .plans import design, item

THREE = item("i", "a", "b", "c")


@pytest.mark.parametrize(
    ("protocol", "baseline", "subjects"),
    [
        ("pointwise", None, [(0,), (1,), (2,)]),
        ("pairwise", None, [(0, 1), (0, 2), (1, 2)]),
        ("pairwise", "s1", [(0, 1), (1, 2)]),
        ("pairwise", "s9", []),
        ("listwise", None, [(0, 1, 2)]),
    ],
)
def test_the_protocol_says_what_is_judged(protocol: Any, baseline: str | None, subjects: list[Any]) -> None:
    about = design(protocol, baseline=baseline)

    assert [subject.responses for subject in subjects_of(THREE, about)] == subjects


def test_two_responses_of_the_baseline_do_not_meet() -> None:
    twice = item("i", "a", "b", "c", systems=("base", "base", "new"))

    subjects = subjects_of(twice, design("pairwise", baseline="base"))

    assert [subject.responses for subject in subjects] == [(0, 2), (1, 2)]


@pytest.mark.parametrize("protocol", ["pairwise", "listwise"])
def test_one_response_has_nothing_to_be_compared_with(protocol: Any) -> None:
    assert subjects_of(item("i", "a"), design(protocol)) == ()


@pytest.mark.parametrize(
    ("orders", "shown"),
    [("AB", [(0, 1, 2)]), ("BA", [(2, 1, 0)]), ("both", [(0, 1, 2), (2, 1, 0)])],
)
def test_orders_are_shown_as_declared(orders: Any, shown: list[Any]) -> None:
    about = design("listwise", orders=orders)
    (subject,) = subjects_of(THREE, about)

    assert list(shown_orders(subject, about)) == shown


def test_an_empty_response_is_judged_and_a_missing_one_is_not_asked_about() -> None:
    some = item("i", "", None)
    empty, missing = subjects_of(some, design())

    assert is_askable(some, empty)
    assert not is_askable(some, missing)
    assert [call.subject for call in plan_calls([some], design())] == [empty]
    assert list(plan_calls([some], design("pairwise"))) == []
