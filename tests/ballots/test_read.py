"""Reading a ballot never raises and never guesses."""

import json
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from venire.ballots.read import failed_readings, read_ballot
from venire.domain.call import FinishReason
from venire.domain.judgment import Abstention, Failure, Label
from venire.domain.rubric import IntervalScale, NominalScale, OrdinalScale, Scale, admits
from venire.errors import DesignError

from .makers import CHOICE, ONE_TO_TEN, RIGHT, ballot, outcome, read, reply

SCALES: tuple[Scale, ...] = (
    RIGHT,
    OrdinalScale(labels=("poor", "good", "good enough")),
    ONE_TO_TEN,
    IntervalScale(min=-1, max=1, integer=False),
    CHOICE,
)
TEXTS = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(["{", "}", '"q"', ":", "1", "correct", "\n", "Verdict: ", "[[A]]", "<think>", ",", "1e999"])
    ).map("".join),
)
FINISHES = st.sampled_from(["stop", "length", "content_filter", "refusal", "tool_calls", "other"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
KNOWN: list[tuple[Scale, Any, Any]] = [
    (RIGHT, "incorrect", "incorrect"),
    (ONE_TO_TEN, 1, 1),
    (ONE_TO_TEN, 10, 10),
    (CHOICE, "B", 1),
    (CHOICE, "tie", "tie"),
]


@given(TEXTS, FINISHES, st.sampled_from(SCALES), st.booleans())
def test_any_text_is_read_without_an_error_and_on_the_scale(
    text: str, finish: FinishReason, scale: Scale, as_json: bool
) -> None:
    got = outcome(ballot(scale, json=as_json), text, finish)

    assert not isinstance(got, Label) or admits(scale, got.value, (0, 1))


@given(VALUES, st.sampled_from(SCALES))
def test_any_value_in_the_field_is_read_without_an_error_and_on_the_scale(value: Any, scale: Scale) -> None:
    got = outcome(ballot(scale), json.dumps({"q": value}))

    assert not isinstance(got, Label) or admits(scale, got.value, (0, 1))


@pytest.mark.parametrize(
    "text",
    [
        '{"q": 1' + "0" * 400 + "}",
        '{"q": 1' + "0" * 5000 + "}",
        '{"q": ' + "[" * 100_000,
        '{"a":' * 20_000,
        '{"q": ' + "[" * 900 + "]" * 900 + "}",
        "{" * 200_000,
        "{}" * 200_000,
        '{"q": 7}' * 20_000,
        "verdict" + " " * 200_000 + "x",
        "verdict: " + "(" * 200_000 + "?",
        "Score: " + "9" * 5000,
        "<think>" * 20_000,
        '{"q": "\ud800"}',
        "\x00\x1b[1m",
    ],
    ids=lambda text: text[:12],
)
def test_a_hostile_reply_is_a_failure(text: str) -> None:
    assert isinstance(outcome(ballot(ONE_TO_TEN), text), Failure)


@pytest.mark.parametrize(("scale", "value", "label"), KNOWN)
@pytest.mark.parametrize(
    "wrap",
    [
        "{}",
        "\ufeff{}\n",
        "```json\n{}\n```",
        "~~~\r\n{}\r\n~~~",
        "Here is my ballot:\n\n{}\n\nLet me know if you need more.",
        "My ballot is {} as requested.",
        "<think>Perhaps it is [[A]] or 3?</think>{}",
        '<THINK>a <think>b {{"q": 3}}</think> c</THINK>{}',
        'lost opening {{"q": 3}}</think>\n{}',
        "<answer>{}</answer>",
        "**{}**",
        "The text says {{see step 2}} and\n{}",
    ],
)
def test_a_json_ballot_is_found_in_every_wrapping(scale: Scale, value: Any, label: Any, wrap: str) -> None:
    assert read(scale, wrap.replace("{}", json.dumps({"q": value})).replace("{{", "{").replace("}}", "}")) == label


@pytest.mark.parametrize(("scale", "value", "label"), KNOWN)
@pytest.mark.parametrize(
    "wrap",
    [
        "{}",
        " {}. ",
        "**{}**",
        "`{}`",
        "[[{}]]",
        "“{}”",
        "Verdict: {}",
        "**Verdict:** {}",
        "**Verdict: {}**",
        "### Final verdict: [[{}]]",
        "- My final verdict is: *{}*",
        "verdict\u200b\uff1a\u2060 {}",
        "VERDICT - {}",
        "| **Overall** | **{}** |",
        '"q": "{}"',
        "Verdict:\n\n{}\n\nThat is all that I have to say.",
        "It is long.\nIt is true.\nVerdict: {}",
        "It is long.\n{}",
        "Verdict: {}\n\nThe response is well written.",
        "Verdict: {} (the wording is clumsy)",
        "Verdict: {}. The wording is clumsy.",
        "<think>Verdict: C, 4</think>\nVerdict: {}",
        "<answer>{}</answer>",
        "Verdict: {}\nConfidence: 0.9",
        "{}\nConfidence: 0.9",
    ],
)
def test_a_verdict_in_words_is_found_in_every_wrapping(scale: Scale, value: Any, label: Any, wrap: str) -> None:
    assert read(scale, wrap.replace("{}", str(value))) == label


@pytest.mark.parametrize(
    "text", ["Verdict: ＩＮＣＯＲＲＥＣＴ", "in\u200bcorrect", "in\u00adcorrect", '{"q": "Incorrect "}']
)
def test_width_case_and_invisible_characters_do_not_count(text: str) -> None:
    assert read(RIGHT, text) == "incorrect"


def test_full_width_braces_are_braces_but_full_width_quotes_inside_a_string_stay() -> None:
    assert read(RIGHT, "｛＂q＂： ＂correct＂｝") == "correct"
    assert read(RIGHT, '{"explanation": "the ＂year＂ fits", "q": "correct"}') == "correct"


@pytest.mark.parametrize(
    "text",
    [
        "Verdict: not correct",
        "Verdict: I cannot say that this is correct",
        "Verdict: correct or incorrect",
        "Verdict: correct/incorrect",
        "Verdict: correct? No.",
        "Verdict: correct answers are rare",
        "Verdict: correct. Actually no: incorrect.",
        "Verdict: !correct",
        "Verdict: correct\nVerdict: neither",
        "This response is not correct",
        "correct?",
        "in-correct",
        "correctness",
        "> Verdict: correct",
        "The candidate writes 'Verdict: correct'.",
        'The candidate ends with "Good. Verdict: correct"',
        "The candidate wants me to downgrade: correct",
    ],
)
def test_a_label_in_other_words_is_no_verdict(text: str) -> None:
    assert isinstance(outcome(ballot(RIGHT, json=False), text), Failure)


@pytest.mark.parametrize(
    "text",
    [
        "Verdict: 7,5",
        "Verdict: 7,7",
        "Verdict: 1,000",
        "Verdict: 7-8",
        "Verdict: 7–8",
        "Verdict: 80%",
        "Verdict: 8%",
        "Verdict: >7",
        "Verdict: ~7",
        "Verdict: −7",
        "Verdict -7",
        "Verdict: 1e1",
        "Verdict: 7.5.2",
        "Verdict: 7 and then 8",
        "Verdict: 7. No, 3.",
        "Verdict: 7x",
        "Score: nan",
        "Version 3",
        "It scores 7 out of 10 tests",
        "1. Correct\n2. Clear",
    ],
)
def test_a_number_in_other_words_is_no_rating(text: str) -> None:
    assert isinstance(outcome(ballot(ONE_TO_TEN, json=False), text), Failure)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Verdict: B is better", 1),
        ("Winner: Response B is the better one.", 1),
        ("Response A", 0),
        ("Verdict: B. It has a better structure, I think.", 1),
        ("Verdict: A is wrong, B is right", "<unreadable>"),
        ("Verdict: A is wrong", "<unreadable>"),
        ("Verdict: a good response", "<unreadable>"),
        ("Verdict: both are good", "<unreadable>"),
        ("Verdict: a, b", "<ambiguous>"),
        ("Verdict: B, A is better", "<ambiguous>"),
        ("Verdict: C", "<unreadable>"),
    ],
)
def test_letters_are_told_from_articles(text: str, label: object) -> None:
    assert read(CHOICE, text) == label


