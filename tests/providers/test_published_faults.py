"""The faults that other libraries shipped (shared/faults/faults.json), through venire's own readers."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from venire.errors import ProviderError
from venire.providers.openai_faults import read_error
from venire.providers.openai_wire import read_reply
from venire.providers.redaction import redact
from venire.providers.refused_parameters import refused_in

FAULTS = Path(__file__).parents[3] / "shared" / "faults" / "faults.json"


def cases(fault: str) -> list[Any]:
    if not FAULTS.exists():
        return []
    (entry,) = (entry for entry in json.loads(FAULTS.read_text("utf-8")) if entry["id"] == fault)
    return entry["input"].get("cases") or [entry["input"]]


pytestmark = pytest.mark.skipif(not FAULTS.exists(), reason="shared/faults/faults.json is not here")


def body_of(case: Any) -> bytes:
    return str(case["body_text"]).encode() if "body_text" in case else json.dumps(case.get("body")).encode()


def outcome(case: Any) -> str:
    try:
        choices = read_reply(body_of(case), 1).choices
    except ProviderError as error:
        kind = {"bad_reply": "bad_body"}.get(error.kind, error.kind)
        return f"{'retryable' if error.is_retryable else 'fatal'}:{kind}"
    if not choices:
        return "failure:no_choices"
    if choices[0].finish_reason in ("content_filter", "refusal"):
        return f"failure:{choices[0].finish_reason}"
    return f"score:{json.loads(choices[0].text)['score']}"


@pytest.mark.parametrize("case", cases("F15"))
def test_f15_a_hollow_success_has_its_own_outcome(case: Any) -> None:
    assert outcome(case) == case["want"]


def test_f15_what_a_hollow_success_reports_is_billed() -> None:
    billed = [
        read_reply(body_of(case), 1).usage.input_tokens for case in cases("F15") if "usage" in case.get("body", {})
    ]

    assert billed == [90, 12]


@pytest.mark.parametrize("case", cases("F16"))
def test_f16_retry_after_is_read_in_every_legal_form(case: Any) -> None:
    now = datetime.fromisoformat("2026-01-01T00:00:00Z")

    wait = read_error(case["status"], case["headers"], b"", now).retry_after_s

    # "stop or cap" needs the number that was asked for; "own backoff" needs no number.
    wanted = {"stop or cap with a clear message": 86400.0}.get(case["want_wait"], case["want_wait"])
    assert wait == (None if isinstance(wanted, str) else wanted)


@pytest.mark.parametrize("case", cases("F17"))
def test_f17_a_refused_parameter_is_not_tried_again(case: Any) -> None:
    error = read_error(400, {}, body_of(case), datetime.fromisoformat("2026-01-01T00:00:00Z"))

    assert (error.kind, error.is_retryable) == ("bad_request", False)
    assert case["body"]["error"]["message"] in str(error)


@pytest.mark.parametrize(
    ("case", "part"),
    list(zip(cases("F17"), ["parameter", "token_limit", "system_role", "schema_bounds"], strict=False)),
)
def test_f17_what_is_refused_is_told(case: Any, part: str) -> None:
    refused = refused_in(body_of(case).decode(), {"temperature", "max_tokens", "messages", "response_format"})

    assert refused is not None
    assert refused.part == part


@pytest.mark.parametrize("case", cases("F18"))
def test_f18_reasoning_that_ate_the_budget_is_no_answer(case: Any) -> None:
    reply = read_reply(body_of(case), 1)

    assert (reply.choices[0].text, reply.choices[0].finish_reason) == ("", "length")
    assert "winner" in reply.choices[0].reasoning
    assert (reply.usage.output_tokens, reply.usage.reasoning_tokens) == (1024, 1024)


@pytest.mark.parametrize("case", cases("F44"))
def test_f44_the_key_is_in_no_text(case: Any) -> None:
    secret = "sk-test-0123456789abcdefSECRET"
    shown = json.dumps(case)

    hidden = redact(shown, [secret])

    assert secret[-8:] not in hidden
    assert ("api.example" in shown) == ("api.example" in hidden)
