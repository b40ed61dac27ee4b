"""One exchange is sent under a deadline and stored, whatever came of it."""

import asyncio
from collections.abc import Sequence

import pytest

from venire.calling.exchange import RoundTrip, deadline_of, send_once
from venire.calling.recorder import Recorder
from venire.domain.call import Call, Exchange, ExchangeError, Reply, Request, Usage
from venire.domain.panel import Judge
from venire.errors import ProviderError
from venire.ports import Provider
from venire.store.memory import MemoryStore

from .makers import Asked, LateStore, failing, make_call, make_judge, reply


def send(calls: Sequence[Call], provider: Provider, store: MemoryStore, judge: Judge | None = None) -> RoundTrip:
    asked = judge or make_judge()

    async def main() -> RoundTrip:
        return await asyncio.wait_for(send_once(calls, asked, provider, Recorder(store), deadline_of(asked)), 5)

    return asyncio.run(main())


def only_exchange(store: MemoryStore) -> Exchange:
    (exchange,) = store.exchanges()
    return exchange


def test_an_answer_is_durable_on_return() -> None:
    store, call = LateStore(), make_call("x")

    send([call], Asked(), store)

    assert store.durable == {call.id}


def test_each_draw_gets_the_choice_in_its_place() -> None:
    calls = [make_call("x", sample=sample) for sample in (4, 2)]

    trip = send(calls, Asked(), MemoryStore())

    assert [(c.call_id, c.choice.text) for c in trip.exchange.completions] == [
        (calls[0].id, "x/4"),
        (calls[1].id, "x/2"),
    ]


def test_choices_that_nobody_asked_for_are_let_go() -> None:
    async def generous(request: Request, samples: Sequence[int]) -> Reply:
        return reply("one", "two", "three")

    trip = send([make_call("x")], Asked(generous), MemoryStore())

    assert [completion.choice.text for completion in trip.exchange.completions] == ["one"]


def test_a_failure_is_stored_with_its_reason_and_raw_body() -> None:
    error = ProviderError("server", "overloaded", status=529, raw="<html>")
    store = MemoryStore()

    trip = send([make_call("x")], failing(error), store)

    assert trip.failure is error
    assert only_exchange(store).error == ExchangeError(kind="server", message="overloaded", status=529)
    assert trip.exchange.raw == "<html>"


def test_a_reply_without_a_choice_is_a_failure_and_is_billed() -> None:
    async def hollow(request: Request, samples: Sequence[int]) -> Reply:
        return reply(usage=Usage(input_tokens=90, output_tokens=0))

    store = MemoryStore()
    trip = send([make_call("x")], Asked(hollow), store)

    assert trip.failure is not None
    assert trip.failure.kind == "no_choices"
    assert only_exchange(store).usage == Usage(input_tokens=90, output_tokens=0)


def test_a_provider_that_never_answers_is_left_at_the_deadline() -> None:
    async def never(request: Request, samples: Sequence[int]) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError

    provider = Asked(never)
    trip = send([make_call("x")], provider, MemoryStore(), make_judge(timeout_s=0.01))

    assert trip.failure is not None
    assert (trip.failure.kind, provider.n_in_flight) == ("timeout", 0)
    assert "'a' gave no whole answer within 0.01 s" in str(trip.failure)


def test_a_bug_in_a_provider_is_no_failure_of_the_judge() -> None:
    async def buggy(request: Request, samples: Sequence[int]) -> Reply:
        raise KeyError("choices")

    with pytest.raises(KeyError, match="choices"):
        send([make_call("x")], Asked(buggy), MemoryStore())
