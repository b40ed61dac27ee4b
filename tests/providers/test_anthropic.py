"""The Messages API against a server on the loopback address."""

import json
import logging
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.cli.running import ITEMS, api_design, judge_into
from tests.providers.building import SCHEMA, ask, judge, prompt
from tests.providers.loopback import Answer, LoopbackServer
from venire.domain.call import Request
from venire.errors import ErrorKind, ProviderError
from venire.ports import Provider
from venire.providers.anthropic import Anthropic
from venire.testing.provider_contract import ProviderContract

KEY = "sk-ant-test-0123456789abcdefSECRET"
HELLO = prompt(("system", "rules"), ("user", "hello"), form=SCHEMA, provider="anthropic")


@pytest.fixture(scope="module")
def shared() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


@pytest.fixture
def server(shared: LoopbackServer) -> LoopbackServer:
    shared.requests.clear()
    return shared


def claude(base_url: str, parameters: dict[str, Any] | None = None, **fields: Any) -> Anthropic:
    return Anthropic(judge("anthropic", parameters, model="m", base_url=base_url, **fields), api_key=KEY)


def failure(base_url: str, request: Request = HELLO, **fields: Any) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        ask(claude(base_url, **fields), request)
    return caught.value


def refused(kind: str, message: str = "no", **more: Any) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message, **more}, "request_id": "req_1"}


@pytest.mark.parametrize("way", ["json_schema", "tool"])
def test_the_schema_comes_back_filled_in(server: LoopbackServer, way: str) -> None:
    request = prompt(("user", "hello"), form=SCHEMA, parameters=(("response_format", way),))

    reply = ask(claude(server.messages_url), request)

    assert (reply.choices[0].text, reply.served_model) == ('{"correct": "yes"}', "m")
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (1, 1)


def test_key_version_and_path_are_those_of_the_documentation(server: LoopbackServer) -> None:
    """https://platform.claude.com/docs/en/api/overview, "Authentication"."""
    ask(claude(server.messages_url), HELLO)

    sent = server.requests[0]
    assert (sent.path, sent.headers["x-api-key"], sent.headers["anthropic-version"]) == (
        "/v1/messages",
        KEY,
        "2023-06-01",
    )
    assert "Authorization" not in sent.headers


def test_another_version_is_sent_where_the_design_says_so(server: LoopbackServer) -> None:
    ask(claude(server.messages_url, {"api_version": "2026-10-21"}), HELLO)

    assert server.requests[0].headers["anthropic-version"] == "2026-10-21"


def test_several_samples_bring_one_choice_because_there_is_no_n(server: LoopbackServer) -> None:
    reply = ask(claude(server.messages_url), HELLO, [0, 1, 2])

    assert (len(reply.choices), "n" in server.requests[0].body) == (1, False)


@pytest.mark.parametrize(
    ("status", "body", "kind", "retryable"),
    [
        (400, refused("invalid_request_error"), "bad_request", False),
        (400, refused("invalid_request_error", "integer schemas may not carry minimum"), "unsupported", False),
        (400, refused("invalid_request_error", "Your credit balance is too low to access the API."), "quota", False),
        (400, refused("invalid_request_error", "You have reached your specified API usage limits."), "quota", False),
        (401, refused("authentication_error"), "auth", False),
        (402, refused("billing_error"), "quota", False),
        (403, refused("permission_error"), "auth", False),
        (404, refused("not_found_error"), "not_found", False),
        (409, refused("conflict_error"), "server", True),
        (413, refused("request_too_large"), "bad_request", False),
        (429, refused("rate_limit_error"), "rate_limit", True),
        (429, refused("rate_limit_error", details={"error_code": "enforced_spend_limit_reached"}), "quota", False),
        (500, refused("api_error"), "server", True),
        (504, refused("timeout_error"), "server", True),
        (529, refused("overloaded_error", "Overloaded"), "server", True),
    ],
)
def test_f17_every_documented_error_has_its_kind(
    server: LoopbackServer, status: int, body: Any, kind: ErrorKind, retryable: bool
) -> None:
    """https://platform.claude.com/docs/en/api/errors."""
    server.then(Answer(status=status, body=body))

    error = failure(server.messages_url)

    assert (error.kind, error.is_retryable, error.status) == (kind, retryable, status)
    assert body["error"]["message"] in str(error)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("529", "server"),
        ("html", "bad_reply"),
        ("error200", "rate_limit"),
        ("reset", "connection"),
        ("cut", "connection"),
    ],
)
def test_every_fault_has_its_kind_and_names_judge_and_host(server: LoopbackServer, fault: str, kind: ErrorKind) -> None:
    error = failure(server.messages_at(fault))

    assert error.kind == kind
    assert ("'j'" in str(error), "127.0.0.1" in str(error)) == (True, True)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "Wed, 31 Dec 2025 23:59:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
    ],
)
def test_f16_the_wait_is_passed_on(server: LoopbackServer, headers: dict[str, str], seconds: float | None) -> None:
    server.then(Answer(status=429, headers=headers, body=refused("rate_limit_error")))

    assert failure(server.messages_url).retry_after_s == seconds


