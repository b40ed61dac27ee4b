"""The HTTP adapter against a server on the loopback address."""

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import ITEMS, api_design, write_inputs
from tests.providers.building import SCHEMA, ask, judge, prompt
from tests.providers.loopback import Answer, LoopbackServer, Reset
from venire import ajudge
from venire.domain.call import Reply, Request
from venire.domain.panel import Judge
from venire.domain.verdict import Decided
from venire.errors import ErrorKind, ProviderError
from venire.ports import Provider
from venire.providers.openai_compatible import OpenAICompatible, chat_url
from venire.testing.provider_contract import ProviderContract

KEY = "sk-test-0123456789abcdefSECRET"
HELLO = prompt(("user", "hello"), form=SCHEMA)


@pytest.fixture(scope="module")
def shared() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


@pytest.fixture
def server(shared: LoopbackServer) -> LoopbackServer:
    shared.requests.clear()
    return shared


def api(base_url: str, **fields: Any) -> OpenAICompatible:
    return OpenAICompatible(judge("openai_compatible", model="m", base_url=base_url, **fields), api_key=KEY)


def failure(base_url: str, request: Request = HELLO, **fields: Any) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        ask(api(base_url, **fields), request)
    return caught.value


def test_the_schema_comes_back_filled_in(server: LoopbackServer) -> None:
    reply = ask(api(server.base_url), HELLO)

    assert reply.choices[0].text == '{"correct": "yes"}'
    assert (reply.served_model, reply.usage.output_tokens) == ("m fp_loopback", 1)


def test_samples_are_asked_for_in_one_request(server: LoopbackServer) -> None:
    reply = ask(api(server.base_url), HELLO, [0, 1, 2])

    assert (len(reply.choices), len(server.requests), server.requests[0].body["n"]) == (3, 1, 3)


def test_the_raw_body_is_kept_as_it_came(server: LoopbackServer) -> None:
    request = prompt(("user", "hello"), parameters=(("logprobs", True), ("top_logprobs", 1)))

    raw = json.loads(ask(api(server.base_url), request).raw)

    assert raw["choices"][0]["logprobs"]["content"][0]["logprob"] == -0.1


@pytest.mark.parametrize("name", ["seed", "random_seed"])
def test_draws_asked_one_by_one_get_different_seeds(server: LoopbackServer, name: str) -> None:
    request = prompt(("user", "hello"), parameters=((name, 10),))
    for sample in (0, 3):
        ask(api(server.base_url), request, [sample])

    assert [received.body[name] for received in server.requests] == [10, 13]


@pytest.mark.parametrize(
    "words", ['Sure!\n```json\n{"correct": "correct"}\n```', "I compared both.\n\ncorrect: correct", "**Correct**"]
)
def test_a_server_that_passes_the_format_over_is_read_from_its_text(words: str, tmp_path: Path) -> None:
    with LoopbackServer(words=lambda _: words) as plain:
        items, design = write_inputs(tmp_path, api_design(plain.base_url), ITEMS[:1])
        run = asyncio.run(ajudge(items, design))

    assert {verdict.outcome for verdict in run.verdicts} == {Decided(value="correct")}


def test_the_key_and_the_headers_are_sent(server: LoopbackServer) -> None:
    provider = OpenAICompatible(
        judge("openai_compatible", model="m", base_url=server.base_url), api_key=KEY, headers={"X-Title": "venire"}
    )
    ask(provider, HELLO)

    headers = server.requests[0].headers
    assert (headers["Authorization"], headers["X-Title"]) == (f"Bearer {KEY}", "venire")


def test_azure_gets_its_key_in_a_header_of_its_own_and_the_version_in_the_address(server: LoopbackServer) -> None:
    """https://learn.microsoft.com/azure/ai-services/openai/reference, "Chat completions": api-key, api-version."""
    ask(api(server.base_url, parameters={"api_version": "2024-10-21"}), HELLO)

    sent = server.requests[0]
    assert (sent.path, sent.headers["api-key"]) == ("/v1/chat/completions?api-version=2024-10-21", KEY)
    assert ("Authorization" in sent.headers, "api_version" in sent.body) == (False, False)


def test_without_a_key_none_is_sent(server: LoopbackServer) -> None:
    ask(OpenAICompatible(judge("openai_compatible", model="m", base_url=server.base_url)), HELLO)

    assert "Authorization" not in server.requests[0].headers


def test_a_lone_surrogate_in_judged_text_does_not_stop_the_request(server: LoopbackServer) -> None:
    ask(api(server.base_url), prompt(("user", "a \ud800 é")))

    assert server.requests[0].body["messages"][0]["content"] == "a ? é"


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("429", "rate_limit"),
        ("500", "server"),
        ("401", "auth"),
        ("404", "not_found"),
        ("error200", "rate_limit"),
        ("html", "bad_reply"),
        ("reset", "connection"),
        ("cut", "connection"),
    ],
)
def test_every_fault_has_its_kind_and_names_judge_and_host(server: LoopbackServer, fault: str, kind: ErrorKind) -> None:
    error = failure(server.at(fault))

    assert error.kind == kind
    assert "'j'" in str(error)
    assert "127.0.0.1" in str(error)


