"""F17: an error with status 400 says which part of the request is refused, in every shape that servers write."""

# ruff: noqa: E501 - messages as servers write them

import json
from typing import Any

import pytest

from venire.providers.refused_parameters import Refused, refused_in

SENT = {"model", "messages", "max_tokens", "temperature", "response_format", "seed", "n", "stop", "logprobs", "top_p"}


def openai(message: str, param: str | None = None, code: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def anthropic(message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": "invalid_request_error", "message": message}}


def fastapi(*loc: str | int, msg: str = "Extra inputs are not permitted") -> dict[str, Any]:
    return {"detail": [{"type": "extra_forbidden", "loc": ["body", *loc], "msg": msg, "input": {"temperature": 1}}]}


PARAMETERS = [
    (openai("Unsupported value: 'temperature' does not support 0 with this model.", "temperature", "unsupported_value"), "temperature"),
    (openai("Value 0 for 'temperature' is not accepted by this model; leave it at its default.", "temperature"), "temperature"),
    (anthropic("temperature: range: 0..1 is invalid"), "temperature"),
    (anthropic("`temperature` may only be set to 1 when thinking is enabled."), "temperature"),
    (anthropic("`temperature` and `top_p` cannot both be specified; this is not supported"), "temperature"),
    (openai("Unrecognized request argument supplied: top_p"), "top_p"),
    (openai("logprobs is not supported with this model"), "logprobs"),
    (openai("you can only use n=1", "n"), "n"),
    (openai("property 'n' is unsupported"), "n"),
    (fastapi("seed"), "seed"),
    ({"message": {"detail": "x"}, "detail": "seed: this field is not supported"}, "seed"),
    ({"error": {"code": 400, "details": [{"fieldViolations": [{"field": "generation_config.top_p"}]}]}}, "top_p"),
    ([{"error": {"code": 400, "message": 'Invalid JSON payload received. Unknown name "seed": Cannot find field.'}}], "seed"),
    ({"detail": "Unknown parameter: 'stop'."}, "stop"),
    ({"object": "error", "message": {"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}, "param": None}, "seed"),
    ({"object": "error", "message": json.dumps({"detail": [{"type": "extra_forbidden", "loc": ["body", "top_p"]}]}), "param": None}, "top_p"),
    ({"object": "Error", "message": [{"type": "extra_forbidden", "loc": ["body", "logprobs"], "msg": "Extra inputs are not permitted"}], "code": 3001}, "logprobs"),
    ({"message": "[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), 'msg': 'Extra inputs are not permitted', 'input': 8}]", "type": "BadRequestError"}, "seed"),
    ([{"error": {"code": 400, "message": 'Invalid JSON payload received. Unknown name "top_p": Cannot find field.', "details": [{"fieldViolations": [{"description": "x"}]}]}}], "top_p"),
    ({"object": "error", "message": "top_p must be in (0, 1], got 0.0.", "type": "BadRequestError"}, "top_p"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "name"), PARAMETERS)
def test_a_refused_parameter_is_named(body: Any, name: str) -> None:
    assert refused_in(json.dumps(body), SENT) == Refused(part="parameter", name=name)


PARTS = [
    (openai("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "max_tokens", "unsupported_parameter"), "token_limit"),
    (openai("This model does not take 'max_tokens'; send 'max_completion_tokens'.", "max_tokens"), "token_limit"),
    (fastapi("max_tokens"), "token_limit"),
    (openai("Unrecognized request argument supplied: max_tokens"), "token_limit"),
    (openai("Unsupported value: 'messages[0].role' does not support 'system' with this model.", "messages[0].role"), "system_role"),
    (openai("Role 'system' in messages[0] is not accepted by this model.", "messages[0].role"), "system_role"),
    (openai("System role not supported"), "system_role"),
    ([{"error": {"code": 400, "message": "Developer instruction is not enabled for models/gemma-3-27b-it"}}], "system_role"),
    (openai("Conversation roles must alternate user/assistant/user/assistant/..."), "system_role"),
    (anthropic("integer schemas may not carry minimum or maximum"), "schema_bounds"),
    (openai("Invalid schema for response_format 'ballot': In context=('properties', 'x'), 'minimum' is not permitted.", "response_format"), "schema_bounds"),
    (anthropic("output_config.format.schema: For 'integer' type, properties maximum, minimum are not supported"), "schema_bounds"),
    ([{"error": {"message": "Unknown name \"exclusiveMinimum\" at 'generation_config.response_schema': Cannot find field."}}], "schema_bounds"),
    (openai("This response_format type is unavailable now"), "response_format"),
    (openai("Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.", "response_format"), "response_format"),
    (openai("model does not support structured outputs"), "response_format"),
    (openai("Failed to deserialize the JSON body into the target type: response_format: response_format.type `json_schema` is unavailable now at line 1"), "response_format"),
    ({"message": "[{'type': 'extra_forbidden', 'loc': ('body', 'max_tokens'), 'msg': 'Extra inputs are not permitted', 'input': 8192}]", "code": 400}, "token_limit"),
    (fastapi("response_format", "type"), "response_format"),
    (anthropic("output_config.format: Extra inputs are not permitted"), "response_format"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "part"), PARTS)
def test_a_refused_way_of_writing_is_told_apart(body: Any, part: str) -> None:
    refused = refused_in(json.dumps(body), SENT)

    assert refused is not None
    assert refused.part == part


@pytest.mark.parametrize(
    "body",
    [
        openai("This model's maximum context length is 8192 tokens.", "messages", "context_length_exceeded"),
        openai("max_tokens is too large: 9999. This model supports at most 4096 completion tokens.", "max_tokens"),
        {"message": "'max_tokens' is too large: 512. This model's maximum context length is 4096 tokens"},
        anthropic("prompt is too long: 209321 tokens > 200000 maximum"),
        anthropic("messages.0.content: text content blocks must be non-empty"),
        openai("Invalid 'messages[1].content': string too long.", "messages[1].content", "string_above_max_length"),
        openai("Invalid prompt: your prompt was flagged as potentially violating our usage policy."),
        {"detail": [{"type": "string_type", "loc": ["body", "messages", 1, "content"], "msg": "must be a string"}]},
        openai("The answer is unknown"),
        openai("Something went wrong with n and stop and seed"),
        openai(f"Bad request: {'x' * 600} 'temperature' is not supported"),
        {},
        [],
        "words",
        None,
    ],
)
def test_what_speaks_of_something_else_names_nothing(body: Any) -> None:
    assert refused_in(json.dumps(body), SENT) is None


def test_a_field_that_was_not_sent_is_not_the_one_refused() -> None:
    body = openai("Unsupported parameter: 'temperature' is not supported", "temperature")

    assert refused_in(json.dumps(body), {"model", "messages", "max_tokens"}) is None


def test_an_error_in_plain_words_is_read_too() -> None:
    assert refused_in("Unrecognized request argument supplied: seed_", SENT) is None
    assert refused_in("'seed' is not supported", SENT) == Refused(part="parameter", name="seed")