def test_a_body_that_drips_ends_at_the_deadline(server: LoopbackServer) -> None:
    with pytest.raises(TimeoutError):
        ask(claude(server.messages_at("drip")), HELLO, within_s=0.15)


def test_a_filtered_answer_is_an_answer_of_its_own(server: LoopbackServer) -> None:
    """github.com/anthropics/claude-code/issues/55789."""
    body = refused("invalid_request_error", "Output blocked by content filtering policy")
    server.then(Answer(status=400, body=body))

    assert ask(claude(server.messages_url), HELLO).choices[0].finish_reason == "content_filter"


@pytest.mark.parametrize("status", [200, 400, 401, 500, 529])
def test_f44_an_echoed_key_is_in_no_error(
    server: LoopbackServer, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    server.then(Answer(status=status, body=refused("authentication_error", f"{'x' * 480} invalid x-api-key: {KEY}")))

    with caplog.at_level(logging.DEBUG):
        error = failure(server.messages_url)

    shown = f"{error} {error!r} {error.raw} {error.__cause__!r} {error.__context__!r} {caplog.text}"
    assert (KEY[-8:] in shown, KEY[:20] in shown) == (False, False)


def test_f44_an_echoed_key_is_in_no_part_of_a_reply(server: LoopbackServer) -> None:
    blocks = [{"type": "thinking", "thinking": KEY}, {"type": "text", "text": KEY}]
    server.then(Answer(body={"content": blocks, "stop_reason": "end_turn", "model": KEY, "usage": {}}))

    reply = ask(claude(server.messages_url), HELLO)

    assert KEY[-8:] not in repr(reply)


def test_the_key_is_not_in_the_representation_of_the_provider(server: LoopbackServer) -> None:
    assert KEY not in repr(claude(server.messages_url))


def echo(body: dict[str, Any]) -> str:
    """An answer that repeats the key: as its verdict to every second question."""
    verdict = "correct" if "guess" in json.dumps(body) else KEY
    return json.dumps({"correct": verdict, "note": f"the key is {KEY}"})


def test_f44_a_planted_key_is_in_nothing_that_a_run_leaves_behind(tmp_path: Path) -> None:
    with LoopbackServer(words=echo) as server:
        server.then(
            Answer(status=529, body=refused("overloaded_error", f"key {KEY}")), Answer(text=f"<html>{KEY}</html>")
        )
        server.then(*[Answer(status=400, body=refused("invalid_request_error", f"x-api-key: {KEY}"))] * 2)
        design = api_design(server.messages_url).replace("openai_compatible", "anthropic")
        design += "    parameters: {response_format: tool}\n"
        run = judge_into(tmp_path, design, "--max-failures", "1", items=ITEMS, env={"ANTHROPIC_API_KEY": KEY})

    assert (run.returncode, len(server.requests) > 10) == (0, True), run.stderr
    shown = b"".join([*left_behind(tmp_path / "run"), run.stdout.encode(), run.stderr.encode()])
    assert (b"[redacted]" in shown, KEY[-8:].encode() in shown) == (True, False)


def left_behind(folder: Path) -> Iterator[bytes]:
    """Every file's bytes, and what is compressed inside them: raw bodies in the store, columns of a table."""
    for path in (path for path in folder.rglob("*") if path.is_file()):
        yield path.read_bytes()
        if path.suffix == ".parquet":
            yield pl.read_parquet(path).write_json().encode()
    with sqlite3.connect(folder / "store.sqlite") as store:
        for (table,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in store.execute(f'SELECT * FROM "{table}"'):
                yield b"".join(unpacked(cell) for cell in row if isinstance(cell, bytes))
    store.close()


def unpacked(cell: bytes) -> bytes:
    try:
        return zlib.decompress(cell)
    except zlib.error:
        return cell


def test_what_is_compressed_in_a_run_is_looked_into(tmp_path: Path) -> None:
    words = "a rather unusual sentence"
    with LoopbackServer(words=lambda _: json.dumps({"correct": "correct", "note": words})) as server:
        design = api_design(server.messages_url).replace("openai_compatible", "anthropic")
        judge_into(tmp_path, design, items=ITEMS[:1], env={"ANTHROPIC_API_KEY": KEY})

    assert sum(words.encode() in piece for piece in left_behind(tmp_path / "run")) >= 2


class TestContract(ProviderContract):
    """Over the loopback server, which answers the same every time."""

    @pytest.fixture(autouse=True)
    def _server(self, server: LoopbackServer) -> None:
        self.server = server

    def make_provider(self) -> Provider:
        return claude(self.server.messages_url)

    def make_request(self) -> Request:
        return HELLO


class TestContractOfFailures(TestContract):
    """The same where a request is refused."""

    def make_bad_request(self) -> Request:
        self.server.then(Answer(status=404, body=refused("not_found_error", "model: m")))
        return HELLO
