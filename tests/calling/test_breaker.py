"""A judge that keeps failing is left alone, tried with one request, and in the end given up."""

import asyncio
from collections.abc import Sequence

import pytest

from venire.calling.events import CallEvent
from venire.calling.retry import RetryPolicy
from venire.domain.call import ExchangeError, Reply, Request
from venire.errors import ErrorKind, ProviderError
from venire.store.memory import MemoryStore

from .makers import Asked, echo, make_calls, make_judge, n_completions, panel_of, run_all

POLICY = RetryPolicy()


def patient(waits: list[float]) -> RetryPolicy:
    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        await asyncio.sleep(0.001)

    return RetryPolicy(sleep=sleep)


def dies_after(n_answers: int, kind: ErrorKind = "server", comes_back_after: int = 10**9) -> Asked:
    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        number = len(provider.requests)
        await asyncio.sleep(0)
        if n_answers < number <= comes_back_after:
            raise ProviderError(kind, "out of order")
        return await echo(request, samples)

    provider = Asked(answer)
    return provider


@pytest.mark.parametrize("kind", ["server", "connection", "timeout", "bad_reply"])
def test_a_provider_that_died_costs_few_requests_and_its_calls_fail_with_the_reason(kind: ErrorKind) -> None:
    provider, waits = dies_after(20, kind), list[float]()

    told = run_all(make_calls(1000), panel_of((make_judge(slots=20), provider)), policy=patient(waits))

    errors = [one.result for one in told if isinstance(one.result, ExchangeError)]
    assert (n_completions(told), len(told)) == (20, 1000)
    assert len(provider.requests) <= 20 + 2 * 20 + POLICY.n_pauses
    assert "given up after" in errors[-1].message
    assert errors[-1].kind == ("server" if kind == "timeout" else kind)


def test_pauses_grow_and_are_told_and_so_is_the_end() -> None:
    events: list[CallEvent] = []

    provider = dies_after(1)
    run_all(make_calls(100), panel_of((make_judge(slots=20), provider)), listen=events.append, policy=patient([]))

    loud = [event for event in events if event.kind in ("paused", "stopped")]
    assert [event.kind for event in loud] == ["paused"] * POLICY.n_pauses + ["stopped"]
    assert [f"for {seconds} s" in event.message for event, seconds in zip(loud, (5, 10, 20, 40, 60), strict=False)]


def test_while_it_is_paused_one_request_at_a_time_is_sent() -> None:
    events: list[CallEvent] = []
    in_flight_when_paused: list[int] = []

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        await asyncio.sleep(0.001)
        if any(event.kind == "paused" for event in events) and len(provider.requests) > 40:
            in_flight_when_paused.append(provider.n_in_flight)
        raise ProviderError("server", "no")

    provider = Asked(answer)
    run_all(make_calls(99), panel_of((make_judge(slots=20), provider)), listen=events.append, policy=patient([]))

    assert set(in_flight_when_paused) <= {1}


def test_a_provider_that_comes_back_is_asked_as_before() -> None:
    provider = dies_after(20, comes_back_after=43)

    told = run_all(make_calls(200), panel_of((make_judge(slots=20), provider)), policy=patient([]))

    assert n_completions(told) == 200
    assert provider.most_in_flight > 10


def test_another_judge_goes_on_meanwhile() -> None:
    dead, good = dies_after(1), Asked()
    panel = panel_of((make_judge("a"), dead), (make_judge("b"), good))

    told = run_all([*make_calls(50, "a"), *make_calls(50, "b")], panel, policy=patient([]))

    assert n_completions(told) == 51
    assert len(good.requests) == 50


@pytest.mark.parametrize("kind", ["rate_limit", "not_recorded"])
def test_a_refusal_is_a_sign_of_life(kind: ErrorKind) -> None:
    events: list[CallEvent] = []
    provider = dies_after(1, kind, comes_back_after=25)

    run_all(make_calls(60), panel_of((make_judge(slots=5), provider)), listen=events.append, policy=patient([]))

    assert not any(event.kind == "paused" for event in events)


def test_every_failed_try_is_stored_and_no_other() -> None:
    store, provider = MemoryStore(), dies_after(5)

    run_all(make_calls(100), panel_of((make_judge(slots=4), provider)), store, policy=patient([]))

    assert len(list(store.exchanges())) == len(provider.requests)
