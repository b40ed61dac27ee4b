"""F17: what an endpoint refuses is written otherwise once, told and stored; or the run stops before it spends."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.providers.building import ask, judge, prompt
from tests.providers.loopback import Answer, LoopbackServer
from venire import ajudge
from venire.api import Run
from venire.domain.call import AnswerFormat, Reply, Request
from venire.errors import ProviderError, UsageError
from venire.ports import Provider
from venire.providers.opening import open_provider
from venire.store.sqlite import open_sqlite_store

BOUNDED = AnswerFormat(
    kind="json_schema",
    schema='{"type":"object","properties":{"score":{"type":"integer","minimum":1,"maximum":5}},"required":["score"]}',
)
HELLO = prompt(("system", "rules"), ("user", "hello"), form=BOUNDED, temperature=0.0)


def refusal(message: str, param: str | None = None, status: int = 400) -> Answer:
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": "unsupported_value"}
    return Answer(status=status, body={"error": error})


LIMIT = refusal("This model does not take 'max_tokens'; send 'max_completion_tokens'.", "max_tokens")
ROLE = refusal("Role 'system' in messages[0] is not accepted by this model.", "messages[0].role")
BOUNDS = refusal("integer schemas may not carry minimum or maximum")
FORMAT = refusal("This response_format type is unavailable now")
TEMPERATURE = refusal("Value 0 for 'temperature' is not accepted by this model.", "temperature")


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


def api(server: LoopbackServer, **fields: Any) -> Provider:
    return open_provider(judge("openai_compatible", model="m", base_url=server.base_url, **fields), environment={})


def ask_until_answered(provider: Provider, request: Request = HELLO) -> tuple[Reply, list[ProviderError]]:
    """As calling does: what may be tried again is sent again."""

    async def whole() -> tuple[Reply, list[ProviderError]]:
        errors: list[ProviderError] = []
        try:
            while True:
                try:
                    return await provider.complete(request, [0]), errors
                except ProviderError as error:
                    errors.append(error)
                    if not error.is_retryable:
                        raise
        finally:
            await provider.close()

    return asyncio.run(whole())


def test_the_limit_gets_its_other_name(server: LoopbackServer) -> None:
    server.then(LIMIT)

    reply, (error,) = ask_until_answered(api(server))

    assert (error.kind, error.status) == ("adapted", 400)
    assert [("max_tokens" in one.body, "max_completion_tokens" in one.body) for one in server.requests] == [
        (True, False),
        (False, True),
    ]
    assert reply.adjustments == ("the limit is sent as max_completion_tokens",)


def test_the_system_text_goes_into_the_user_turn(server: LoopbackServer) -> None:
    server.then(ROLE)

    reply, _ = ask_until_answered(api(server))

    assert server.requests[-1].body["messages"] == [{"role": "user", "content": "rules\n\nhello"}]
    assert reply.adjustments == ("the system text stands in front of the first user turn",)


def test_the_bounds_leave_the_schema_and_nothing_else_does(server: LoopbackServer) -> None:
    server.then(BOUNDS)

    reply, _ = ask_until_answered(api(server))

    schema = server.requests[-1].body["response_format"]["json_schema"]["schema"]
    assert schema["properties"] == {"score": {"type": "integer"}}
    assert len(reply.adjustments) == 1


def test_a_format_steps_down_to_json_and_then_to_none(server: LoopbackServer) -> None:
    server.then(FORMAT, FORMAT)

    reply, errors = ask_until_answered(api(server))

    formats = [one.body.get("response_format", {}).get("type") for one in server.requests]
    assert (formats, len(errors)) == (["json_schema", "json_object", None], 2)
    assert reply.adjustments == ("the reply is held to no format",)


def test_several_refusals_are_learned_one_after_the_other(server: LoopbackServer) -> None:
    server.then(LIMIT, ROLE, BOUNDS)

    reply, errors = ask_until_answered(api(server))

    assert [error.kind for error in errors] == ["adapted"] * 3
    assert len(reply.adjustments) == 3


@pytest.mark.parametrize("refused", [LIMIT, ROLE, BOUNDS])
def test_nothing_is_sent_unchanged_or_learned_twice(server: LoopbackServer, refused: Answer) -> None:
    server.then(*[refused] * 5)

    with pytest.raises(ProviderError) as caught:
        ask_until_answered(api(server))

    assert (caught.value.is_retryable, len(server.requests)) == (False, 2)
    assert server.requests[0].body != server.requests[1].body


def test_a_temperature_that_the_design_sets_is_never_left_out(server: LoopbackServer) -> None:
    server.then(TEMPERATURE)

    with pytest.raises(ProviderError, match="Leave temperature out of the judge") as caught:
        ask_until_answered(api(server, temperature=0.0))

    assert (caught.value.kind, caught.value.tells_of_the_judge, len(server.requests)) == ("unsupported", True, 1)


@pytest.mark.parametrize(
    ("refused", "fields"),
    [
        (LIMIT, {"capabilities": (("token_limit", "max_tokens"),)}),
        (FORMAT, {"parameters": {"response_format": "json_schema"}}),
    ],
)
def test_what_the_design_says_outright_is_not_changed(
    server: LoopbackServer, refused: Answer, fields: dict[str, Any]
) -> None:
    server.then(refused)

    with pytest.raises(ProviderError, match="capabilities") as caught:
        ask_until_answered(api(server, **fields))

    assert caught.value.kind == "unsupported"


def test_after_the_first_answer_a_judge_is_asked_the_same_to_the_end(server: LoopbackServer) -> None:
    async def twice() -> ProviderError:
        provider = api(server)
        await provider.complete(HELLO, [0])
        server.then(ROLE)
        try:
            await provider.complete(HELLO, [0])
        except ProviderError as error:
            return error
        finally:
            await provider.close()
        raise AssertionError

    assert asyncio.run(twice()).kind == "bad_request"


def test_requests_that_were_refused_together_are_all_sent_again(server: LoopbackServer) -> None:
    server.then(LIMIT, LIMIT, LIMIT)

    async def three() -> list[Any]:
        provider = api(server)
        try:
            return await asyncio.gather(*(provider.complete(HELLO, [0]) for _ in range(3)), return_exceptions=True)
        finally:
            await provider.close()

    assert [getattr(one, "kind", None) for one in asyncio.run(three())] == ["adapted"] * 3


def test_a_claude_that_knows_no_output_format_is_asked_by_a_tool(server: LoopbackServer) -> None:
    error = {"type": "invalid_request_error", "message": "output_config.format: Extra inputs are not permitted"}
    server.then(Answer(status=400, body={"type": "error", "error": error}))
    asked = judge("anthropic", model="claude-haiku-4-5", base_url=server.messages_url, api_key_env="K")

    reply, _ = ask_until_answered(open_provider(asked, environment={"K": "sk-ant-0123456789"}))

    assert "tools" in server.requests[-1].body
    assert reply.adjustments == ("the reply is held to the schema by a tool",)


def test_a_plain_server_that_adapts_nothing_says_nothing(server: LoopbackServer) -> None:
    assert ask(api(server), HELLO).adjustments == ()


DESIGN = """
protocol: pointwise
rubric: {{criteria: [{{id: c, question: "?", scale: {{type: interval, min: 1, max: 5}}}}]}}
judges: [{{id: j, provider: openai_compatible, model: m, base_url: "{url}"{more}}}]
"""


def run(server: LoopbackServer, tmp_path: Any, more: str = "") -> Run:
    (tmp_path / "design.yaml").write_text(DESIGN.format(url=server.base_url, more=more))
    rows = [{"id": f"i{n}", "responses": [{"text": f"t{n}"}]} for n in range(6)]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return asyncio.run(ajudge(tmp_path / "items.jsonl", tmp_path / "design.yaml", out=tmp_path / "run"))


def test_a_run_goes_on_and_stores_and_reports_how_it_really_asked(server: LoopbackServer, tmp_path: Any) -> None:
    server.then(LIMIT, ROLE)

    done = run(server, tmp_path)

    store = open_sqlite_store(tmp_path / "run" / "store.sqlite", read_only=True)
    exchanges = list(store.exchanges())
    store.close()
    assert (done.decision.n_failed, len(server.requests)) == (0, 8)
    assert [exchange.error.kind for exchange in exchanges if exchange.error] == ["adapted"] * 2
    assert {len(exchange.adjustments) for exchange in exchanges if not exchange.error} == {2}
    assert any("not asked quite as the design says" in warning for warning in done.report.warnings)
    shown = json.loads((tmp_path / "run" / "results" / "report.json").read_text())["judges"][0]["conduct"]
    assert "the limit is sent as max_completion_tokens" in shown["adjustments"]


def test_a_run_stops_at_the_first_request_where_only_the_user_can_choose(server: LoopbackServer, tmp_path: Any) -> None:
    server.then(*[TEMPERATURE] * 6)

    with pytest.raises(UsageError, match="Leave temperature out"):
        run(server, tmp_path, ", temperature: 0")

    assert len(server.requests) == 1
