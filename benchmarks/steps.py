"""Where the time of one judgment goes, step by step: python -m benchmarks.steps [SHARED]

Takes the items and the design of `benchmarks.judging` through every step without a network, and prints the CPU time of
each in microseconds a judgment: the best of several rounds, since a machine that is shared only ever makes them slower.
What is left of a run's CPU time beside their sum is HTTP (aiohttp and the event loop), SQLite and the start.
"""

import asyncio
import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import wait
from contextlib import closing
from pathlib import Path

from venire.domain.call import Call, Completion, Exchange, Reply, Request

N_CALLS = 1_500
N_ROUNDS = 7
IN_FLIGHT = 200
ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Print a line for each step."""
    shared = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT.parent / "shared").resolve()
    sys.path[:0] = [str(shared / "bench")]
    gc.freeze()
    gc.set_threshold(20_000)  # as while asking
    for name, step in _steps():
        say(f"{cpu_us(step):7.1f}  {name}")


class Waiting:
    """A provider that answers after 10 ms."""

    def __init__(self, reply: Reply) -> None:
        self._reply = reply

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:  # noqa: ARG002 - always the same
        """The reply."""
        await asyncio.sleep(0.01)
        return self._reply

    async def close(self) -> None:
        """Nothing to close."""


def _steps() -> Sequence[tuple[str, Callable[[], object]]]:
    from benchmarks.drv_venire import DESIGN, Items, parse
    from venire.ballots.judgments import read_call
    from venire.calling.ask import ask
    from venire.planning.calls import Ballots, plan_calls
    from venire.planning.check import check_plan
    from venire.providers.http_exchange import _written
    from venire.providers.openai_wire import read_reply, request_body
    from venire.store.memory import MemoryStore
    from venire.store.sqlite import open_sqlite_store

    design = parse(DESIGN.format(base_url="http://127.0.0.1:1/v1", in_flight=IN_FLIGHT))
    items = tuple(Items(N_CALLS))
    calls = list(plan_calls(items, design))
    judge, ballots = design.judges[0], Ballots(design)
    body = _body()
    reply = read_reply(body, 1)
    completions = [Completion(call_id=call.id, choice=reply.choices[0]) for call in calls]
    answered = list(zip(calls, completions, strict=True))
    exchanges = [_exchange(call, completion, reply) for call, completion in answered]
    ballot = ballots.of(judge.id, 1)
    judgments = [judgment for call, completion in answered for judgment in read_call(call, completion, ballot)]

    def ask_all() -> None:
        asyncio.run(ask(iter(calls), {judge.id: (judge, Waiting(reply))}, MemoryStore(), lambda _: None))

    def write() -> None:
        with tempfile.TemporaryDirectory() as name, closing(open_sqlite_store(Path(name) / "store.sqlite")) as store:
            wait([store.record(exchanges[i : i + 30]) for i in range(0, N_CALLS, 30)])
            store.keep(design.asking_id, judgments).result()

    return (
        ("check the plan", lambda: check_plan(items, design)),
        ("plan: prompt, request, call", lambda: list(plan_calls(items, design))),
        ("plan, and name by content", lambda: [call.id for call in plan_calls(items, design)]),
        ("ask: slots, limits, deadline", ask_all),
        ("write the body", lambda: [_written(request_body(call.request, 1)) for call in calls]),
        ("read the body", lambda: [read_reply(body, 1) for _ in calls]),
        ("read the ballot", lambda: [list(read_call(call, done, ballot)) for call, done in answered]),
        ("store, both threads, commits of 30", write),
    )


def _exchange(call: Call, completion: Completion, reply: Reply) -> Exchange:
    return Exchange(
        request=call.request,
        judge_id=call.judge_id,
        call_ids=(call.id,),
        completions=(completion,),
        usage=reply.usage,
        latency_s=0.05,
        started_at="2026-11-30T22:32:00.000+00:00",
        served_model=reply.served_model,
        raw=reply.raw,
    )


def _body() -> bytes:
    """A reply as the mock server writes it."""
    message = {"role": "assistant", "content": '{"quality": 4}'}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    usage = {"prompt_tokens": 290, "completion_tokens": 3, "total_tokens": 293}
    head = {"id": "chatcmpl-0123456789ab", "object": "chat.completion", "created": 1, "model": "mock-0"}
    return json.dumps({**head, "choices": [choice], "usage": usage}).encode()


def cpu_us(step: Callable[[], object]) -> float:
    """CPU time of the whole process for one call, in microseconds: the best round."""
    rounds = []
    for _ in range(N_ROUNDS):
        before = time.process_time()
        step()
        rounds.append(time.process_time() - before)
    return min(rounds) / N_CALLS * 1e6


def say(text: str) -> None:
    """Print at once."""
    print(text, flush=True)  # noqa: T201 - its result


if __name__ == "__main__":
    main()
