"""Bodies and replies of the Messages API, as its documentation has them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.providers.building import SCHEMA, prompt
from venire.domain.call import AnswerFormat, Reply
from venire.errors import ErrorKind, ProviderError
from venire.providers.anthropic_wire import read_message, request_body, usage_in, without_bounds

HELLO = prompt(("system", "rules"), ("user", "hello"), provider="anthropic")


def read(**body: Any) -> Reply:
    return read_message(json.dumps(body).encode())


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def tool(**fields: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "toolu_1", "name": "ballot", "input": fields}


def test_a_plain_request_has_its_system_text_beside_the_turns() -> None:
    """https://platform.claude.com/docs/en/api/messages/create: no role "system", max_tokens required."""
    assert request_body(HELLO) == {
        "model": "m",
        "max_tokens": 32,
        "system": "rules",
        "messages": [{"role": "user", "content": "hello"}],
    }


def test_a_temperature_is_sent_only_where_it_was_set() -> None:
    assert request_body(prompt(("user", "x"), temperature=0.0))["temperature"] == 0.0
    assert "temperature" not in request_body(HELLO)


def test_a_schema_is_sent_as_the_output_format() -> None:
    """https://platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON outputs"."""
    body = request_body(prompt(("user", "x"), form=SCHEMA))

    assert body["output_config"] == {"format": {"type": "json_schema", "schema": json.loads(SCHEMA.schema)}}
    assert "tools" not in body


def test_without_output_formats_a_tool_with_the_schema_must_be_called() -> None:
    """https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools, "Forcing tool use"."""
    body: Any = request_body(prompt(("user", "x"), form=SCHEMA, parameters=(("response_format", "tool"),)))

    assert body["tools"][0]["input_schema"] == json.loads(SCHEMA.schema)
    assert body["tool_choice"] == {"type": "tool", "name": body["tools"][0]["name"], "disable_parallel_tool_use": True}
    assert "output_config" not in body


@pytest.mark.parametrize("form", [AnswerFormat(kind="text"), AnswerFormat(kind="one_of", words=("yes", "no"))])
def test_text_is_held_to_nothing(form: AnswerFormat) -> None:
    assert not {"tools", "output_config"} & set(request_body(prompt(("user", "x"), form=form)))


def test_a_schema_can_be_left_out() -> None:
    body = request_body(prompt(("user", "x"), form=SCHEMA, parameters=(("response_format", "none"),)))

    assert not {"tools", "output_config"} & set(body)


def test_effort_and_thinking_have_their_own_places() -> None:
    """https://platform.claude.com/docs/en/build-with-claude/effort and …/adaptive-thinking."""
    given_parameters = (("reasoning_effort", "low"), ("thinking", "adaptive"), ("top_k", 5), ("price_input_usd", 1.0))

    body = request_body(prompt(("user", "x"), form=SCHEMA, parameters=given_parameters))

    assert (body["thinking"], body["top_k"]) == ({"type": "adaptive"}, 5)
    assert {"effort", "format"} == set(body["output_config"])  # type: ignore[arg-type]
    assert "price_input_usd" not in body


