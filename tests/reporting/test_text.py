"""Figures as text: reasons are never a dash, unknown costs never zero, text from outside never acts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.identity import ItemId
from venire.domain.item import Subject
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, OrdinalScale, Scale
from venire.reporting.text import (
    count,
    make_inert,
    shorten,
    show_cost,
    show_figure,
    show_number,
    show_percent,
    show_place,
    show_scale,
    show_seconds,
    show_share,
    show_usd,
    show_value_of_scale,
)

PAIR = Subject(item_id=ItemId("q"), responses=(0, 2))


def finding(value: float | Undefined, interval: Interval | Undefined, name: str = "kappa") -> Finding:
    """A finding about nothing in particular."""
    return Finding(name=name, about="a", value=value, interval=interval, n=9, n_groups=9, provenance="test")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.617, ".62"), (1.0, "1.00"), (0.999, "1.00"), (-0.05, "-.05"), (-1.0, "-1.00"), (0.0, ".00"), (-0.001, ".00")],
)
def test_shares_have_two_decimals_and_no_leading_zero(value: float, text: str) -> None:
    assert show_share(value) == text


@pytest.mark.parametrize(("value", "text"), [(0.0, "0"), (1.234, "1.23"), (12345.6, "12,346"), (999.9, "1,000")])
def test_numbers_have_three_significant_digits(value: float, text: str) -> None:
    assert show_number(value) == text


def test_a_figure_stands_with_its_interval() -> None:
    assert show_figure(finding(0.62, Interval(low=0.48, high=0.74, method="m"))) == ".62 [.48, .74]"


def test_an_error_is_shown_in_units_of_its_scale() -> None:
    interval = Interval(low=0.5, high=1.25, method="m")
    assert show_figure(finding(0.75, interval, "mean_absolute_error")) == "0.75 [0.5, 1.25]"


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (Undefined("there is no gold"), "undefined: there is no gold"),
        (finding(Undefined("one class"), Undefined("one class")), "undefined: one class"),
        (finding(0.5, Undefined("1 group")), ".50 no interval: 1 group"),
    ],
)
def test_what_is_undefined_says_why(figure: Finding | Undefined, text: str) -> None:
    assert show_figure(figure) == text


@pytest.mark.parametrize(
    ("usd", "n_unpriced", "text"),
    [
        (0.0028, 1, "$0.0028 + unknown for 1 call"),
        (0.0, 2, "unknown for 2 calls"),
        (0.0, 0, "$0"),
        (1234.5, 0, "$1,234.50"),
        (0.00001, 0, "< $0.0001"),
    ],
)
def test_an_unknown_cost_is_never_zero(usd: float, n_unpriced: int, text: str) -> None:
    assert show_cost(usd, n_unpriced) == text


def test_a_cost_above_nothing_is_never_shown_as_zero() -> None:
    assert show_usd(1e-9) != show_usd(0.0)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0001, "< 0.001 s"),
        (0.0123, "0.012 s"),
        (1.26, "1.3 s"),
        (2.0, "2.0 s"),
        (9.96, "10 s"),
        (42.4, "42 s"),
        (130.0, "2.2 min"),
    ],
)
def test_seconds_have_their_unit(seconds: float, text: str) -> None:
    assert show_seconds(seconds) == text


@pytest.mark.parametrize(
    ("n", "of", "text"),
    [(0, 1000, "0%"), (1, 1000, "< 1%"), (999, 1000, "> 99%"), (1000, 1000, "100%"), (0, 0, "none of none")],
)
def test_few_is_not_none_and_most_is_not_all(n: int, of: int, text: str) -> None:
    assert show_percent(n, of) == text


def test_one_is_singular() -> None:
    assert (count(1, "call"), count(0, "call"), count(1200, "call")) == ("1 call", "0 calls", "1,200 calls")


@pytest.mark.parametrize(
    ("scale", "text"),
    [
        (NominalScale(labels=("yes", "no")), "nominal: yes, no (success: yes)"),
        (OrdinalScale(labels=("bad", "good")), "ordinal, worst first: bad, good"),
        (IntervalScale(min=1, max=5), "interval: whole numbers from 1 to 5"),
        (IntervalScale(min=0, max=1, integer=False), "interval: numbers from 0 to 1"),
        (ChoiceScale(tie=True, both_bad=True), "choice: one of the responses, or tie, or both bad"),
    ],
)
def test_a_scale_is_told_in_words(scale: Scale, text: str) -> None:
    assert show_scale(scale) == text


def test_a_choice_is_named_by_its_place_and_not_by_its_index() -> None:
    assert show_value_of_scale(2, PAIR, ChoiceScale()) == "second response"


def test_a_label_both_bad_of_another_scale_stays_as_it_is() -> None:
    assert show_value_of_scale("both_bad", PAIR, NominalScale(labels=("both_bad", "x"))) == "both_bad"


def test_the_fifth_response_has_a_number() -> None:
    assert show_place(4) == "response no. 5"


def test_long_text_is_cut_with_an_ellipsis() -> None:
    assert (shorten("a" * 28), shorten("a" * 29)) == ("a" * 28, "a" * 27 + "…")


@given(st.text(st.characters()))
def test_inert_text_can_be_printed_and_written(text: str) -> None:
    inert = make_inert(text)

    inert.encode("utf-8")
    assert not any(char in inert for char in "\x1b\x00\x9b\u202e\u2066\u2028\r")


def test_an_escape_sequence_becomes_visible() -> None:
    assert make_inert("\x1b[31mred\u202e") == "\\x1b[31mred\\u202e"
