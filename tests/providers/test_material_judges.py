"""Judges without a language model: containment, length and random."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.providers.building import CHOICE, FIVE, YES_NO, ask, judge, parts, prompt, value
from venire.domain.design import scale_content
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, OrdinalScale, Scale, admits
from venire.errors import ProviderError
from venire.providers.baselines import Length, Random
from venire.providers.containment import Containment, contains, normalize_answer
from venire.providers.material import point_on, read_scale

NO_TIE = ChoiceScale(tie=False)
BOTH_BAD = ChoiceScale(both_bad=True)
SHARE = IntervalScale(min=0, max=1, integer=False)
NEGATIVE_FIRST = NominalScale(labels=("wrong", "right"), positive="right")
LEVELS = OrdinalScale(labels=("bad", "fair", "good"))
ALL_SCALES = [YES_NO, NEGATIVE_FIRST, FIVE, SHARE, CHOICE, NO_TIE, BOTH_BAD, LEVELS]


@pytest.mark.parametrize("scale", ALL_SCALES)
def test_a_scale_survives_being_written_and_read(scale: Scale) -> None:
    content: Any = json.loads(json.dumps(scale_content(scale)))

    assert read_scale(content) == scale


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The  Beatles' (an English band)", "beatles english band"),
        ("An apple a day", "apple day"),
        ("U.S.A.", "usa"),
        ("theatre", "theatre"),
        ("The!", ""),
    ],
)
def test_answers_are_normalised_as_squad_does(text: str, normal: str) -> None:
    """Rajpurkar et al. 2016: lower case, no punctuation, no articles, single spaces."""
    assert normalize_answer(text) == normal


@pytest.mark.parametrize(
    ("response", "reference", "plain", "tokens"),
    [
        ("It is Paris.", ["Paris"], True, True),
        ("It is PARIS", ["London", "paris"], True, True),
        ("Born in 19895", ["1989"], True, False),
        ("It is Lyon", ["Paris"], False, False),
        ("anything", ["The"], False, False),
        ("", ["Paris"], False, False),
    ],
)
def test_a_reference_is_contained_as_a_substring_or_as_whole_tokens(
    response: str, reference: list[str], plain: bool, tokens: bool
) -> None:
    assert contains(response, reference) is plain
    assert contains(response, reference, tokens=True) is tokens


@given(st.text(), st.lists(st.text(), max_size=3))
def test_whole_tokens_are_a_stricter_rule(response: str, reference: list[str]) -> None:
    assert contains(response, reference) >= contains(response, reference, tokens=True)


@pytest.mark.parametrize(
    ("scale", "responses", "wanted"),
    [
        (YES_NO, ["It is Paris."], "yes"),
        (YES_NO, ["It is Lyon."], "no"),
        (NEGATIVE_FIRST, ["It is Paris."], "right"),
        (FIVE, ["It is Paris."], 5),
        (FIVE, ["It is Lyon."], 1),
        (CHOICE, ["Lyon", "Paris"], "B"),
        (CHOICE, ["Paris", "Paris"], "tie"),
        (CHOICE, ["Lyon", "Rome"], "tie"),
        (BOTH_BAD, ["Lyon", "Rome"], "both_bad"),
        (BOTH_BAD, ["Paris", "Paris"], "tie"),
        (NO_TIE, ["Lyon", "Rome"], "cannot_assess"),
        (CHOICE, ["Lyon", "Rome", "Paris"], "C"),
    ],
)
def test_containment_answers_on_every_scale_it_has(scale: Scale, responses: list[str], wanted: Any) -> None:
    assert value(ask(Containment(judge("containment")), parts(*responses, scales=[scale]))) == wanted


@pytest.mark.parametrize("reference", [[], ["the"]])
def test_without_a_reference_containment_cannot_assess(reference: list[str]) -> None:
    assert value(ask(Containment(judge("containment")), parts("Paris", reference=reference))) == "cannot_assess"


def test_several_criteria_and_none_named_cannot_be_assessed() -> None:
    reply = ask(Containment(judge("containment")), parts("Paris", scales=[YES_NO, YES_NO]))

    assert json.loads(reply.choices[0].text) == {"c0": "cannot_assess", "c1": "cannot_assess"}


def test_the_named_criterion_is_assessed_and_no_other() -> None:
    reply = ask(Containment(judge("containment", {"criterion": "c1"})), parts("Paris", scales=[LEVELS, YES_NO]))

    assert json.loads(reply.choices[0].text) == {"c0": "cannot_assess", "c1": "yes"}


def test_the_raw_reply_keeps_what_was_found_and_nothing_is_billed() -> None:
    reply = ask(Containment(judge("containment", {"tokens": True})), parts("Paris"))

    assert json.loads(reply.raw) == {"c0": {"value": "yes", "contained": True}}
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (0, 0)


def test_a_scale_without_a_rule_is_refused() -> None:
    with pytest.raises(ProviderError, match="cannot answer"):
        ask(Containment(judge("containment")), parts("Paris", scales=[LEVELS]))


@pytest.mark.parametrize("content", ["Is this right?", "[]", '{"item": "i"}', "null"])
def test_a_prompt_for_a_language_model_is_refused(content: str) -> None:
    with pytest.raises(ProviderError) as caught:
        ask(Random(judge("random")), prompt(("user", content), provider="random"))

    assert caught.value.kind == "bad_request"


@pytest.mark.parametrize(("share", "wanted"), [(0.0, 1), (1.0, 5), (0.5, 3), (-0.4, 1), (1.2, 5)])
def test_a_share_lies_on_the_scale(share: float, wanted: int) -> None:
    assert point_on(FIVE, share) == wanted


@pytest.mark.parametrize(
    ("scale", "responses", "wanted"),
    [
        (CHOICE, ["one two", "one two three"], "B"),
        (CHOICE, ["one two", "one  two"], "tie"),
        (NO_TIE, ["one", "two"], "cannot_assess"),
        (YES_NO, ["one two three"], "yes"),
        (YES_NO, ["one two"], "no"),
        (YES_NO, [""], "no"),
    ],
)
def test_length_counts_words(scale: Scale, responses: list[str], wanted: str) -> None:
    provider = Length(judge("length", {"min_words": 3}))

    assert value(ask(provider, parts(*responses, scales=[scale]))) == wanted


def test_length_needs_no_reference() -> None:
    assert value(ask(Length(judge("length")), parts("a", "b c", scales=[CHOICE], reference=[]))) == "B"


@pytest.mark.parametrize("scale", ALL_SCALES)
def test_a_random_value_lies_on_its_scale(scale: Scale) -> None:
    n_shown = 2 if isinstance(scale, ChoiceScale) else 1
    reply = ask(Random(judge("random")), parts(*["x"] * n_shown, scales=[scale]), range(50))

    drawn = {json.loads(choice.text)["c0"] for choice in reply.choices}
    labels = [{"A": 0, "B": 1}.get(each, each) for each in drawn]
    assert all(admits(scale, label, (0, 1)) for label in labels)
    assert len(drawn) > 1


@pytest.mark.parametrize("change", [{"item": "other"}, {"shown": [1, 0]}, {"reference": []}])
def test_a_random_draw_depends_on_item_and_order_alone(change: dict[str, Any]) -> None:
    provider = Random(judge("random"))
    before = ask(provider, parts("x", "y", scales=[SHARE]))
    after = ask(provider, parts("x", "y", scales=[SHARE], **change))

    assert (value(before) == value(after)) == ("reference" in change)


def test_another_seed_draws_otherwise() -> None:
    draws = [value(ask(Random(judge("random", {"seed": seed})), parts("x", scales=[SHARE]))) for seed in (0, 1)]

    assert draws[0] != draws[1]


def test_random_draws_are_even() -> None:
    """1000 draws from two labels: 400 to 600 of one lie within 6.3 standard deviations (15.8)."""
    reply = ask(Random(judge("random")), parts("x"), range(1000))

    assert 400 < sum("yes" in choice.text for choice in reply.choices) < 600
