"""The form says in words and as a schema what the reader reads."""

import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.ballots.form import Ballot, answer_format, ballot_schema, letters, words_of
from venire.ballots.instructions import describe_rubric, instruct
from venire.ballots.read import read_ballot
from venire.domain.judgment import Abstention, Label
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, OrdinalScale, Scale

from .makers import CHOICE, ONE_TO_TEN, RIGHT, ballot, outcome, reply

LABEL_SCALES = st.sampled_from([RIGHT, OrdinalScale(labels=("1", "2", "10")), NominalScale(labels=("née", "ﬁn"))])
SCALES = st.one_of(
    LABEL_SCALES,
    st.sampled_from([ONE_TO_TEN, IntervalScale(min=0, max=1000), IntervalScale(min=0, max=1, integer=False), CHOICE]),
)
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["correct", "Correct", " 1", "1", "10", "née", "fin", "A", "tie", "cannot_assess", ""]),
    st.lists(st.just("correct"), max_size=1),
)


def _admits(form: Ballot, document: Any) -> bool:
    return bool(jsonschema.Draft202012Validator(ballot_schema(form)).is_valid(document))


@given(st.lists(SCALES, min_size=1, max_size=3), st.booleans())
def test_every_schema_is_a_valid_schema(scales: list[Scale], abstain: bool) -> None:
    jsonschema.Draft202012Validator.check_schema(ballot_schema(ballot(*scales, abstain=abstain)))


@given(SCALES, st.booleans(), VALUES)
def test_what_the_schema_admits_is_read(scale: Scale, abstain: bool, value: Any) -> None:
    form = ballot(scale, abstain=abstain)
    # Bounds too many to list are not in the schema: several APIs refuse minimum and maximum.
    is_listed = words_of(form.rubric.criteria[0], form) is not None

    if _admits(form, {"q": value}) and (is_listed or isinstance(value, str) or 0 <= value <= 1):
        assert isinstance(outcome(form, json.dumps({"q": value})), Label | Abstention)


@given(LABEL_SCALES, VALUES)
def test_of_a_label_scale_nothing_else_is_read_than_the_schema_admits(scale: Scale, value: Any) -> None:
    got = outcome(ballot(scale), json.dumps({"q": value}))

    if isinstance(got, Label):
        assert isinstance(value, str)
        assert _admits(ballot(scale), {"q": got.value})
    else:
        assert not _admits(ballot(scale), {"q": value})


@given(LABEL_SCALES)
def test_every_label_is_admitted_and_read_as_itself(scale: Scale) -> None:
    form = ballot(scale)

    for word in words_of(form.rubric.criteria[0], form) or ():
        assert _admits(form, {"q": word})
        assert outcome(form, json.dumps({"q": word})) == Label(value=word)


def test_the_schema_asks_for_the_fields_before_the_verdicts_in_the_rubrics_order() -> None:
    form = ballot(RIGHT, ONE_TO_TEN, names=("zeal", "accuracy"), fields=("explanation", "confidence"))

    schema = json.loads(answer_format(form).schema)

    assert list(schema["properties"]) == ["explanation", "confidence", "zeal", "accuracy"]
    assert schema["required"] == list(schema["properties"])


def test_the_schema_is_written_the_same_whatever_the_order_of_sets() -> None:
    assert answer_format(ballot(RIGHT)).schema == (
        '{"type":"object","properties":{"q":{"type":"string","enum":["correct","incorrect"]}},'
        '"required":["q"],"additionalProperties":false}'
    )


@pytest.mark.parametrize("missing", ["q", "explanation"])
def test_the_schema_admits_no_other_and_no_missing_field(missing: str) -> None:
    form, whole = ballot(RIGHT, fields=("explanation",)), {"explanation": "", "q": "correct"}

    assert _admits(form, whole)
    assert not _admits(form, {**whole, "more": 1})
    assert not _admits(form, {name: value for name, value in whole.items() if name != missing})


