"""The services behind pydantic-ai, offline: its own function model, and every wire against a canned server."""

import asyncio
import inspect
import json
import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="the extra 'providers' is not installed")

from pydantic_ai import exceptions
from pydantic_ai.messages import ModelResponse, TextPart, ThinkingPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RequestUsage

from tests.cli.running import ITEMS, api_design, write_inputs
from tests.providers.building import SCHEMA, YES_NO, ask, judge, prompt, rubric
from tests.providers.canned import CannedServer
from tests.providers.test_anthropic import left_behind
from venire import ajudge
from venire.domain.ballot import BallotForm
from venire.domain.call import Reply, Request
from venire.domain.verdict import Decided
from venire.errors import DesignError, ErrorKind, JudgeUnavailable, ProviderError
from venire.ports import Provider
from venire.providers.checking import check_judge
from venire.providers.opening import open_provider
from venire.providers.pydantic_ai import NO_FORMAT, PydanticAI, read_failure
from venire.providers.redaction import Redactor
from venire.testing.provider_contract import ProviderContract

KEY = "key-0123456789abcdefSECRET"
BALLOT = '{"correct": "yes"}'
OPENAI = {
    "id": "x",
    "object": "chat.completion",
    "created": 1,
    "model": "served",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": BALLOT}}],
    "usage": {
        "prompt_tokens": 90,
        "completion_tokens": 7,
        "total_tokens": 97,
        "prompt_tokens_details": {"cached_tokens": 30},
    },
}
GOOGLE = {
    "candidates": [{"content": {"role": "model", "parts": [{"text": BALLOT}]}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 90, "candidatesTokenCount": 7, "cachedContentTokenCount": 30},
    "modelVersion": "served",
}
COHERE = {
    "id": "x",
    "finish_reason": "COMPLETE",
    "message": {"role": "assistant", "content": [{"type": "text", "text": BALLOT}]},
    "usage": {
        "billed_units": {"input_tokens": 90, "output_tokens": 7},
        "tokens": {"input_tokens": 90, "output_tokens": 7},
    },
}
BEDROCK = {
    "output": {"message": {"role": "assistant", "content": [{"text": BALLOT}]}},
    "stopReason": "end_turn",
    "usage": {"inputTokens": 60, "outputTokens": 7, "totalTokens": 97, "cacheReadInputTokens": 30},
    "metrics": {"latencyMs": 1},
}
AWS = {"AWS_ACCESS_KEY_ID": "AKIA0123", "AWS_SECRET_ACCESS_KEY": KEY, "AWS_REGION": "us-east-1"}
SERVICES: dict[str, tuple[Any, dict[str, str]]] = {
    "groq:openai/gpt-oss-120b": (OPENAI, {"GROQ_API_KEY": KEY}),
    "mistral:mistral-large-latest": (OPENAI, {"MISTRAL_API_KEY": KEY}),
    "google-gla:gemini-2.5-pro": (GOOGLE, {"GEMINI_API_KEY": KEY}),
    "cohere:command-a-03-2025": (COHERE, {"CO_API_KEY": KEY}),
    "bedrock:us.amazon.nova-pro-v1:0": (BEDROCK, {**AWS, "AWS_SESSION_TOKEN": f"{KEY}-session"}),
}
every_service = pytest.mark.parametrize("model", SERVICES)


@pytest.fixture(autouse=True)
def _no_ambient_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("AWS_", "CO_", "GROQ_", "GOOGLE_", "MISTRAL_"))]:
        monkeypatch.delenv(name)


@pytest.fixture
def server() -> Iterator[CannedServer]:
    with CannedServer() as running:
        yield running


def service(model: str, server: CannedServer, monkeypatch: pytest.MonkeyPatch, **fields: Any) -> Provider:
    """A judge at the canned server; Cohere's software takes an address from the environment alone."""
    body, environment = SERVICES[model]
    server.body = server.body or body
    monkeypatch.setenv("CO_BASE_URL", server.url)
    base_url = None if model.startswith("cohere") else server.url
    return open_provider(judge("pydantic_ai", model=model, base_url=base_url, **fields), environment=environment)