def test_a_reply_without_choices_keeps_its_usage(server: LoopbackServer) -> None:
    reply = ask(api(server.at("hollow")), HELLO)

    assert (reply.choices, reply.usage.input_tokens) == ((), 90)


def test_the_wait_that_the_server_asks_for_is_passed_on(server: LoopbackServer) -> None:
    assert failure(server.at("429")).retry_after_s == 7


def test_a_body_that_drips_ends_at_the_deadline(server: LoopbackServer) -> None:
    with pytest.raises(TimeoutError):
        ask(api(server.at("drip")), HELLO, within_s=0.15)


def test_a_refused_connection_names_the_host() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    error = failure(f"http://127.0.0.1:{port}/v1")

    assert (error.kind, "127.0.0.1" in str(error)) == ("connection", True)


def test_words_that_are_no_http_are_a_bad_reply() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")
            writer.close()

        async def whole() -> Reply:
            async with await asyncio.start_server(babble, sock=listener):
                provider = api(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
                try:
                    return await provider.complete(HELLO, [0])
                finally:
                    await provider.close()

        with pytest.raises(ProviderError) as caught:
            asyncio.run(whole())

    assert caught.value.kind == "bad_reply"


def test_a_redirect_is_not_followed(server: LoopbackServer) -> None:
    server.then(Answer(status=307, headers={"Location": server.base_url + "/chat/completions"}, text=""))

    assert (failure(server.base_url).kind, len(server.requests)) == ("not_found", 1)


def test_a_filtered_prompt_is_an_answer_of_its_own(server: LoopbackServer) -> None:
    server.then(Answer(status=400, body={"error": {"code": "content_filter", "message": "withheld"}}))

    assert ask(api(server.base_url), HELLO).choices[0].finish_reason == "content_filter"


@pytest.mark.parametrize("status", [200, 401, 500])
def test_an_echoed_key_is_in_no_error_and_no_raw_text(server: LoopbackServer, status: int) -> None:
    long = "x" * 480
    body = {"error": {"code": status, "message": f"{long} Incorrect API key provided: {KEY}. See ?key={KEY}"}}
    server.then(Answer(status=status, body=body))

    error = failure(server.base_url)

    shown = f"{error} {error!r} {error.raw} {error.__cause__!r} {error.__context__!r}"
    assert (KEY[-8:] in shown, KEY[:20] in shown) == (False, False)


def test_an_echoed_key_is_not_in_a_good_reply(server: LoopbackServer) -> None:
    message = {"role": "assistant", "content": f"your headers: Bearer {KEY}"}
    server.then(Answer(body={"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}))

    reply = ask(api(server.base_url), HELLO)

    assert (KEY in reply.raw, reply.choices[0].text) == (False, "your headers: Bearer [redacted]")


def test_a_secret_header_is_redacted_like_the_key(server: LoopbackServer) -> None:
    server.then(Answer(status=401, body={"error": {"message": "bad api-key hush-hush-123"}}))
    provider = OpenAICompatible(
        judge("openai_compatible", model="m", base_url=server.base_url),
        headers={"api-key": "hush-hush-123"},
        secrets=["hush-hush-123"],
    )

    with pytest.raises(ProviderError, match=r"bad api-key \[redacted\]"):
        ask(provider, HELLO)


def test_the_key_is_not_in_the_representation_of_the_provider(server: LoopbackServer) -> None:
    assert KEY not in repr(api(server.base_url))


def test_a_provider_goes_on_after_a_reset(server: LoopbackServer) -> None:
    server.then(Reset())

    async def twice() -> Reply:
        provider = api(server.base_url)
        try:
            with pytest.raises(ProviderError):
                await provider.complete(HELLO, [0])
            return await provider.complete(HELLO, [0])
        finally:
            await provider.close()

    assert asyncio.run(twice()).choices


def test_no_more_connections_than_the_judge_admits() -> None:
    async def burst(provider: OpenAICompatible) -> None:
        await asyncio.gather(*(provider.complete(HELLO, [0]) for _ in range(12)))
        await provider.close()

    with LoopbackServer(latency_s=0.01) as slow:
        asyncio.run(burst(api(slow.base_url, max_concurrency=3)))

    assert slow.most_in_flight == 3


@pytest.mark.parametrize(
    ("base_url", "url"),
    [
        ("http://h/v1", "http://h/v1/chat/completions"),
        ("http://h/v1/", "http://h/v1/chat/completions"),
        (
            "https://h/openai/deployments/d?api-version=1",
            "https://h/openai/deployments/d/chat/completions?api-version=1",
        ),
    ],
)
def test_the_path_is_added_before_a_query(base_url: str, url: str) -> None:
    assert chat_url(base_url) == url


class TestContract(ProviderContract):
    """Over the loopback server, which answers the same every time."""

    @pytest.fixture(autouse=True)
    def _server(self, server: LoopbackServer) -> None:
        self.server = server

    def make_provider(self) -> Provider:
        made: Judge = judge("openai_compatible", model="m", base_url=self.server.base_url)
        return OpenAICompatible(made)

    def make_request(self) -> Request:
        return HELLO