@pytest.mark.parametrize(
    ("scale", "schema"),
    [
        (IntervalScale(min=-1, max=1), {"type": "integer", "enum": [-1, 0, 1]}),
        (IntervalScale(min=0, max=1000), {"type": "integer"}),
        (IntervalScale(min=0, max=1, integer=False), {"type": "number"}),
        (IntervalScale(min=-1e308, max=1.7e308), {"type": "integer"}),
        (ChoiceScale(tie=False), {"type": "string", "enum": ["A", "B"]}),
        (ChoiceScale(both_bad=True), {"type": "string", "enum": ["A", "B", "tie", "both_bad"]}),
    ],
)
def test_the_schema_of_a_verdict_follows_from_its_scale(scale: Scale, schema: object) -> None:
    properties: Any = ballot_schema(ballot(scale))["properties"]

    assert properties["q"] == schema


def test_a_numeric_ballot_with_abstention_admits_the_word_and_nothing_else_beside_numbers() -> None:
    form = ballot(ONE_TO_TEN, abstain=True)

    assert [_admits(form, {"q": value}) for value in (1, 11, "cannot_assess", "1")] == [True, False, True, False]


@pytest.mark.parametrize(
    ("form", "kind"),
    [
        (ballot(RIGHT), "json_schema"),
        (ballot(RIGHT, json=False), "one_of"),
        (ballot(RIGHT, json=False, fields=("explanation",)), "text"),
        (ballot(IntervalScale(min=0, max=1, integer=False), json=False), "text"),
    ],
)
def test_the_endpoint_is_asked_for_the_tightest_format(form: Ballot, kind: str) -> None:
    assert answer_format(form).kind == kind


def test_a_one_word_ballot_lists_its_words() -> None:
    assert answer_format(ballot(CHOICE, json=False, abstain=True)).words == ("A", "B", "tie", "cannot_assess")


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (ballot(RIGHT), '- "q": one of: correct, incorrect'),
        (ballot(OrdinalScale(labels=("1", "2"))), '- "q": one of, from worst to best: "1", "2"'),
        (ballot(NominalScale(labels=("true", "false"))), '- "q": one of: "true", "false"'),
        (ballot(NominalScale(labels=("yes, all", "no"))), '- "q": one of: "yes, all", "no"'),
        (ballot(IntervalScale(min=0, max=10_000_000)), "a whole number from 0 (worst) to 10000000 (best)"),
        (ballot(IntervalScale(min=0.25, max=1, integer=False)), "a number from 0.25 (worst) to 1 (best)"),
        (ballot(CHOICE), "A (response A is better), B (response B is better), tie (equally good)"),
        (ballot(RIGHT, json=False), "Reply with one of: correct, incorrect. Write nothing else."),
        (ballot(RIGHT, json=False, fields=("explanation",)), 'End with a line of its own: "Verdict: …", one of:'),
        (ballot(RIGHT, abstain=True), '(or "cannot_assess" if you cannot tell)'),
    ],
)
def test_the_judge_is_told_what_it_may_write(form: Ballot, words: str) -> None:
    assert words in instruct(form)


def test_several_questions_are_listed_by_their_id() -> None:
    assert describe_rubric(ballot(RIGHT, RIGHT).rubric) == '- "q": Is it right?\n- "q2": Is it right?'


def test_more_responses_than_letters_are_refused() -> None:
    assert letters(26)[-1] == "Z"
    with pytest.raises(ValueError, match="27 responses"):
        letters(27)


@pytest.mark.parametrize("n_shown", [2, 3, 26])
def test_every_letter_is_read_as_the_response_shown_there(n_shown: int) -> None:
    shown = tuple(reversed(range(n_shown)))
    form = ballot(CHOICE, n_shown=n_shown)

    for position, letter in enumerate(letters(n_shown)):
        (reading,) = read_ballot(form, reply(json.dumps({"q": letter})), shown)
        assert reading.outcome == Label(value=shown[position])
