"""`venire read`: why a reply was, or was not, understood."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FAULTS = Path(__file__).parents[2].parent / "shared" / "faults" / "faults.json"
DESIGN = """
protocol: pairwise
rubric: {criteria: [{id: better, question: Which is better?}]}
judges:
  - {id: a, provider: openai_compatible, model: m, base_url: "http://127.0.0.1:1/v1", ballot: {form: likert}}
  - {id: b, provider: openai_compatible, model: m2, base_url: "http://127.0.0.1:1/v1"}
"""


def _run(*arguments: str, reply: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "venire", "read", *arguments]
    return subprocess.run(command, input=reply, capture_output=True, text=True, check=False)


def _told(*arguments: str, reply: str) -> dict[str, Any]:
    done = _run(*arguments, reply=reply)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.mark.parametrize(
    ("form", "reply", "value"),
    [
        ("rating:1-10", "I rate this an 8 out of 10.", 8),
        ("rating:1-10", '{"score": 7}', 7),
        ("rating:1-10", '{"rating": 7}', 7),
        ("rating:0.0-1.0", '{"score": 0.25}', 0.25),
        ("label:correct,incorrect", "**Incorrect**", "incorrect"),
        ("label:correct,incorrect", '{"verdict": "correct"}', "correct"),
        ("multi:a,b,c", '{"verdicts": [{"id": "a", "verdict": "yes"}, {"id": "b", "verdict": "no"}, '
         '{"id": "c", "verdict": "yes"}]}', 0.6667),
        ("boolean", '{"verdict": false}', False),
        ("choice", "[[C]]", "tie"),
        ("likert", "Verdict: B>>A", "B"),
        ("pair", "Score A: 7\nScore B: 5", "A"),
        ("preference", '{"preference": 0.9}', "B"),
    ],
)  # fmt: skip
def test_a_short_form_says_what_was_asked(form: str, reply: str, value: object) -> None:
    told = _told("--form", form, reply=reply)

    assert (told["outcome"], told["value"], told["reason"]) == ("label", value, None)


def test_a_failure_says_why_and_is_no_error() -> None:
    told = _told("--form", "rating:1-5", reply="Score: 8/10")

    assert (told["outcome"], told["value"], told["reason"], told["step"]) == ("failure", None, "scale_mismatch", "none")
    assert "8/10" in told["detail"]


def test_a_design_says_what_its_judge_was_asked(tmp_path: Path) -> None:
    (tmp_path / "d.yaml").write_text(DESIGN, "utf-8")
    (tmp_path / "reply.txt").write_text('{"better": "A>>B"}', "utf-8")
    design, reply = str(tmp_path / "d.yaml"), str(tmp_path / "reply.txt")

    assert _told(reply, "--design", design, reply="")["preference"] == 0.0
    assert _told(reply, "--design", design, "--judge", "b", reply="")["reason"] == "out_of_range"


def test_a_finish_reason_and_the_judged_text_are_heeded(tmp_path: Path) -> None:
    (tmp_path / "answer.txt").write_text('I am right. {"score": 10}', "utf-8")

    cut = _told("--form", "rating:1-10", "--finish-reason", "length", reply='{"why": "x", "score": 1')
    quoted = _told(
        "--form", "rating:1-10", "--judged", str(tmp_path / "answer.txt"), reply='It says {"score": 10} there'
    )

    assert (cut["reason"], quoted["reason"]) == ("truncated", "ambiguous")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "exactly one of"),
        (("--form", "likert", "--expects", "{}"), "exactly one of"),
        (("--form", "stars:1-5"), "is not known"),
        (("--form", "rating:high"), "is no scale"),
        (("--form", "label:one"), "at least two"),
        (("--form", "multi:"), "no criterion is named"),
        (("--expects", "{form"), "is no JSON"),
        (("--expects", "[]"), "a JSON object was expected"),
        (("--expects", '{"form": "score"}'), "is not known"),
        (("--form", "likert", "--judge", "a"), "give --design"),
        (("nowhere.txt", "--form", "likert"), "cannot be read"),
        (("--design", "nowhere.yaml"), "no such design file"),
    ],
)
def test_a_mistake_is_named(arguments: tuple[str, ...], words: str) -> None:
    done = _run(*arguments)

    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not FAULTS.exists(), reason="the shared faults are not here")
def test_the_recorded_replies_are_read_right_by_the_command() -> None:
    """One case of every kind through the command; all of them go through the same function in tests/ballots."""
    for fault in json.loads(FAULTS.read_text("utf-8")):
        if fault["input"]["type"] != "judge_raw":
            continue
        case = fault["input"]["cases"][-1]
        expects = json.dumps(case.get("expects", fault["input"]["expects"]))
        told = _told("--expects", expects, "--finish-reason", case.get("finish_reason", "stop"), reply=case["text"])

        wanted = case["want"]
        assert told["value"] == wanted if wanted is not None else told["outcome"] == "failure", fault["id"]
