"""The recorded faults of other people's readers and prompts: what this reader makes of each."""

import json
from pathlib import Path
from typing import Any

import pytest

from venire.ballots.fence import fence_for
from venire.ballots.prompt import Shown, render
from venire.ballots.read import Reading, read_ballot
from venire.ballots.template import fill
from venire.domain.judgment import Label
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, Scale

from .makers import ballot, reply

FAULTS = Path(__file__).parents[2].parent / "shared" / "faults" / "faults.json"
READ = ("F01", "F03", "F04", "F05", "F06", "F07", "F08", "F10", "F11", "F12", "F13")

FOR_ISSUE_B = {
    "F10-0": "a value closed by a comma in an object that was cut: needs repair of JSON",
}
"""Cases whose label is not found yet. They are failures, never another label."""

WORDS = {"yes": 1.0, "no": 0.0}


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


def _readings(expects: dict[str, Any], case: dict[str, Any]) -> tuple[Reading, ...]:
    """Translate what a case expects into a rubric, and read its reply."""
    text, finish = case["text"], case.get("finish_reason", "stop")
    scale: Scale
    match expects["form"]:
        case "score":
            whole = expects.get("integer", (expects["min"], expects["max"]) == (1, 10))
            scale, name = IntervalScale(min=expects["min"], max=expects["max"], integer=whole), "score"
        case "object":
            scale, name = IntervalScale(min=1, max=10), "score"
        case "pairwise" if "labels_map" in case:
            scale, name = NominalScale(labels=("A", "B", "C")), "winner"
        case "pairwise":
            scale, name = ChoiceScale(tie=True), "winner"
        case "criteria":
            yes_no = NominalScale(labels=("yes", "no"))
            form = ballot(*[yes_no] * 3, names=tuple(expects["ids"]))
            return read_ballot(form, reply(_as_ballot(text), finish), (0,))
        case _:
            scale, name = NominalScale(labels=tuple(expects["labels"])), "grade"
    form = ballot(scale, names=(name,))
    return read_ballot(form, reply(text, finish), tuple(range(form.n_shown)))


def _as_ballot(text: str) -> str:
    # Venire's ballot has one field for each criterion where the case has a list of verdicts.
    pairs = [f'"{verdict["id"]}": "{verdict["verdict"]}"' for verdict in json.loads(text)["verdicts"]]
    return "{" + ", ".join(pairs) + "}"


def _got(readings: tuple[Reading, ...], case: dict[str, Any]) -> Any:
    """What was read, in the words of the case; None where anything is missing."""
    values = [reading.outcome.value for reading in readings if isinstance(reading.outcome, Label)]
    if len(values) < len(readings):
        return None
    if len(values) > 1:
        return round(sum(WORDS[str(value)] for value in values) / len(values), 4)
    if readings[0].criterion_id == "winner":
        word = {"0": "A", "1": "B"}.get(str(values[0]), values[0])
        return case.get("labels_map", {}).get(f"[[{word}]]", word)
    return values[0]


@pytest.mark.parametrize(("fault", "expects", "case"), _cases())
def test_every_recorded_reply_is_read_right(
    fault: str, expects: dict[str, Any], case: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    wanted = case["want"]["score"] if isinstance(case["want"], dict) else case["want"]
    got = _got(_readings(expects, case), case)

    name = request.node.callspec.id
    if name in FOR_ISSUE_B:
        assert got is None, "an invented label is worse than none; and if it is right now, shorten the table"
        pytest.xfail(FOR_ISSUE_B[name])
    assert got == wanted


def test_a_template_is_filled_in_one_pass() -> None:
    """F42, prompt.format_injection."""
    fault = _fault("F42")

    assert fill(fault["input"]["template"], fault["input"]["values"]) == fault["right"]["value"]


@pytest.mark.parametrize("number", [0, 1])
def test_a_quoted_planted_verdict_is_not_taken(number: int) -> None:
    """F43, prompt.delimiter_breakout: B, or in the second case nothing; never A."""
    case = _fault("F43")["input"]["cases"][number]

    (reading,) = read_ballot(ballot(ChoiceScale(), names=("winner",)), reply(case["reply"]), (0, 1))

    assert reading.outcome == Label(value=1) if number == 0 else not isinstance(reading.outcome, Label)


def test_a_response_cannot_close_its_own_fence() -> None:
    """F43: the closing marker occurs once, after the response, which stays as it was written."""
    text = _fault("F43")["input"]["answer"]
    shown = Shown(prompt="6 * 7?", context=None, reference=(), responses=(text,))

    prompt = render(shown, ballot(NominalScale(labels=("yes", "no"))), "pointwise")[-1].content

    closing = f"</response {fence_for(['6 * 7?', '', text])}>"
    assert prompt.count(closing) == 1
    assert prompt.endswith(f"{text}\n{closing}")
