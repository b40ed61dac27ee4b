"""The Messages API's format: a request to a body, a body to a reply; pure.

Request and reply: https://platform.claude.com/docs/en/api/messages/create
"""

import json
from collections.abc import Mapping

from venire.domain.call import AnswerFormat, Choice, FinishReason, Reply, Request, Usage
from venire.domain.identity import Json
from venire.errors import ProviderError
from venire.providers.openai_faults import error_in_success, parse_json
from venire.providers.openai_usage import count_in
from venire.providers.openai_wire import text_of
from venire.providers.schema_bounds import without_bounds

BASE_URL = "https://api.anthropic.com"
"""Where a judge without a base_url is asked."""

TOOL = "ballot"
"""The tool that a model without structured outputs must call."""

SENT_ON = ("top_p", "top_k", "service_tier")
"""Parameters that are fields of the body under the same name."""

# https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
_FINISH: Mapping[str, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "refusal",
}


def request_body(request: Request) -> dict[str, Json]:
    """Write the JSON body that asks for one draw."""
    parameters = dict(request.parameters)
    system = [message.content for message in request.messages if message.role == "system"]
    turns: list[Json] = [
        {"role": "assistant" if message.role == "assistant" else "user", "content": message.content}
        for message in request.messages
        if message.role != "system"
    ]
    body: dict[str, Json] = {"model": request.model, "max_tokens": request.max_tokens, "messages": turns}
    if system:
        body["system"] = "\n\n".join(system)
    if request.temperature is not None:
        body["temperature"] = request.temperature
    body.update((name, parameters[name]) for name in SENT_ON if parameters.get(name) is not None)
    if parameters.get("thinking") is not None:
        body["thinking"] = {"type": parameters["thinking"]}
    config: dict[str, Json] = {}
    if parameters.get("reasoning_effort") is not None:
        config["effort"] = parameters["reasoning_effort"]
    if request.format.kind == "json_schema":
        _hold(body, config, request.format, parameters.get("response_format", "json_schema"))
    if config:
        body["output_config"] = config
    return body


def read_message(body: bytes) -> Reply:
    """Read the body of a success; one without content and without a reason for stopping is a reply without choices.

    Raises:
        ProviderError: the body holds an error or is not the API's.
    """
    raw = body.decode("utf-8", "replace")
    document = parse_json(raw)
    if not isinstance(document, Mapping):
        what = f"The endpoint answered 200 with something else than a JSON object: {raw[:200]!r}"
        raise ProviderError("bad_reply", what, raw=raw)
    if document.get("type") == "error" or document.get("error"):
        raise error_in_success(document.get("error"), raw)
    content, stop = document.get("content", "none at all"), document.get("stop_reason")
    if not content and stop is None:
        # No error, because errors carry no usage, and what is reported here is billed.
        return Reply(choices=(), usage=_usage(document.get("usage")), served_model=_served(document), raw=raw)
    given = content or []
    if not isinstance(given, list) or not all(isinstance(block, Mapping) for block in given):
        raise ProviderError("bad_reply", f"content is {str(content)[:200]!r}; a list of objects was expected", raw=raw)
    return Reply(
        choices=(_choice(given, _FINISH.get(str(stop), "other")),),
        usage=_usage(document.get("usage")),
        served_model=_served(document),
        raw=raw,
    )


def usage_in(raw: str) -> Usage:
    """The usage that a body reports, also one without an answer in it: it is billed all the same."""
    document = parse_json(raw)
    return _usage(document.get("usage") if isinstance(document, Mapping) else None)


def _hold(body: dict[str, Json], config: dict[str, Json], form: AnswerFormat, way: Json) -> None:
    """Hold the reply to the ballot's schema, by the output format or by a tool that must be called."""
    schema = without_bounds(json.loads(form.schema))
    if way == "json_schema":
        config["format"] = {"type": "json_schema", "schema": schema}
    elif way == "tool":
        body["tools"] = [{"name": TOOL, "description": "Hand in the ballot, filled in.", "input_schema": schema}]
        body["tool_choice"] = {"type": "tool", "name": TOOL, "disable_parallel_tool_use": True}


def _choice(blocks: list[Mapping[str, Json]], finish: FinishReason) -> Choice:
    words = "".join(text_of(block.get("text")) for block in blocks if block.get("type") == "text")
    ballots = [
        json.dumps(block.get("input"), ensure_ascii=False) for block in blocks if block.get("type") == "tool_use"
    ]
    thoughts = [text_of(block.get("thinking")) for block in blocks if block.get("type") == "thinking"]
    return Choice(
        # Beside a ballot the words are only its announcement; a refusal is in words.
        text=text_of("\n".join(ballots)) if ballots and finish != "refusal" else words,
        finish_reason=finish,
        reasoning="\n".join(thought for thought in thoughts if thought),
    )


def _usage(usage: Json) -> Usage:
    # The API counts what was read from and written to its cache beside input_tokens, venire among them:
    # https://platform.claude.com/docs/en/build-with-claude/prompt-caching ("Tracking cache performance").
    fresh, read = count_in(usage, "input_tokens"), count_in(usage, "cache_read_input_tokens")
    stored = count_in(usage, "cache_creation_input_tokens")
    details = usage.get("output_tokens_details") if isinstance(usage, Mapping) else None
    return Usage(
        input_tokens=None if fresh is None else fresh + (read or 0) + (stored or 0),
        output_tokens=count_in(usage, "output_tokens"),
        cached_input_tokens=read,
        cache_write_input_tokens=stored,
        reasoning_tokens=count_in(details, "thinking_tokens"),
    )


def _served(document: Mapping[str, Json]) -> str | None:
    return text_of(document.get("model")) or None
