"""A server of chat completions and of Anthropic's messages on the loopback address, in a thread, with faults on demand.

with LoopbackServer() as server:
    server.then(Answer(status=429, headers={"Retry-After": "7"}))   # for the next request only
    ... ask server.base_url ...
    server.requests[0].body["n"]
"""

import asyncio
import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web


@dataclass(frozen=True, kw_only=True)
class Received:
    """One request as it came."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A whole answer: a JSON body, or text as it is."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    text: str | None = None


@dataclass(frozen=True, kw_only=True)
class Drip:
    """A success whose body comes one space at a time and never ends."""

    every_s: float = 0.02


@dataclass(frozen=True, kw_only=True)
class Reset:
    """The connection is cut, before or in the middle of the body."""

    after_headers: bool = False


Step = Answer | Drip | Reset

# Every path under /at/<name>/v1 does this to every request: base_url + these names need no queue.
FAULTS: Mapping[str, Step] = {
    "429": Answer(status=429, headers={"Retry-After": "7"}, body={"error": {"message": "slow down"}}),
    "500": Answer(status=500, body={"error": {"message": "out of order"}}),
    "401": Answer(status=401, body={"error": {"message": "Incorrect API key provided.", "code": "invalid_api_key"}}),
    "404": Answer(status=404, body={"error": {"message": "no such model", "code": "model_not_found"}}),
    "529": Answer(status=529, body={"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
    "hollow": Answer(body={"choices": [], "usage": {"prompt_tokens": 90, "completion_tokens": 0}}),
    "error200": Answer(body={"error": {"code": 429, "message": "Rate limit exceeded upstream"}}),
    "html": Answer(headers={"Content-Type": "text/html"}, text="<html><body>Bad gateway</body></html>"),
    "drip": Drip(),
    "reset": Reset(),
    "cut": Reset(after_headers=True),
}


class LoopbackServer:
    """Answers every request by a function of its body, unless a fault was queued or is in the path."""

    def __init__(self, words: Callable[[dict[str, Any]], str] | None = None, latency_s: float = 0.0) -> None:
        """Set up.

        Args:
            words: what a choice says; by default the first admissible value of every field of the schema, or "ok".
            latency_s: how long every answer takes.
        """
        self.requests: list[Received] = []
        self.most_in_flight = 0
        self._words = words or fill_schema
        self._latency_s = latency_s
        self._steps: deque[Step] = deque()
        self._in_flight = 0
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._port = 0

    @property
    def base_url(self) -> str:
        """The address before /chat/completions."""
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def messages_url(self) -> str:
        """The address before /v1/messages."""
        return f"http://127.0.0.1:{self._port}"

    def at(self, fault: str) -> str:
        """A base_url under which every request meets this fault of FAULTS."""
        return f"{self.messages_at(fault)}/v1"

    def messages_at(self, fault: str) -> str:
        """The same for messages."""
        return f"http://127.0.0.1:{self._port}/at/{fault}"

    def then(self, *steps: Step) -> None:
        """Answer the next requests like this, one step each."""
        self._steps.extend(steps)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *exc: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        runner = self._loop.run_until_complete(self._start())
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())
        self._loop.close()

    async def _start(self) -> web.AppRunner:
        app = web.Application(client_max_size=2**26)
        for path in ("/v1/chat/completions", "/v1/messages"):
            app.router.add_post(path, self._handle)
            app.router.add_post("/at/{fault}" + path, self._handle)
        runner = web.AppRunner(app, shutdown_timeout=0.05)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self._port = runner.addresses[0][1]
        return runner

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            body = await request.json()
            self.requests.append(Received(path=request.path_qs, headers=dict(request.headers), body=body))
            await asyncio.sleep(self._latency_s)
            step = self._steps.popleft() if self._steps else FAULTS.get(request.match_info.get("fault", ""))
            answer = message if request.path.endswith("/messages") else completion
            return await _perform(request, step or Answer(body=answer(body, self._words)))
        finally:
            self._in_flight -= 1


async def _perform(request: web.Request, step: Step) -> web.StreamResponse:
    match step:
        case Answer(text=str(text)):
            headers = {"Content-Type": "text/plain", **step.headers}
            return web.Response(status=step.status, headers=headers, body=text.encode())
        case Answer():
            return web.json_response(step.body, status=step.status, headers=step.headers)
        case Reset(after_headers=False):
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        case Drip() | Reset():
            response = web.StreamResponse()
            response.content_length = 1000
            await response.prepare(request)
            while isinstance(step, Drip):
                await response.write(b" ")
                await asyncio.sleep(step.every_s)
            await response.write(b"{")
            assert request.transport is not None
            request.transport.abort()
            return response


def completion(body: dict[str, Any], words: Callable[[dict[str, Any]], str]) -> dict[str, Any]:
    """A chat completion in OpenAI's shape, with n choices, usage and, where asked for, logprobs."""
    n = body.get("n", 1)
    choices = []
    for index in range(n):
        text = words(body)
        choice: dict[str, Any] = {
            "index": index,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": text},
        }
        if body.get("logprobs"):
            likely = [{"token": text, "logprob": -0.1}] * min(1, body.get("top_logprobs", 0))
            choice["logprobs"] = {"content": [{"token": text, "logprob": -0.1, "top_logprobs": likely}]}
        choices.append(choice)
    n_input = sum(len(message["content"].split()) for message in body["messages"])
    return {
        "id": "loopback",
        "object": "chat.completion",
        "model": body["model"],
        "system_fingerprint": "fp_loopback",
        "choices": choices,
        "usage": {
            "prompt_tokens": n_input,
            "completion_tokens": n,
            "total_tokens": n_input + n,
            "prompt_tokens_details": {"cached_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0},
        },
    }


def message(body: dict[str, Any], words: Callable[[dict[str, Any]], str]) -> dict[str, Any]:
    """A message in Anthropic's shape: words, or the call of the tool that was forced."""
    text = words(body)
    content: list[dict[str, Any]] = [{"type": "text", "text": text}]
    if body.get("tool_choice", {}).get("type") == "tool":
        name = body["tool_choice"]["name"]
        content = [{"type": "tool_use", "id": "toolu_1", "name": name, "input": json.loads(text)}]
    return {
        "id": "msg_loopback",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": "tool_use" if "tools" in body else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": sum(len(turn["content"].split()) for turn in body["messages"]),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 1,
        },
    }


def fill_schema(body: dict[str, Any]) -> str:
    """The first admissible value of every field of the response schema, or "ok" where there is none."""
    schema = _schema(body)
    if schema is None:
        return "ok"
    examples = {"string": "words", "number": 0.5, "integer": 1}
    fields = schema["properties"]
    return json.dumps({name: each.get("enum", [examples.get(each.get("type"))])[0] for name, each in fields.items()})


def _schema(body: dict[str, Any]) -> Any:
    form = body.get("response_format") or body.get("output_config", {}).get("format") or {}
    if "tools" in body:
        return body["tools"][0]["input_schema"]
    return form.get("schema") or form.get("json_schema", {}).get("schema")