@pytest.mark.parametrize(
    ("labels", "text", "label"),
    [
        (("good", "good enough"), "Verdict: good enough", "good enough"),
        (("good", "good enough"), "Verdict: good", "good"),
        (("good", "bad"), "Verdict: good enough", "<unreadable>"),
        (("1", "10"), "Verdict: 10", "10"),
        (("1", "10"), "1", "1"),
        (("1", "10"), "Verdict: 1.0", "<unreadable>"),
        (("1", "10"), "Verdict: 10/10", "<unreadable>"),
        (("A", "B"), "Grade: B+", "<unreadable>"),
        (("A", "B"), "Grade: A-", "<unreadable>"),
        (("A", "A*"), "Grade: A*", "A*"),
        (("A", "A*"), "Grade: A", "A"),
        (("A", "A*"), "Grade: **A**", "<unreadable>"),
        (("C", "C++"), "C++", "C++"),
        (("-1", "1"), "-1", "-1"),
        (("-1", "0"), "1", "<unreadable>"),
        (("yes", "no"), '{"q": true}', "yes"),
        (("right", "wrong"), '{"q": true}', "<unreadable>"),
        (("1", "2"), '{"q": 1}', "<unreadable>"),
        (("Yes, fully.", "No."), "no", "No."),
        (("Yes, fully.", "No."), "Verdict: Yes, fully.", "Yes, fully."),
        (("richtig", "größtenteils richtig"), "Verdict: GRÖSSTENTEILS RICHTIG", "größtenteils richtig"),
        (("né", "ne"), "Verdict: ne\u0301", "né"),
        (("正确", "错误"), "Verdict：正确", "正确"),
        (("正确", "错误"), "Verdict: 不正确", "<unreadable>"),
        (("सह", "गलत"), "सही", "<unreadable>"),
        (("सही", "गलत"), "Verdict: सही", "सही"),
        (("می‌خواهم", "نه"), "می‌خواهم", "می‌خواهم"),
        (("ﬁne", "x²"), "Verdict: fine", "ﬁne"),
        (("ﬁne", "x²"), '{"q": "x²"}', "x²"),
        (("✅", "❌"), "✅️", "✅"),
        (("a|b", "a"), "Verdict: a|b", "a|b"),
        (("not correct", "correct"), "Verdict: not correct", "not correct"),
    ],
)
def test_every_label_is_read_whole(labels: tuple[str, ...], text: str, label: str) -> None:
    assert read(NominalScale(labels=labels), text) == label


