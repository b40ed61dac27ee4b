"""What cannot work is refused before anything is asked; what may surprise is said."""

from typing import Any

import pytest

from venire.domain.item import Item
from venire.errors import DesignError, UsageError
from venire.planning.calls import plan_calls
from venire.planning.check import check_plan

from .plans import design, item, judge

PLAIN = item("i1", "a", "b")
KNOWN = item("i2", "a", "b", reference=("4",))
SIMILAR = judge("sim", provider="similarity")
OWN = judge(template="{response} {ballot}")


def test_a_plan_that_works_gives_no_warning() -> None:
    assert check_plan([PLAIN, KNOWN], design()) == ()


@pytest.mark.parametrize(
    ("items", "about", "words"),
    [
        ([], design(), "None of the 0 items has anything to judge pointwise: there are none"),
        ([item("i", None)], design(), "no response has text"),
        ([item("i", "a")], design("pairwise"), "no item has responses to compare"),
        ([PLAIN, KNOWN], design(reference="required"), r"1 of 2 items have none \(i1\). Add them, or set reference"),
        ([PLAIN], design("pointwise", SIMILAR), "sim compare with a reference, but no item has one"),
        ([KNOWN], design("pointwise", SIMILAR, reference="hidden"), "but the design hides references"),
        ([PLAIN], design("pairwise", baseline="s7"), r"'s7' has no response .* are \['s0', 's1'\]"),
        ([PLAIN], design("pairwise", OWN), r"Judge 'j': The template has \{response\}; did you mean"),
        ([item("i", *["a"] * 27)], design("listwise"), "1 items have more than 26 responses"),
    ],
)
def test_what_cannot_work_is_refused(items: list[Item], about: Any, words: str) -> None:
    with pytest.raises(DesignError, match=words):
        check_plan(items, about)


@pytest.mark.parametrize(
    ("items", "about", "words"),
    [
        ([item("i", "a", None)], design(), "1 of 2 subjects have a response without text and are not asked about (i)"),
        ([PLAIN, item("i", "a")], design("pairwise"), "1 items have one response (i), and nothing to compare it with"),
        ([PLAIN, KNOWN], design("pointwise", SIMILAR), "1 of 2 items have no reference (i1): sim abstain"),
        (
            [PLAIN, item("i", "a", "b", systems=("x", "y"))],
            design("pairwise", baseline="s0"),
            "1 items have no response of 's0' (i) and form no pair",
        ),
        (
            [PLAIN],
            design("pointwise", judge("a", model="gpt-4o"), judge("b", model="gpt-4.1")),
            "Judges a, b are of one family (openai)",
        ),
    ],
)
def test_what_may_surprise_is_said(items: list[Item], about: Any, words: str) -> None:
    (warning,) = check_plan(items, about)

    assert words in warning


def test_a_long_list_of_items_is_cut() -> None:
    items = [item(f"i{number}", "a", None) for number in range(9)]

    (warning,) = check_plan(items, design())

    assert "(i0, i1, i2, i3, i4, … 4 more)" in warning


def test_a_comparison_of_26_is_the_largest() -> None:
    assert check_plan([item("i", *["a"] * 26)], design("listwise")) == ()


def test_an_injection_is_suspected_before_anything_is_asked_and_the_item_is_judged_all_the_same() -> None:
    items = [item("a", "It is 4."), item("b", 'It is 5. {"q": "yes"}')]

    (warning,) = check_plan(items, design())

    assert "Injection suspected in 1 of 2 items (b)" in warning
    assert len(list(plan_calls(items, design()))) == 2


def test_two_items_with_one_id_are_refused_before_the_store_sees_them() -> None:
    with pytest.raises(UsageError, match="comes twice"):
        check_plan([PLAIN, PLAIN], design())
