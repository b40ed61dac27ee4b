"""A ballot that cannot be asked about a rubric is refused, at the field to blame."""

from dataclasses import replace
from typing import Any

import pytest

from venire.domain.ballot import BallotForm, Example
from venire.domain.fitting import check_ballot, form_for, points_of
from venire.domain.identity import CriterionId
from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, NominalScale, OrdinalScale, Rubric, Scale
from venire.errors import DesignError

YES_NO = NominalScale(labels=("yes", "no"))
GRADES = OrdinalScale(labels=("bad", "good", "best"))
STARS = IntervalScale(min=1, max=5)
SHARES = IntervalScale(min=0, max=1, integer=False)
CHOICE = ChoiceScale(tie=True)
Q = CriterionId("q0")
WORKED = Example(prompt="1 + 1?", responses=("2",), verdicts=((Q, "yes"),), explanation="It is.")


def _rubric(*scales: Scale) -> Rubric:
    return Rubric(
        criteria=tuple(
            Criterion(id=CriterionId(f"q{number}"), question="Is it?", scale=scale)
            for number, scale in enumerate(scales)
        )
    )


def _check(protocol: str, *scales: Scale, **fields: Any) -> None:
    check_ballot(BallotForm(**fields), _rubric(*scales), protocol)


@pytest.mark.parametrize(
    ("protocol", "scales", "fields", "at", "words"),
    [
        ("pointwise", [YES_NO], {"form": "likert"}, ("form",), "protocol: pairwise"),
        ("pointwise", [STARS], {"form": "pair"}, ("form",), "protocol: pairwise"),
        ("listwise", [CHOICE], {"form": "preference"}, ("form",), "protocol: pairwise"),
        ("pairwise", [ChoiceScale(tie=False)], {"form": "pair"}, ("form",), "come out even"),
        ("pairwise", [ChoiceScale(both_bad=True)], {"form": "likert"}, ("form",), "both are bad"),
        ("pairwise", [CHOICE], {"form": "rating"}, ("form",), "form: label"),
        ("pairwise", [CHOICE], {"form": "boolean"}, ("form",), "two labels"),
        ("pointwise", [YES_NO], {"form": "rating"}, ("form",), "form: label"),
        ("pointwise", [STARS], {"form": "label"}, ("form",), "form: rating"),
        ("pointwise", [GRADES], {"form": "boolean"}, ("form",), "two labels"),
        ("pointwise", [YES_NO], {"form": "multi"}, (), "several criteria"),
        ("pointwise", [YES_NO, STARS], {"json": False}, ("json",), "plain text"),
        ("pairwise", [CHOICE], {"form": "pair", "probabilities": "required"}, ("probabilities",), "list of words"),
        ("pointwise", [SHARES], {"probabilities": "if_supported"}, ("probabilities",), "list of words"),
        ("pointwise", [STARS], {"threshold": 3}, ("threshold",), "0 criteria with two labels"),
        ("pointwise", [YES_NO, SHARES], {"threshold": 2}, ("threshold",), "outside"),
        ("pointwise", [YES_NO], {"examples": (replace(WORKED, responses=("2", "3")),)}, ("examples", 0), "2 responses"),
        ("pairwise", [CHOICE], {"examples": (WORKED,)}, ("examples", 0), "1 responses"),
        ("pointwise", [GRADES], {"examples": (WORKED,)}, ("examples", 0), "not on the scale"),
        ("pointwise", [YES_NO, STARS], {"examples": (WORKED,)}, ("examples", 0), "exactly one on each"),
        ("pointwise", [YES_NO], {"examples": (WORKED,), "fields": ("answer",)}, ("examples", 0), "without ['answer']"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_reason(
    protocol: str, scales: list[Scale], fields: dict[str, Any], at: tuple[str | int, ...], words: str
) -> None:
    with pytest.raises(DesignError, match=None) as raised:
        _check(protocol, *scales, **fields)

    assert raised.value.at == at
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("protocol", "scales", "fields"),
    [
        ("pairwise", [CHOICE], {"form": "likert"}),
        ("pairwise", [CHOICE, CHOICE], {"form": "likert"}),
        ("pairwise", [CHOICE], {"form": "pair", "json": False}),
        ("pairwise", [CHOICE], {"form": "preference"}),
        ("pointwise", [YES_NO], {"form": "boolean"}),
        ("pointwise", [YES_NO, STARS, GRADES], {"form": "multi"}),
        ("pointwise", [YES_NO, SHARES], {"threshold": 0.5}),
        ("pointwise", [STARS], {"probabilities": "required"}),
        ("pointwise", [YES_NO], {"examples": (WORKED,), "fields": ("explanation",)}),
    ],
)
def test_what_fits_is_accepted(protocol: str, scales: list[Scale], fields: dict[str, Any]) -> None:
    _check(protocol, *scales, **fields)


def test_the_form_follows_the_scale_where_the_ballot_leaves_it_open() -> None:
    assert [form_for(scale, None) for scale in (YES_NO, GRADES, STARS, CHOICE)] == ["label", "label", "rating", "label"]
    assert [form_for(scale, "multi") for scale in (YES_NO, STARS)] == ["label", "rating"]


def test_points_are_listed_up_to_a_hundred_and_one() -> None:
    assert list(points_of(STARS) or ()) == [1, 2, 3, 4, 5]
    assert points_of(IntervalScale(min=0, max=100)) is not None
    assert points_of(IntervalScale(min=0, max=101)) is None
    assert points_of(SHARES) is None