def test_bounds_are_dropped_and_a_criterion_may_be_called_minimum() -> None:
    """https://platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations"."""
    schema = {
        "type": "object",
        "properties": {
            "minimum": {"type": "integer", "minimum": 1, "maximum": 5},
            "why": {"anyOf": [{"type": "string", "minLength": 1}, {"enum": ["minimum"]}]},
        },
        "required": ["minimum", "why"],
        "additionalProperties": False,
    }

    assert without_bounds(schema) == {
        "type": "object",
        "properties": {"minimum": {"type": "integer"}, "why": {"anyOf": [{"type": "string"}, {"enum": ["minimum"]}]}},
        "required": ["minimum", "why"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("content", "stop", "words", "finish"),
    [
        ([text("yes")], "end_turn", "yes", "stop"),
        ([text("y"), text("es")], "stop_sequence", "yes", "stop"),
        ([text("part")], "max_tokens", "part", "length"),
        ([text("part")], "model_context_window_exceeded", "part", "length"),
        ([text("Let me see."), tool(z="yes", a=1.0)], "tool_use", '{"z": "yes", "a": 1.0}', "tool_calls"),
        ([tool(a="é")], "max_tokens", '{"a": "é"}', "length"),
        ([tool(a=1), tool(a=2)], "tool_use", '{"a": 1}\n{"a": 2}', "tool_calls"),
        ([text("I cannot help with that.")], "refusal", "I cannot help with that.", "refusal"),
        ([], "refusal", "", "refusal"),
        (None, "refusal", "", "refusal"),
        ([], "end_turn", "", "stop"),
        ([text("yes")], "pause_turn", "yes", "other"),
        ([text("yes")], "something_new", "yes", "other"),
        ([text("a \ud800 b")], "end_turn", "a \ufffd b", "stop"),
    ],
)
def test_every_reason_for_stopping_is_read(content: Any, stop: str, words: str, finish: str) -> None:
    """https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons."""
    (choice,) = read(content=content, stop_reason=stop).choices

    assert (choice.text, choice.finish_reason) == (words, finish)


def test_thinking_is_kept_apart_from_the_words() -> None:
    """https://platform.claude.com/docs/en/build-with-claude/extended-thinking."""
    thoughts = [{"type": "thinking", "thinking": "hmm", "signature": "x"}, {"type": "redacted_thinking", "data": "y"}]

    (choice,) = read(content=[*thoughts, text("yes")], stop_reason="end_turn").choices

    assert (choice.text, choice.reasoning) == ("yes", "hmm")


def test_input_tokens_hold_what_came_from_the_cache_and_went_into_it() -> None:
    """https://platform.claude.com/docs/en/build-with-claude/prompt-caching, "Tracking cache performance"."""
    usage = read(
        content=[text("yes")],
        stop_reason="end_turn",
        usage={
            "input_tokens": 50,
            "cache_read_input_tokens": 100_000,
            "cache_creation_input_tokens": 248,
            "output_tokens": 503,
            "output_tokens_details": {"thinking_tokens": 400},
        },
    ).usage

    assert (usage.input_tokens, usage.cached_input_tokens) == (100_298, 100_000)
    assert usage.cache_write_input_tokens == 248
    assert (usage.output_tokens, usage.reasoning_tokens) == (503, 400)


@pytest.mark.parametrize(
    "usage", [None, {}, {"input_tokens": None, "cache_read_input_tokens": 5}, {"input_tokens": -1}]
)
def test_tokens_that_were_not_reported_are_unknown(usage: Any) -> None:
    assert read(content=[text("yes")], stop_reason="end_turn", usage=usage).usage.input_tokens is None


@pytest.mark.parametrize("content", [[], None])
def test_f15_a_success_without_an_answer_is_a_reply_without_one_and_is_billed(content: Any) -> None:
    reply = read(type="message", content=content, stop_reason=None, usage={"input_tokens": 90, "output_tokens": 0})

    assert (reply.choices, reply.usage.input_tokens) == ((), 90)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<html>Bad gateway</html>", "bad_reply"),
        (b"[]", "bad_reply"),
        (b"{}", "bad_reply"),
        (b'{"content": {"a": 1}, "stop_reason": "end_turn"}', "bad_reply"),
        (b'{"content": [null], "stop_reason": "end_turn"}', "bad_reply"),
        (b'{"choices": []}', "bad_reply"),
        (b'{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}', "server"),
        (b'{"type": "error", "error": {"type": "rate_limit_error"}}', "rate_limit"),
        (b'{"type": "error"}', "server"),
    ],
)
def test_f15_a_success_that_is_none_is_an_error_of_its_kind(body: bytes, kind: ErrorKind) -> None:
    with pytest.raises(ProviderError) as caught:
        read_message(body)

    assert (caught.value.kind, caught.value.raw) == (kind, body.decode())


def test_f18_thinking_that_ate_the_budget_is_no_answer() -> None:
    thinking = {"type": "thinking", "thinking": 'I lean to {"winner": "A"} but must check', "signature": "x"}
    usage = {"input_tokens": 812, "output_tokens": 1024, "output_tokens_details": {"thinking_tokens": 1024}}

    reply = read(content=[thinking], stop_reason="max_tokens", usage=usage)

    assert (reply.choices[0].text, reply.choices[0].finish_reason) == ("", "length")
    assert (reply.usage.output_tokens, reply.usage.reasoning_tokens) == (1024, 1024)


def test_the_usage_of_an_error_body_can_be_read() -> None:
    assert usage_in('{"error": {}, "usage": {"input_tokens": 90}}').input_tokens == 90


def test_the_served_model_is_named() -> None:
    assert read(content=[text("x")], stop_reason="end_turn", model="claude-x-2026").served_model == "claude-x-2026"


KEYS = ["type", "content", "text", "error", "usage", "stop_reason", "input", "thinking", "tool_use"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(KEYS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=5) | JSON)
def test_any_json_is_a_reply_or_a_provider_error(body: Any) -> None:
    try:
        reply = read_message(json.dumps(body).encode())
    except ProviderError:
        return
    assert all(choice.text.encode() is not None for choice in reply.choices)