def asked(**fields: Any) -> Request:
    return prompt(("system", "rules"), ("user", "hello"), form=SCHEMA, provider="pydantic_ai", **fields)


@every_service
def test_every_service_answers_with_usage(model: str, server: CannedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    reply = ask(service(model, server, monkeypatch), asked(temperature=0.0))

    assert [(choice.text, choice.finish_reason) for choice in reply.choices] == [(BALLOT, "stop")]
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (90, 7)
    assert reply.usage.cached_input_tokens == (0 if model.startswith("cohere") else 30)
    assert len(server.requests) == 1
    assert json.loads(reply.raw)[0]["parts"][0]["content"] == BALLOT


@every_service
@pytest.mark.parametrize(
    ("status", "kind", "wait"),
    [
        (401, "auth", None),
        (403, "auth", None),
        (404, "not_found", None),
        (429, "rate_limit", 7.0),
        (500, "server", None),
        (503, "server", 7.0),
        (400, "bad_request", None),
    ],
)
def test_every_status_has_its_kind_and_is_tried_once(
    model: str, status: int, kind: ErrorKind, wait: float | None, server: CannedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.status, server.body = status, {"message": "no", "error": {"message": f"no, {KEY}"}}
    server.headers = {} if wait is None else {"Retry-After": "7"}

    with pytest.raises(ProviderError, match=r"Judge 'j', ") as caught:
        ask(service(model, server, monkeypatch), asked())

    error = caught.value
    assert (error.kind, error.status, error.retry_after_s, len(server.requests)) == (kind, status, wait, 1)
    assert (KEY[-8:] in f"{error} {error.raw}", error.__cause__, error.__context__) == (False, None, None)


@every_service
def test_a_success_that_is_not_the_api_s_is_a_reply_without_choices_or_may_be_tried_again(
    model: str, server: CannedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.body = {"weird": True}

    def outcome() -> ProviderError | Reply:
        try:
            return ask(service(model, server, monkeypatch), asked())
        except ProviderError as error:
            return error

    found = outcome()

    assert (not found.choices) if isinstance(found, Reply) else found.is_retryable


@every_service
def test_a_refused_temperature_stops_the_judge(
    model: str, server: CannedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "temperature is not supported by this model"
    server.status, server.body = 400, {"message": said, "error": {"message": said}}

    with pytest.raises(ProviderError, match="Leave temperature out") as caught:
        ask(service(model, server, monkeypatch, temperature=0.0), asked(temperature=0.0))

    assert caught.value.kind == "unsupported"


@every_service
def test_nobody_logs_the_key_at_any_level(
    model: str, server: CannedServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server.headers = {"X-Echo": KEY}

    with caplog.at_level(logging.DEBUG):
        reply = ask(service(model, server, monkeypatch), asked())

    assert reply.choices
    assert [record.name for record in caplog.records if KEY[-8:] in record.getMessage()] == []


def test_a_server_that_is_not_there_is_a_connection_error(monkeypatch: pytest.MonkeyPatch) -> None:
    provider = open_provider(
        judge("pydantic_ai", model="groq:m", base_url="http://127.0.0.1:9"), environment={"GROQ_API_KEY": KEY}
    )

    with pytest.raises(ProviderError) as caught:
        ask(provider, asked())

    assert caught.value.kind == "connection"


@pytest.mark.parametrize(
    ("model", "field"),
    [("groq:openai/gpt-oss-120b", "response_format"), ("google:gemini-2.5-pro", "responseJsonSchema")],
)
def test_the_schema_is_native_where_the_model_has_that(
    model: str, field: str, server: CannedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = next(name for name in SERVICES if name.partition(":")[2] == model.partition(":")[2])

    reply = ask(service(key, server, monkeypatch), asked())

    assert '"enum": ["yes", "no"]' in json.dumps(server.requests[0][2])
    assert field in json.dumps(server.requests[0][2])
    assert reply.adjustments == ()


def test_a_schema_that_the_model_cannot_be_held_to_is_told(
    server: CannedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = ask(service("cohere:command-a-03-2025", server, monkeypatch), asked())

    assert reply.adjustments == (NO_FORMAT,)


def test_without_a_wish_for_a_schema_nothing_is_told(server: CannedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    request = asked(parameters=(("response_format", "none"),))

    reply = ask(service("groq:openai/gpt-oss-120b", server, monkeypatch), request)

    assert reply.adjustments == ()
    assert "response_format" not in server.requests[0][2]


def test_a_seed_differs_from_draw_to_draw(server: CannedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for sample in (0, 3):
        ask(
            service("groq:openai/gpt-oss-120b", server, monkeypatch, parameters={"seed": 10}),
            asked(parameters=(("seed", 10),)),
            [sample],
        )

    assert [body["seed"] for _, _, body in server.requests] == [10, 13]


Function = Callable[[list[Any], AgentInfo], ModelResponse]


def by(function: Function, **fields: Any) -> PydanticAI:
    return PydanticAI(judge("pydantic_ai", model="test:function", **fields), FunctionModel(function), secrets=[KEY])


def answer(*parts: Any, **fields: Any) -> Function:
    return lambda _messages, _info: ModelResponse(parts=list(parts), **fields)


def test_reasoning_is_not_text_and_a_cut_reply_is_a_cut_reply() -> None:
    thoughts = ThinkingPart(content='I lean to {"correct": "yes"}')

    reply = ask(by(answer(thoughts, finish_reason="length")), asked())

    assert [(one.text, one.finish_reason) for one in reply.choices] == [("", "length")]
    assert "I lean to" in reply.choices[0].reasoning


def test_a_tool_call_s_arguments_are_the_text_where_there_is_no_other() -> None:
    reply = ask(
        by(answer(ToolCallPart(tool_name="ballot", args={"correct": "yes"}), finish_reason="tool_call")), asked()
    )

    assert json.loads(reply.choices[0].text) == {"correct": "yes"}


def test_every_part_of_the_usage_is_kept_and_what_was_not_said_is_unknown() -> None:
    usage = RequestUsage(
        input_tokens=90, cache_read_tokens=30, cache_write_tokens=20, output_tokens=70, output_reasoning_tokens=60
    )

    said = ask(by(answer(TextPart(content="x"), usage=usage)), asked()).usage
    unsaid = ask(by(answer(TextPart(content="x"), usage=RequestUsage(unmeasured_requests=1))), asked()).usage

    assert (said.input_tokens, said.cached_input_tokens, said.cache_write_input_tokens) == (90, 30, 20)
    assert (said.output_tokens, said.reasoning_tokens) == (70, 60)
    assert (unsaid.input_tokens, unsaid.output_tokens, unsaid.cached_input_tokens) == (None, None, None)


def test_messages_settings_and_schema_arrive_as_they_were_asked() -> None:
    seen: list[Any] = []

    def look(messages: list[Any], info: AgentInfo) -> ModelResponse:
        seen.extend([messages, info.model_settings])
        return ModelResponse(parts=[TextPart(content="x")])

    request = prompt(
        ("system", "rules"), ("user", "one"), ("assistant", "two"), ("user", "three"), temperature=0.5, max_tokens=9
    )
    ask(by(look), request)

    assert [[(part.part_kind, part.content) for part in message.parts] for message in seen[0]] == [
        [("system-prompt", "rules"), ("user-prompt", "one")],
        [("text", "two")],
        [("user-prompt", "three")],
    ]
    assert (seen[1]["temperature"], seen[1]["max_tokens"], seen[1].get("max_retries")) == (0.5, 9, 0)


def test_a_temperature_that_was_not_set_is_not_sent() -> None:
    seen: list[Any] = []

    def look(_: list[Any], info: AgentInfo) -> ModelResponse:
        seen.append(info.model_settings)
        return ModelResponse(parts=[TextPart(content="x")])

    ask(by(look), prompt(("user", "hello")))

    assert "temperature" not in seen[0]


def test_the_deadline_is_kept() -> None:
    async def never(_messages: list[Any], _info: AgentInfo) -> ModelResponse:
        await asyncio.Event().wait()
        raise AssertionError

    with pytest.raises(ProviderError, match=r"within 0\.05 s") as caught:
        ask(by(never, timeout_s=0.05), asked())  # type: ignore[arg-type]

    assert caught.value.kind == "timeout"


def test_a_withheld_answer_is_an_answer_of_its_own() -> None:
    def withhold(_messages: list[Any], _info: AgentInfo) -> ModelResponse:
        raise exceptions.ContentFilterError("blocked", body=json.dumps({"reason": KEY}))

    reply = ask(by(withhold), asked())

    assert (reply.choices[0].finish_reason, KEY[-8:] in reply.raw) == ("content_filter", False)


def made(kind: type[Exception]) -> Exception:
    """An error of this class; the arguments differ."""
    for arguments in (("m", "no"), (500, "m"), ("m", 1.0), ("no",)):
        try:
            return kind(*arguments)
        except (TypeError, ValueError):
            continue
    return kind.__new__(kind)


def api_errors() -> list[type[Exception]]:
    return [
        one
        for _, one in inspect.getmembers(exceptions, inspect.isclass)
        if issubclass(one, exceptions.ModelAPIError) and not one.__name__.startswith("_")
    ]


@pytest.mark.parametrize("kind", api_errors(), ids=lambda kind: kind.__name__)
def test_no_category_of_api_errors_goes_unmapped(kind: type[Exception]) -> None:
    wanted: dict[str, str] = {"Quota": "quota", "RateLimit": "rate_limit", "Auth": "auth", "NotFound": "not_found"}
    wanted |= {"Rejected": "bad_request", "ContextWindow": "bad_request", "Timeout": "timeout"}
    wanted |= {"Connection": "connection", "Unavailable": "server", "Overloaded": "server", "Server": "server"}
    wanted |= {"ModelAPIError": "server", "ModelHTTPError": "server", "Pending": "server"}

    error = read_failure(made(kind), Redactor())

    named = [kind_of for name, kind_of in wanted.items() if name in kind.__name__]
    assert named, f"{kind.__name__} is new: say in KINDS what it means"
    assert error.kind == named[0]


def test_a_key_at_the_cut_of_a_long_message_is_hidden_before_it_is_cut() -> None:
    error = read_failure(exceptions.ModelAPIError("m", f"{'x' * 485} {KEY}"), Redactor([KEY]))

    assert KEY[:10] not in str(error)


@pytest.mark.parametrize(
    ("model", "environment", "words"),
    [
        ("groq:m", {}, "'GROQ_API_KEY', which is not set; run: export GROQ_API_KEY"),
        ("google:m", {}, "'GOOGLE_API_KEY' or 'GEMINI_API_KEY'"),
        ("gemini-2.5-pro", {}, "wants service and model, such as google:gemini"),
        (":m", {}, "wants service and model"),
        ("nobody:m", {}, "no variable is known; name it: api_key_env"),
        ("bedrock:us.amazon.nova-pro-v1:0", {}, "set AWS_REGION"),
    ],
)
def test_a_judge_that_cannot_be_opened_says_what_to_do(model: str, environment: dict[str, str], words: str) -> None:
    with pytest.raises(JudgeUnavailable, match=words):
        open_provider(judge("pydantic_ai", model=model), environment=environment)


def test_an_unknown_service_is_told() -> None:
    asked_judge = judge("pydantic_ai", model="nobody:m", api_key_env="K")

    with pytest.raises(JudgeUnavailable, match="nobody"):
        open_provider(asked_judge, environment={"K": KEY})


def test_a_base_url_that_the_service_does_not_take_is_refused() -> None:
    asked_judge = judge("pydantic_ai", model="cohere:command-r", base_url="http://127.0.0.1:9")

    with pytest.raises(JudgeUnavailable, match="leave base_url out"):
        open_provider(asked_judge, environment={"CO_API_KEY": KEY})


@pytest.mark.parametrize(("model", "name"), [("bedrock:us.amazon.nova-pro-v1:0", "seed"), ("groq:m", "top_k")])
def test_a_parameter_that_would_be_passed_over_in_silence_is_refused(model: str, name: str) -> None:
    with pytest.raises(JudgeUnavailable, match=rf"\['{name}'\].*leave them out"):
        open_provider(judge("pydantic_ai", {name: 3}, model=model), environment={"GROQ_API_KEY": KEY, **AWS})


@pytest.mark.parametrize(
    ("parameters", "fields", "ballot", "words"),
    [
        ({}, {"samples": 2, "samples_per_request": 2}, None, "asked one by one"),
        ({}, {}, BallotForm(probabilities="required"), "probabilities: required"),
        ({"reasoning_effort": "low"}, {}, None, "reasoning_effort"),
        ({"response_format": "tool"}, {}, None, "json_schema or none"),
    ],
)
def test_what_this_way_cannot_carry_is_an_error_before_the_run(
    parameters: dict[str, Any], fields: dict[str, Any], ballot: BallotForm | None, words: str
) -> None:
    with pytest.raises(DesignError, match=words):
        check_judge(judge("pydantic_ai", parameters, model="groq:m", **fields), rubric(YES_NO), ballot)


def test_the_key_is_in_no_representation() -> None:
    provider = open_provider(judge("pydantic_ai", model="groq:m"), environment={"GROQ_API_KEY": KEY})

    assert KEY not in repr(provider)
    asyncio.run(provider.close())


def test_the_loggers_are_let_alone_after_the_run() -> None:
    before = list(logging.getLogger("httpx").filters)

    ask(by(answer(TextPart(content="x"))), asked())

    assert logging.getLogger("httpx").filters == before


class TestContract(ProviderContract):
    """With the library's own test model."""

    def make_provider(self) -> Provider:
        return PydanticAI(judge("pydantic_ai", model="test:model"), TestModel(custom_output_text="ok"))

    def make_request(self) -> Request:
        return prompt(("user", "hello"), provider="pydantic_ai")


def test_a_reply_can_be_stored(server: CannedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    reply: Reply = ask(service("groq:openai/gpt-oss-120b", server, monkeypatch), asked())

    assert (reply.served_model, isinstance(reply.raw, str)) == ("served", True)


def test_a_whole_run_through_a_service_is_judged_stored_and_keyless(server: CannedServer, tmp_path: Path) -> None:
    choice = {"index": 0, "finish_reason": "stop", "message": {"content": f'{{"correct": "correct", "note": "{KEY}"}}'}}
    server.body = {**OPENAI, "choices": [{**choice, "message": {**choice["message"], "role": "assistant"}}]}
    server.headers = {"X-Echo": KEY}
    design = api_design(server.url, api_key_env="JUDGE_KEY").replace("openai_compatible", "pydantic_ai")
    items, file = write_inputs(tmp_path, design.replace("test-model", "groq:openai/gpt-oss-120b"), ITEMS[:2])

    run = asyncio.run(ajudge(items, file, out=tmp_path / "run", environment={"JUDGE_KEY": KEY}))

    assert [verdict.outcome for verdict in run.verdicts] == [Decided(value="correct")] * 4
    kept = b"".join(left_behind(tmp_path / "run"))
    assert (b"[redacted]" in kept, KEY[-8:].encode() in kept) == (True, False)
