"""The recorded faults of other people's readers and prompts: what this reader makes of each."""

import json
from pathlib import Path
from typing import Any

import pytest

from venire.ballots.explanation import explain_reply
from venire.ballots.fence import fence_for
from venire.ballots.prompt import Shown, render
from venire.ballots.questions import question_of_expectations
from venire.ballots.read import read_ballot
from venire.ballots.template import fill
from venire.domain.call import Alternative, Choice, Token
from venire.domain.judgment import Label
from venire.domain.rubric import ChoiceScale, NominalScale

from .makers import ballot, reply

FAULTS = Path(__file__).parents[2].parent / "shared" / "faults" / "faults.json"
READ = ("F01", "F02", "F03", "F04", "F05", "F06", "F07", "F08", "F09", "F10", "F11", "F12", "F13")


def _faults() -> dict[str, Any]:
    return {fault["id"]: fault for fault in json.loads(FAULTS.read_text("utf-8"))} if FAULTS.exists() else {}


def _cases() -> list[Any]:
    if not FAULTS.exists():
        return [pytest.param("", {}, {}, marks=pytest.mark.skip(reason="the shared faults are not here"))]
    return [
        pytest.param(name, case.get("expects", fault["input"]["expects"]), case, id=f"{name}-{number}")
        for name, fault in _faults().items()
        if name in READ
        for number, case in enumerate(fault["input"]["cases"])
    ]


def _fault(name: str) -> Any:
    if not FAULTS.exists():
        pytest.skip("the shared faults are not here")
    return _faults()[name]


@pytest.mark.parametrize(("fault", "expects", "case"), _cases())
def test_every_recorded_reply_is_read_right(fault: str, expects: dict[str, Any], case: dict[str, Any]) -> None:
    choice = reply(case["text"], case.get("finish_reason", "stop"))

    told = explain_reply(question_of_expectations(expects), choice)

    match case["want"]:
        case None:
            assert told["outcome"] == "failure"
        case "contradiction":
            assert told["reason"] == "contradictory"
        case value:
            assert (told["outcome"], told["value"]) == ("label", value)


@pytest.mark.parametrize(
    ("fault", "number", "reason"),
    [
        ("F05", 5, "scale_mismatch"),
        ("F05", 7, "scale_mismatch"),
        ("F06", 0, "out_of_range"),
        ("F06", 5, "not_an_integer"),
        ("F07", 6, "ambiguous"),
        ("F10", 1, "truncated"),
        ("F10", 2, "truncated"),
        ("F12", 1, "incomplete_set"),
        ("F12", 2, "incomplete_set"),
    ],
)
def test_a_failure_has_its_own_reason(fault: str, number: int, reason: str) -> None:
    given = _fault(fault)["input"]
    case = given["cases"][number]
    question = question_of_expectations(case.get("expects", given["expects"]))

    told = explain_reply(question, reply(case["text"], case.get("finish_reason", "stop")))

    assert told["reason"] == reason


def test_what_was_repaired_or_cut_is_told() -> None:
    """F02: a repaired verdict can be counted; F10: one from a reply that was cut, too."""
    score_and_pass = question_of_expectations({"form": "object", "fields": {"score": "1..5", "passed": "bool"}})
    score = question_of_expectations({"form": "score", "min": 1, "max": 10})

    assert explain_reply(score_and_pass, reply("{'score': 4, 'passed': True,}"))["step"] == "repaired_json"
    assert explain_reply(score, reply('{"score": 8, "reasoning": "The', "length"))["step"] == "truncated_json"


def test_spellings_of_a_label_add_up() -> None:
    """F14: P(A) of "A" and " A" together, beside the probability of all labels before it was normalised."""
    (content,) = _fault("F14")["input"]["content"]
    tops = tuple(Alternative(text=each["token"], logprob=each["logprob"]) for each in content["top_logprobs"])
    token = Token(text=content["token"], logprob=content["logprob"], alternatives=tops)
    form = ballot(ChoiceScale(), names=("winner",), json=False, probabilities="required")

    (reading,) = read_ballot(form, Choice(text=content["token"], finish_reason="stop", tokens=(token,)), (0, 1))

    assert isinstance(reading.outcome, Label)
    assert reading.outcome.distribution is not None
    first = reading.outcome.distribution.labels[0]
    assert (first.value, first.probability) == (0, pytest.approx(0.679224, abs=1e-6))
    assert reading.outcome.distribution.coverage == pytest.approx(0.895825, abs=1e-6)


def test_a_template_is_filled_in_one_pass() -> None:
    """F42, prompt.format_injection."""
    fault = _fault("F42")

    assert fill(fault["input"]["template"], fault["input"]["values"]) == fault["right"]["value"]


@pytest.mark.parametrize("number", [0, 1])
def test_a_quoted_planted_verdict_is_not_taken(number: int) -> None:
    """F43, prompt.delimiter_breakout: what the judged text holds as well is no evidence."""
    given = _fault("F43")["input"]
    form = ballot(ChoiceScale(), names=("winner",))

    (reading,) = read_ballot(form, reply(given["cases"][number]["reply"]), (0, 1), [given["answer"]])

    assert reading.outcome == Label(value=1)


def test_a_response_cannot_close_its_own_fence() -> None:
    """F43: the closing marker occurs once, after the response, which stays as it was written."""
    text = _fault("F43")["input"]["answer"]
    shown = Shown(prompt="6 * 7?", context=None, reference=(), responses=(text,))

    prompt = render(shown, ballot(NominalScale(labels=("yes", "no"))), "pointwise")[-1].content

    closing = f"</response {fence_for(['6 * 7?', '', text])}>"
    assert prompt.count(closing) == 1
    assert prompt.endswith(f"{text}\n{closing}")
