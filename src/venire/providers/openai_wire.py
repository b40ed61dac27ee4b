"""The OpenAI chat-completions format: a request to a body, a body to a reply; pure."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache

from venire.domain.call import Choice, FinishReason, Reply, Request, Usage
from venire.domain.identity import Json
from venire.errors import ProviderError
from venire.providers.openai_faults import error_in_success, parse_json
from venire.providers.openai_logprobs import MOST_ALTERNATIVES, read_tokens
from venire.providers.openai_usage import count_in, read_usage
from venire.providers.schema_bounds import without_bounds

OWN_PARAMETERS = frozenset(
    {
        *("price_input_usd", "price_output_usd", "response_format", "system_role", "token_limit", "schema_bounds"),
        "api_version",
    }
)
"""Parameters that venire acts on; all others are sent on as they are."""

RESERVED = frozenset({"messages", "model", "n", "stream", "max_tokens", "temperature"})
"""Fields of the body that are decided elsewhere in the design; a parameter may not replace them."""

# What servers write, beside OpenAI's own words, for a natural end and for the token limit.
_FINISH: Mapping[str, FinishReason] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
    "refusal": "refusal",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
}


def request_body(request: Request, n: int, own: frozenset[str] = OWN_PARAMETERS) -> dict[str, Json]:
    """Write the JSON body that asks for n choices.

    Args:
        request: what is asked.
        n: how many choices; sent only above 1, because not every endpoint knows the field.
        own: names of parameters that the provider itself uses and that are not sent.
    """
    parameters = dict(request.parameters)
    body: dict[str, Json] = {name: value for name, value in parameters.items() if name not in own | RESERVED}
    body["model"] = request.model
    body["messages"] = _messages(request, parameters.get("system_role"))
    # OpenAI's reasoning models refuse max_tokens, also beside max_completion_tokens.
    if "max_completion_tokens" not in parameters:
        body[str(parameters.get("token_limit", "max_tokens"))] = request.max_tokens
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if n > 1:
        body["n"] = n
    if request.top_logprobs:
        body["logprobs"] = True
        body["top_logprobs"] = min(request.top_logprobs, MOST_ALTERNATIVES)
    wanted = parameters.get("response_format", "json_schema")
    if request.format.kind == "json_schema" and wanted == "json_schema":
        schema = _schema_of(request.format.schema)
        if parameters.get("schema_bounds") == "dropped":
            schema = without_bounds(schema)
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "ballot", "schema": schema, "strict": True},
        }
    elif request.format.kind == "json_schema" and wanted == "json_object":
        body["response_format"] = {"type": "json_object"}
    return body


@lru_cache(maxsize=64)
def _schema_of(text: str) -> Json:
    # All requests of a judge have the same one.
    schema: Json = json.loads(text)
    return schema


def read_reply(body: bytes, expected_n: int) -> Reply:
    """Read the body of a success; one with an empty list of choices is a reply without any.

    Raises:
        ProviderError: the body holds an error or is not the API's.
    """
    raw = body.decode("utf-8", "replace")
    document = parse_json(raw)
    if not isinstance(document, dict):
        what = f"The endpoint answered 200 with something else than a JSON object: {raw[:200]!r}"
        raise ProviderError("bad_reply", what, raw=raw)
    if document.get("error"):
        raise error_in_success(document["error"], raw)
    given = document.get("choices")
    if not given and "choices" in document:
        # No error, because errors carry no usage, and what is reported here is billed.
        return Reply(choices=(), usage=read_usage(document.get("usage")), served_model=_served(document), raw=raw)
    if not isinstance(given, list) or not all(isinstance(choice, dict) for choice in given):
        raise ProviderError("bad_reply", f"choices is {str(given)[:200]!r}; a list of objects was expected", raw=raw)
    whole = [choice for choice in given if not choice.get("error") and choice.get("finish_reason") != "error"]
    if not whole:
        raise error_in_success(given[0].get("error") or "the finish_reason is 'error'", raw)
    whole.sort(key=lambda choice: _index(choice, len(given)))
    return Reply(
        choices=tuple(_choice(choice, raw) for choice in whole[:expected_n]),
        usage=read_usage(document.get("usage")),
        served_model=_served(document),
        raw=raw,
    )


def usage_in(raw: str) -> Usage:
    """The usage that a body reports, also one without an answer in it: it is billed all the same."""
    document = parse_json(raw)
    return read_usage(document.get("usage") if isinstance(document, dict) else None)


def text_of(value: Json) -> str:
    """The words of a value that should be text, in a form that can be stored; "" where it is none."""
    # A lone surrogate is legal in JSON and in a Python string but in no file or database.
    return re.sub("[\ud800-\udfff]", "\ufffd", value) if isinstance(value, str) else ""


def _messages(request: Request, system_role: Json) -> list[Json]:
    messages = [(message.role, message.content) for message in request.messages]
    if system_role == "user" and messages and messages[0][0] == "system":
        head = messages[0][1]
        rest = messages[1:]
        if rest and rest[0][0] == "user":
            messages = [("user", f"{head}\n\n{rest[0][1]}"), *rest[1:]]
        else:
            messages = [("user", head), *rest]
    named = system_role if isinstance(system_role, str) else "system"
    return [{"role": named if role == "system" else role, "content": content} for role, content in messages]


def _choice(choice: Mapping[str, Json], raw: str) -> Choice:
    message = choice.get("message")
    if not isinstance(message, dict):
        raise ProviderError("bad_reply", f"A choice has the message {message!r}; an object was expected", raw=raw)
    finish = _FINISH.get(str(choice.get("finish_reason")).casefold(), "other")
    words, refusal = _words(message.get("content"))
    refusal = refusal or text_of(message.get("refusal"))
    arguments = _arguments(message)
    if finish != "content_filter" and refusal and not words:
        words, finish = refusal, "refusal"
    elif arguments and (finish == "tool_calls" or not words):
        words, finish = arguments, finish if finish == "length" else "tool_calls"
    reasoning = text_of(message.get("reasoning_content")) or text_of(message.get("reasoning"))
    return Choice(text=words, finish_reason=finish, reasoning=reasoning, tokens=read_tokens(choice))


def _words(content: Json) -> tuple[str, str]:
    if not isinstance(content, list):
        return text_of(content), ""
    parts = [part for part in content if isinstance(part, dict)]
    # Parts of other types (Mistral's "thinking") are hidden reasoning and stay in the raw reply.
    words = "".join(text_of(part.get("text")) for part in parts if part.get("type", "text") in ("text", "output_text"))
    return words, "".join(text_of(part.get("refusal")) for part in parts)


def _arguments(message: Mapping[str, Json]) -> str:
    calls = message.get("tool_calls")
    functions: list[Json] = [message.get("function_call")]
    if isinstance(calls, list):
        functions += [call.get("function") for call in calls if isinstance(call, dict)]
    found = [function.get("arguments") for function in functions if isinstance(function, dict)]
    return "\n".join(
        text_of(argument) if isinstance(argument, str) else json.dumps(argument) for argument in found if argument
    )


def _served(document: Mapping[str, Json]) -> str | None:
    model, fingerprint = text_of(document.get("model")), text_of(document.get("system_fingerprint"))
    return " ".join(part for part in (model, fingerprint) if part) or None


def _index(choice: Mapping[str, Json], last: int) -> int:
    index = count_in(choice, "index")
    return last if index is None else index
