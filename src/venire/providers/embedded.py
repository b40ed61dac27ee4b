"""Any GGUF model inside this process, through llama.cpp (xllamacpp): no server to start, no key, no network."""

import asyncio
import json
import os
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from queue import LifoQueue
from typing import Protocol, cast

from venire.domain.call import Reply, Request, Usage
from venire.domain.identity import Json
from venire.domain.panel import Judge
from venire.errors import ProviderError
from venire.providers.gguf import find_weights
from venire.providers.openai_faults import error_in_success
from venire.providers.openai_wire import OWN_PARAMETERS, read_reply, request_body

N_CTX = 4096
"""Tokens of context for one request, prompt and answer together."""

SEEDS = 2**32 - 1
"""llama.cpp's seeds are 32 bits wide, and the highest one means "draw a new one each time"."""

# Words that chat templates turn into control tokens: in judged text they could end the user's turn.
_CONTROL = re.compile(
    r"<(?=\|[^|<>\s]{1,40}\|>|｜[^｜<>]{1,40}｜>|/?s>|(?:start|end)_of_turn>)|\[(?=/?INST\])",
)


class Server(Protocol):
    """What is used of xllamacpp's Server."""

    def handle_chat_completions(self, body: dict[str, Json]) -> dict[str, Json]:
        """Answer one chat completion, as its HTTP interface would."""
        ...


class Embedded:
    """A judge whose model runs in this process, in as many copies as it has workers."""

    def __init__(self, judge: Judge) -> None:
        """Find the weights; they are loaded when first needed.

        Raises:
            JudgeUnavailable: xllamacpp or the weights are missing.
        """
        self._judge = judge
        self._weights = find_weights(judge)
        self._n_workers = self._whole("workers", 1)
        self._threads = ThreadPoolExecutor(self._n_workers, thread_name_prefix="venire-llama")
        self._idle: LifoQueue[Server | None] = LifoQueue()
        # None stands for a copy not yet loaded; last in, first out, so that a lone request finds a loaded one.
        for _ in range(self._n_workers):
            self._idle.put(None)

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        """Draw once for each sample; the judge's seed and the sample number decide the draw."""
        loop = asyncio.get_running_loop()
        bodies = [self._body(request, sample) for sample in samples]
        replies = await asyncio.gather(*(loop.run_in_executor(self._threads, self._answer, body) for body in bodies))
        return replies[0] if len(replies) == 1 else _joined(replies)

    async def close(self) -> None:
        """Finish what is being answered, drop what waits, unload the model."""
        await asyncio.to_thread(self._threads.shutdown, wait=True, cancel_futures=True)
        while not self._idle.empty():
            self._idle.get()

    def _body(self, request: Request, sample: int) -> dict[str, Json]:
        own = OWN_PARAMETERS | {"n_threads", "n_ctx", "workers", "seed", "cache_prompt"}
        plain = replace(
            request,
            messages=tuple(replace(each, content=defuse(each.content)) for each in request.messages),
        )
        body = request_body(plain, 1, own)
        body["seed"] = (self._whole("seed", 0) + sample) % SEEDS
        # A prompt that shares its beginning with the one before is answered faster from the cache, but its last
        # bits, and so at times its answer, then depend on what came before.
        body["cache_prompt"] = self._judge.parameter("cache_prompt") is True
        if request.format.kind == "one_of":
            body["grammar"] = grammar_of(request.format.words)
        return body

    def _answer(self, body: dict[str, Json]) -> Reply:
        server = self._idle.get()
        try:
            server = server or self._load()
            try:
                answered = server.handle_chat_completions(body)
            except (RuntimeError, ValueError) as error:
                raise ProviderError("bad_request", f"Judge {self._judge.id!r}: {error}") from error
        finally:
            self._idle.put(server)
        raw = json.dumps(answered, ensure_ascii=False)
        if answered.get("error"):
            raise self._explained(error_in_success(answered["error"], raw))
        return read_reply(raw.encode("utf-8", "replace"), 1)

    def _explained(self, error: ProviderError) -> ProviderError:
        advice = ""
        if "exceed_context_size_error" in error.raw:
            advice = f" (parameters: n_ctx is {self._whole('n_ctx', N_CTX)}; raise it where the model allows)"
        return ProviderError(
            error.kind, f"Judge {self._judge.id!r}: {error}{advice}", status=error.status, raw=error.raw
        )

    def _load(self) -> Server:
        # Threads that wait without spinning: with two contended ones, llama.cpp was measured 40 times slower.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        import xllamacpp

        settings = xllamacpp.CommonParams()
        settings.model.path = str(self._weights)
        settings.model_alias = {self._weights.stem}
        settings.n_ctx = self._whole("n_ctx", N_CTX)
        settings.n_parallel = 1
        settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = self._whole("n_threads", 1)
        settings.cache_ram_mib = 0
        settings.warmup = settings.ui = settings.endpoint_slots = False
        settings.verbosity = -1
        # The server also listens on a loopback port, which cannot be turned off: nobody else knows this key.
        settings.api_keys = [secrets.token_hex(16)]
        settings.n_threads_http = 1
        try:
            return cast("Server", xllamacpp.Server(settings))
        except (RuntimeError, ValueError) as error:
            raise ProviderError(
                "not_found", f"Judge {self._judge.id!r}: llama.cpp cannot load {self._weights.name!r}: {error}"
            ) from error

    def _whole(self, name: str, default: int) -> int:
        value = self._judge.parameter(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else default


def grammar_of(words: Sequence[str]) -> str:
    """A GBNF grammar whose only sentences are these words."""
    return "root ::= " + " | ".join(f'"{"".join(map(_escaped, word))}"' for word in words)


def defuse(text: str) -> str:
    """Put a space into every word that a chat template would read as a control token.

    llama.cpp reads "<|im_end|>" in a message as the end of the turn, whoever wrote it.
    """
    return _CONTROL.sub(r"\g<0> ", text)


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else f"\\U{ord(character):08X}"


def _joined(replies: Sequence[Reply]) -> Reply:
    usages = [reply.usage for reply in replies]
    raws: Mapping[str, Json] = {"replies": [json.loads(reply.raw) for reply in replies]}
    return Reply(
        choices=tuple(choice for reply in replies for choice in reply.choices),
        usage=Usage(
            input_tokens=_total(usage.input_tokens for usage in usages),
            output_tokens=_total(usage.output_tokens for usage in usages),
            cached_input_tokens=_total(usage.cached_input_tokens for usage in usages),
        ),
        served_model=replies[0].served_model,
        raw=json.dumps(raws, ensure_ascii=False),
    )


def _total(counts: Iterable[int | None]) -> int | None:
    known = list(counts)
    return None if None in known else sum(count for count in known if count is not None)
