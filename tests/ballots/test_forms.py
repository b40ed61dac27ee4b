"""Every form: what the instructions ask for is read as it was meant, in any wrapping, beside any decoy."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.ballots.comparing import likert_preference, likert_word, pair_preference, preferring
from venire.ballots.form import LIKERT, Ballot, answer_format, ballot_schema
from venire.ballots.instructions import fill_in, instruct
from venire.ballots.read import read_ballot
from venire.domain.ballot import Example
from venire.domain.identity import CriterionId
from venire.domain.judgment import Abstention, Failure, Label
from venire.domain.rubric import IntervalScale, NominalScale

from .makers import CHOICE, ONE_TO_TEN, RIGHT, ballot, outcome, reply

YES_NO = NominalScale(labels=("yes", "no"))
COMPARING = ("likert", "pair", "preference")
WRAPPINGS = (
    "{}",
    "```json\n{}\n```",
    "~~~\n{}\n~~~",
    "Here is my verdict.\n\n{}\n\nTell me if you need more.",
    "<think>At first I thought of {{}}.</think>\n{}",
    "<answer>{}</answer>",
    "\ufeff{}\u2060",
)
DAMAGES = (
    lambda text: text.replace('"', "'"),
    lambda text: text[:-1] + ",}",
    lambda text: text[:-1] + "\n// that is all\n}",
    lambda text: text.replace("true", "True").replace("false", "False").replace('"', "'"),
    lambda text: text[:-1] + ', "note": "bad escape \\_ here"}',
    lambda text: text[:-1] + ', "note": "two\nlines"}',
)


def _form(form: str, **more: Any) -> Ballot:
    scale = {"rating": ONE_TO_TEN, "label": RIGHT, "boolean": RIGHT}.get(form, CHOICE)
    return ballot(scale, form=form, **more)


def _label(form: Ballot, text: str, shown: tuple[int, ...] = (0, 1)) -> Label:
    (reading,) = read_ballot(form, reply(text), shown if form.n_shown == 2 else (0,))
    assert isinstance(reading.outcome, Label), reading
    return reading.outcome


VERDICTS: list[tuple[str, dict[str, Any], object]] = [
    ("label", {"q": "correct"}, "correct"),
    ("label", {"q": "incorrect"}, "incorrect"),
    ("rating", {"q": 7}, 7),
    ("rating", {"q": 10}, 10),
    ("boolean", {"q": True}, "correct"),
    ("boolean", {"q": False}, "incorrect"),
    ("likert", {"q": "A>>B"}, 0),
    ("likert", {"q": "A=B"}, "tie"),
    ("likert", {"q": "B>A"}, 1),
    ("pair", {"q_A": 8, "q_B": 3}, 0),
    ("pair", {"q_A": 3, "q_B": 10}, 1),
    ("pair", {"q_A": 5, "q_B": 5}, "tie"),
    ("preference", {"q": 0.2}, 0),
    ("preference", {"q": 0.5}, "tie"),
    ("preference", {"q": 1}, 1),
]


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize(("form", "document", "value"), VERDICTS)
def test_a_verdict_is_read_in_every_wrapping(form: str, document: dict[str, Any], value: object, wrapping: str) -> None:
    text = (
        wrapping.format(json.dumps(document))
        if "{{" not in wrapping
        else wrapping.replace("{{}}", "{}").replace("{}", json.dumps(document))
    )

    assert _label(_form(form), text).value == value


@pytest.mark.parametrize("number", range(len(DAMAGES)))
@pytest.mark.parametrize(("form", "document", "value"), VERDICTS)
def test_a_damaged_ballot_is_mended_and_the_step_says_so(
    form: str, document: dict[str, Any], value: object, number: int
) -> None:
    damaged = DAMAGES[number](json.dumps({"why": "It's so", **document}))

    (reading,) = read_ballot(_form(form), reply(damaged), (0, 1)[: _form(form).n_shown])

    assert isinstance(reading.outcome, Label), damaged
    assert (reading.outcome.value, reading.step) == (value, "repaired_json")


@given(st.sampled_from(VERDICTS), st.integers(1, 40))
def test_a_ballot_cut_anywhere_is_never_another_verdict(verdict: tuple[str, dict[str, Any], object], cut: int) -> None:
    form, document, value = verdict
    text = json.dumps({**document, "why": "because"})

    (reading,) = read_ballot(_form(form), reply(text[:-cut], "length"), (0, 1)[: _form(form).n_shown])

    if isinstance(reading.outcome, Label):
        assert (reading.outcome.value, reading.step) == (value, "truncated_json")
    else:
        assert isinstance(reading.outcome, Failure)


@pytest.mark.parametrize(
    "text",
    [
        '{"q": 1',
        "{'q': 1",
        '{"q": 7e, "why": "x"}',
        '{"q": 7 8}',
        '{"q": 1 0, "x": 1}',
        "{'why': 'he wrote \"q\": 9', 'q': 4",
        '{"q": 1, "q": 9,}',
        "{'q': NaN,}",
        "{'q': 1e999,}",
        "{'q': 0x7,}",
        "{'q': 1_0,}",
    ],
)
def test_a_number_is_never_repaired(text: str) -> None:
    assert isinstance(outcome(ballot(ONE_TO_TEN), text), Failure)


@pytest.mark.parametrize(
    ("form", "text", "value"),
    [
        ("likert", "Verdict: A >> B", 0),
        ("likert", "My verdict is: **B > A**", 1),
        ("likert", "I compared both.\n\n[[A=B]]", "tie"),
        ("likert", "[[B>>A]]", 1),
        ("likert", "A<<B", 1),
        ("likert", "Verdict: B<A", 0),
        ("likert", "A ≫ B", 0),
        ("preference", "Verdict: 0.8", 1),
        ("preference", "0.5", "tie"),
        ("pair", "Score A: 7\nScore B: 5", 0),
        ("pair", "Both are good.\n\n**Score A:** 7/10, **Score B:** 9/10", 1),
        ("pair", "Score A: 2\nScore B: 9\nOn reflection:\nScore A: 6\nScore B: 6", "tie"),
        ("boolean", "Verdict: yes", "correct"),
        ("boolean", "No.", "incorrect"),
        ("boolean", "Verdict: incorrect", "incorrect"),
    ],
)
def test_plain_text_is_read_in_every_form(form: str, text: str, value: object) -> None:
    assert _label(_form(form, json=False), text).value == value


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("likert", "A"),
        ("likert", "A>A"),
        ("likert", "Verdict: A>>B or B>>A"),
        ("likert", '{"q": "A"}'),
        ("likert", '{"q": 1}'),
        ("preference", '{"q": 70}'),
        ("preference", '{"q": "70%"}'),
        ("preference", '{"q": true}'),
        ("pair", '{"q_A": 7}'),
        ("pair", '{"q_A": 7, "q_B": 11}'),
        ("pair", '{"q_A": 7, "q_B": "high"}'),
        ("pair", '{"q": 7}'),
        ("pair", "Score A: 7"),
        ("pair", "Score A: 7/20\nScore B: 5"),
        ("pair", "Score A: 7\nScore B: 5\nScore B: 9"),
        ("boolean", '{"q": 1}'),
        ("boolean", '{"q": "perhaps"}'),
    ],
)
def test_what_is_no_verdict_of_the_form_is_a_failure(form: str, text: str) -> None:
    assert isinstance(outcome(_form(form), text), Failure)


@given(st.floats(0, 1), st.booleans())
def test_a_preference_is_the_same_in_both_orders(preference: float, is_swapped: bool) -> None:
    straight = preferring(preference, (0, 1))
    swapped = preferring(1.0 - preference, (1, 0))

    assert straight.preference == pytest.approx(swapped.preference)
    if preference not in (0.5, 1.0 - preference):
        assert straight.value == swapped.value


def test_a_pair_of_scores_becomes_a_preference_by_the_papers_sigmoid() -> None:
    """Salinas et al. (2025), arXiv:2501.17178: phi = 1 / (1 + exp(0.3 (a - b)))."""
    assert _label(_form("pair"), '{"q_A": 4, "q_B": 7}').preference == pytest.approx(1 / (1 + math.exp(0.3 * (4 - 7))))
    assert _label(_form("pair", steepness=1.0), '{"q_A": 4, "q_B": 7}').preference == pytest.approx(
        1 / (1 + math.exp(4 - 7))
    )


@given(st.integers(0, 10), st.integers(0, 10), st.floats(0.01, 3))
def test_a_better_score_is_never_preferred_less(first: int, second: int, steepness: float) -> None:
    preference = pair_preference(first, second, steepness)

    assert (preference > 0.5) == (second > first)
    assert preference + pair_preference(second, first, steepness) == pytest.approx(1.0)


def test_likert_words_are_five_steps_and_their_mirrors() -> None:
    assert [likert_preference(word) for word in LIKERT] == [0, 0.25, 0.5, 0.75, 1]
    assert [likert_word(text) for text in ("B<<A", "b < a", "B = A", "A<B", "A<<B")] == list(LIKERT)
    assert [likert_word(text) for text in ("A>>>B", "A", "A>C", "AB", "A><B", "")] == [None] * 6


def test_an_abstention_is_one_in_every_form() -> None:
    for form in COMPARING:
        name = "q_A" if form == "pair" else "q"
        document = {name: "cannot_assess"} | ({"q_B": 3} if form == "pair" else {})
        assert isinstance(outcome(_form(form, abstain=True), json.dumps(document)), Abstention)


@pytest.mark.parametrize("form", ["label", "rating", "boolean", *COMPARING])
@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize("fields", [(), ("explanation", "confidence")])
def test_a_worked_example_is_read_as_its_own_verdict(form: str, as_json: bool, fields: tuple[Any, ...]) -> None:
    asked = _form(form, json=as_json, fields=fields)
    value: Any = {"label": "incorrect", "rating": 7, "boolean": "incorrect"}.get(form, 1)
    responses = ("x", "y")[: asked.n_shown]
    worked = Example(
        prompt="p",
        responses=responses,
        verdicts=((CriterionId("q"), value),),
        explanation="Because it is.",
        confidence=0.7,
    )

    read = _label(asked, fill_in(asked, worked))

    assert read.value == value
    assert read.confidence == (0.7 if fields else None)


@pytest.mark.parametrize("form", ["boolean", *COMPARING])
def test_the_instructions_and_the_schema_name_the_same_fields(form: str) -> None:
    asked = _form(form, fields=("explanation",))

    for name in json.loads(answer_format(asked).schema)["required"]:
        assert f'- "{name}": ' in instruct(asked)
    assert json.dumps(ballot_schema(asked))  # plain JSON


def test_verdicts_listed_by_id_are_read_and_every_criterion_must_be_there() -> None:
    asked = ballot(YES_NO, YES_NO, names=("tone", "safety"))
    whole = '{"verdicts": [{"id": "safety", "verdict": "no"}, {"id": "tone", "verdict": "yes"}]}'
    unknown = '{"verdicts": [{"id": "safety", "verdict": "no"}, {"id": "style", "verdict": "yes"}]}'

    read = [reading.outcome for reading in read_ballot(asked, reply(whole), (0,))]
    failed = [reading.outcome for reading in read_ballot(asked, reply(unknown), (0,))]

    assert read == [Label(value="yes"), Label(value="no")]
    assert all(isinstance(one, Failure) and one.reason == "incomplete_set" for one in failed)
    assert "'style' was not asked about" in str(failed[0])


def test_a_rating_and_a_yes_that_contradict_are_a_failure_of_both() -> None:
    score = IntervalScale(min=0, max=1, integer=False)
    asked = ballot(score, YES_NO, names=("score", "passed"), threshold=0.5)

    def read(text: str) -> list[Any]:
        outcomes = [reading.outcome for reading in read_ballot(asked, reply(text), (0,))]
        return [one.value if isinstance(one, Label) else getattr(one, "reason", None) for one in outcomes]

    assert read('{"score": 0.5}') == [0.5, "yes"]
    assert read('{"score": 0}') == [0, "no"]
    assert read('{"score": 0, "passed": true}') == ["contradictory"] * 2
    assert read('{"passed": true}') == ["incomplete_set", "yes"]
    assert read('{"score": 0.9, "passed": 1}') == [0.9, "unreadable"]