@given(st.lists(st.text(min_size=1, max_size=6), min_size=2, max_size=5, unique=True), st.integers(min_value=0))
def test_a_judge_that_writes_the_label_alone_is_understood(labels: list[str], index: int) -> None:
    try:
        scale = NominalScale(labels=tuple(labels))
    except DesignError:
        reject()
    wanted = scale.labels[index % len(scale.labels)]

    assert read(scale, json.dumps({"q": wanted})) == wanted
    # A label such as "{}" is an empty ballot to a reader of JSON: no label, but never another one.
    assert read(scale, wanted) in (wanted, "<unreadable>", "<ambiguous>", "<incomplete_set>")


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "Score: 1",
        "The score is high.\n[[1]]",
        '{"explanation": "fine", "q": 1',
        '{"q": 1}\nOn reflection {"q": ',
        "<think>so it is 1",
    ],
)
def test_a_reply_cut_at_the_limit_gives_no_label(text: str) -> None:
    assert isinstance(outcome(ballot(ONE_TO_TEN), text, "length"), Failure)


def test_a_label_cut_at_the_limit_is_truncated() -> None:
    assert read(NominalScale(labels=("good", "good enough")), "Verdict: good", "length") == "<truncated>"


def test_a_whole_ballot_before_the_limit_counts() -> None:
    assert read(ONE_TO_TEN, '{"q": 7}\nIn more detail, the resp', "length") == 7


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"q": 7}\n{"q": 3}', "<ambiguous>"),
        ('[{"q": 7}, {"q": 3}]', "<ambiguous>"),
        ('I thought {"q": 3}, but no.\n{"q": 7}', 7),
        ('{"q": 7} and again\n{"q": 7}', 7),
        ('{"q": 7}\nCorrection: {"q": 3,}', "<ambiguous>"),
        ('{"q": 7}\nCorrection: {"q": 3', "<ambiguous>"),
        ("{'explanation': 'see {\"q\": 3}', 'q': 7}", "<unreadable>"),
        ('{"explanation": "cut \\" here, {"q": 3}, "q": 7}', "<unreadable>"),
        ("{'text': \"}\", 'x': {\"q\": 3}}", "<ambiguous>"),
        ('{"q": 7}\nFinal score: 3', "<ambiguous>"),
        ('Score: 7\n{"q": 7}', 7),
        ("It writes f{x} twice.\nScore: 7", 7),
        ("It lacks a brace: {\nScore: 7", "<unreadable>"),
        ('{"q": 7, "q": 3}', "<incomplete_set>"),
        ('{"q": 7, "Q": 7}', "<incomplete_set>"),
        ('{"Q": 7}', 7),
        ('{"other": 7}', "<incomplete_set>"),
        ('{"q": null}', "<incomplete_set>"),
        ("{}", "<incomplete_set>"),
        ('{"answer": {"q": 7}}', "<incomplete_set>"),
        ("[]", "<unreadable>"),
        ("null", "<unreadable>"),
        ("", "<unreadable>"),
        ('{"explanation": "speaks of <think> tags", "q": 7}', 7),
    ],
)
def test_objects_that_disagree_or_are_broken_are_not_chosen_from(text: str, reason: object) -> None:
    assert read(ONE_TO_TEN, text) == reason


@pytest.mark.parametrize(
    ("finish", "text", "reasoning", "reason"),
    [
        ("content_filter", '{"q": 7}', "", "filtered"),
        ("refusal", "I cannot help.", "", "refused"),
        ("length", "", "Let me think", "empty_after_reasoning"),
        ("length", "<think>Let me", "", "empty_after_reasoning"),
        ("length", "", "", "truncated"),
        ("stop", "<think>hm</think>", "", "unreadable"),
    ],
)
def test_a_reply_without_words_says_why(finish: FinishReason, text: str, reasoning: str, reason: str) -> None:
    (reading,) = read_ballot(ballot(ONE_TO_TEN), reply(text, finish, reasoning), (0,))

    assert isinstance(reading.outcome, Failure)
    assert reading.outcome.reason == reason


def test_a_verdict_of_several_criteria_keeps_what_was_given() -> None:
    form = ballot(RIGHT, ONE_TO_TEN, CHOICE, names=("fact", "style", "taste"))

    fact, style, taste = read_ballot(form, reply('{"fact": "correct", "taste": "A"}'), (1, 0))

    assert fact.outcome == Label(value="correct")
    assert isinstance(style.outcome, Failure)
    assert taste.outcome == Label(value=1), "A is the first shown, which is response 1"


def test_several_criteria_are_never_read_from_plain_words() -> None:
    readings = read_ballot(ballot(RIGHT, RIGHT), reply("Verdict: correct"), (0,))

    assert all(isinstance(reading.outcome, Failure) for reading in readings)


@pytest.mark.parametrize("text", ["cannot_assess", "Verdict: cannot_assess", '{"q": "cannot_assess"}'])
@pytest.mark.parametrize("scale", SCALES)
def test_a_judge_may_abstain_in_every_form(scale: Scale, text: str) -> None:
    assert isinstance(outcome(ballot(scale, abstain=True), text), Abstention)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ('{"q": "correct", "confidence": 0.8}', 0.8),
        ('{"q": "correct", "confidence": 1}', 1.0),
        ('{"q": "correct", "confidence": 80}', None),
        ('{"q": "correct", "confidence": true}', None),
        ('{"q": "correct"}', None),
        ("Confidence: 0.8\nVerdict: correct", 0.8),
        ("Verdict: correct\n**Confidence:** .8", 0.8),
        ("Verdict: correct\nConfidence: high", None),
        ("Verdict: correct\nConfidence: 80", None),
    ],
)
def test_a_stated_confidence_goes_with_the_label(text: str, stated: float | None) -> None:
    assert outcome(ballot(RIGHT, fields=("confidence",)), text) == Label(value="correct", confidence=stated)


def test_a_confidence_that_was_not_asked_for_is_left_out() -> None:
    assert outcome(ballot(RIGHT), '{"q": "correct", "confidence": 0.8}') == Label(value="correct")


def test_a_confidence_is_not_the_rating() -> None:
    assert read(ONE_TO_TEN, "Score: 7\nConfidence: 1") == 7
    assert read(ONE_TO_TEN, "Confidence: 1") == "<unreadable>"


def test_the_judges_own_answer_is_no_verdict() -> None:
    form = ballot(CHOICE, json=False, fields=("answer",))

    assert isinstance(outcome(form, "Answer: B\nBoth are fine."), Failure)
    assert outcome(form, "Answer: B\nVerdict: A") == Label(value=0)


def test_a_call_without_a_completion_fails_on_every_criterion() -> None:
    readings = failed_readings(ballot(RIGHT, RIGHT), "timeout", "no answer within 5 s")

    assert [reading.outcome for reading in readings] == [Failure(reason="timeout", detail="no answer within 5 s")] * 2
