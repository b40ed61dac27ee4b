"""One judge's calls: tried, grouped, within its slots."""

import asyncio
from collections.abc import Sequence

import pytest

from venire.calling.events import CallEvent
from venire.calling.retry import RetryPolicy
from venire.domain.call import Completion, ExchangeError, Reply, Request, Usage
from venire.errors import ErrorKind, ProviderError
from venire.store.memory import MemoryStore

from .makers import (
    Asked,
    ask_all,
    echo,
    failing,
    make_call,
    make_calls,
    make_judge,
    n_completions,
    no_waits,
    panel_of,
    reply,
    run_all,
    words_of,
)


@pytest.mark.parametrize("kind", ["rate_limit", "server", "timeout", "no_choices", "bad_reply"])
def test_what_may_succeed_is_asked_again_and_answered(kind: ErrorKind) -> None:
    provider = failing(kind)

    (told,) = run_all([make_call("x")], panel_of((make_judge(), provider)))

    assert isinstance(told.result, Completion)
    assert len(provider.requests) == 2


def test_what_cannot_succeed_is_asked_once() -> None:
    provider = failing("not_recorded")

    (told,) = run_all([make_call("x")], panel_of((make_judge(), provider)))

    assert told.result == ExchangeError(kind="not_recorded", message="it was not_recorded")
    assert len(provider.requests) == 1


def test_every_try_is_stored_as_an_exchange() -> None:
    store = MemoryStore()

    run_all([make_call("x")], panel_of((make_judge(), failing("server", "rate_limit"))), store)

    kinds = [exchange.error and exchange.error.kind for exchange in store.exchanges()]
    assert kinds == ["server", "rate_limit", None]


def test_a_call_is_given_up_after_its_tries_and_the_waits_doubled() -> None:
    waits: list[float] = []
    provider = failing(*(100 * [ProviderError("server", "it was server")]))

    (told,) = run_all([make_call("x")], panel_of((make_judge(), provider)), policy=no_waits(waits))

    assert told.result == ExchangeError(kind="server", message="it was server (given up after 8 tries)")
    assert all(0.5 * 2**n <= wait <= 0.625 * 2**n for n, wait in enumerate(waits[:6]))
    assert len(waits) == 7
    assert len(provider.requests) == 8


def test_the_server_s_wait_is_honoured() -> None:
    waits: list[float] = []
    busy = ProviderError("rate_limit", "busy", retry_after_s=60.0)

    run_all([make_call("x")], panel_of((make_judge(), failing(busy))), policy=no_waits(waits))

    assert len(waits) == 1
    assert 60.0 <= waits[0] <= 75.0


def test_a_fault_of_one_request_holds_no_other_up() -> None:
    order: list[str] = []

    async def sleep(seconds: float) -> None:
        while len(order) < 5:
            await asyncio.sleep(0.001)

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        order.append(words_of(request))
        if order == ["a0", "a1"]:
            raise ProviderError("server", "hiccup")
        return await echo(request, samples)

    run_all(make_calls(5), panel_of((make_judge(slots=2), Asked(answer))), policy=RetryPolicy(sleep=sleep))

    assert order == ["a0", "a1", "a2", "a3", "a4", "a1"]


def test_a_judge_that_asks_for_a_day_is_not_asked_again() -> None:
    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        if len(provider.requests) > 3:
            raise ProviderError("rate_limit", "daily limit", retry_after_s=86400.0)
        return await echo(request, samples)

    provider = Asked(answer)
    told = run_all(make_calls(50), panel_of((make_judge(slots=1), provider)))

    errors = {one.result.message for one in told if isinstance(one.result, ExchangeError)}
    assert (len(provider.requests), n_completions(told)) == (4, 3)
    assert errors == {"daily limit (asked to wait 86400 s; at most 120 s are waited)"}


def test_draws_of_one_request_are_asked_for_together() -> None:
    provider = Asked()
    calls = [make_call(words, sample=sample) for words in ("x", "y") for sample in range(5)]

    told = run_all(calls, panel_of((make_judge(draws=3), provider)))

    assert sorted(provider.requests) == [("x", (0, 1, 2)), ("x", (3, 4)), ("y", (0, 1, 2)), ("y", (3, 4))]
    assert n_completions(told) == 10


def test_of_a_short_reply_only_the_missing_draws_are_asked_again_at_once() -> None:
    """Endpoints that do not know `n` answer with one choice: that is progress, and no reason to wait or give up."""
    waits: list[float] = []

    async def one_at_a_time(request: Request, samples: Sequence[int]) -> Reply:
        return reply(f"{samples[0]}")

    provider = Asked(one_at_a_time)
    calls = [make_call("x", sample=sample) for sample in range(12)]
    told = run_all(calls, panel_of((make_judge(draws=12), provider)), policy=no_waits(waits))

    assert [samples for _, samples in provider.requests] == [tuple(range(n, 12)) for n in range(12)]
    assert (n_completions(told), waits) == (12, [])


def test_patience_begins_anew_with_every_draw_that_comes() -> None:
    async def stubborn(request: Request, samples: Sequence[int]) -> Reply:
        if len(provider.requests) % 8:
            raise ProviderError("server", "busy")
        return reply("one at a time")

    provider = Asked(stubborn)
    calls = [make_call("x", sample=sample) for sample in range(3)]
    told = run_all(calls, panel_of((make_judge(draws=3), provider)))

    assert (n_completions(told), len(provider.requests)) == (3, 24)


def test_draws_that_came_are_kept_when_the_rest_is_given_up() -> None:
    async def once(request: Request, samples: Sequence[int]) -> Reply:
        if len(samples) == 3:
            return reply("zero", "one")
        raise ProviderError("bad_request", "n is too small")

    calls = [make_call("x", sample=sample) for sample in range(3)]
    told = run_all(calls, panel_of((make_judge(draws=3), Asked(once))))

    assert [isinstance(one.result, Completion) for one in told] == [True, True, False]


def test_a_hollow_reply_is_billed_and_asked_again() -> None:
    events: list[CallEvent] = []

    async def hollow_first(request: Request, samples: Sequence[int]) -> Reply:
        return reply(usage=Usage(input_tokens=90)) if len(provider.requests) == 1 else await echo(request, samples)

    provider = Asked(hollow_first)
    run_all([make_call("x")], panel_of((make_judge(), provider)), listen=events.append)

    assert [(event.kind, event.n_calls) for event in events] == [("answered", 0), ("retried", 1), ("answered", 1)]
    assert events[0].usage == Usage(input_tokens=90)


@pytest.mark.parametrize("slots", [1, 2, 7])
def test_the_slots_are_all_used_and_never_more(slots: int) -> None:
    async def slow(request: Request, samples: Sequence[int]) -> Reply:
        await asyncio.sleep(0.002)
        return await echo(request, samples)

    provider = Asked(slow)
    run_all(make_calls(40), panel_of((make_judge(slots=slots), provider)))

    assert provider.most_in_flight == slots


def test_the_slots_are_kept_also_while_everything_fails() -> None:
    errors: list[ErrorKind] = ["server", "no_choices", "bad_reply", "server", "server", "bad_reply", "bad_reply"]

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        await asyncio.sleep(0.002)
        if errors:
            raise ProviderError(errors.pop(), "no")
        return await echo(request, samples)

    provider = Asked(answer)
    run_all(make_calls(40), panel_of((make_judge(slots=3), provider)))

    assert provider.most_in_flight == 3


def test_a_hung_call_frees_its_slot_and_the_run_ends() -> None:
    """F40: two slots; items 3 and 7 are never answered, item 5 drips for ever: 17 answered, 3 timed out."""

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        match words_of(request):
            case "a3" | "a7":
                await asyncio.Event().wait()
            case "a5":
                while True:
                    await asyncio.sleep(0.01)
        return await echo(request, samples)

    told = run_all(make_calls(20), panel_of((make_judge(slots=2, timeout_s=0.05), Asked(answer))))

    errors = {one.call.subject.item_id: one.result.kind for one in told if isinstance(one.result, ExchangeError)}
    assert errors == {"a3": "timeout", "a5": "timeout", "a7": "timeout"}
    assert n_completions(told) == 17


def test_a_first_call_that_hangs_holds_the_others_up_for_one_deadline_only() -> None:
    first_asked_twice: list[int] = []

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        if words_of(request) == "a0":
            if len(provider.requests) > 1:
                first_asked_twice.append(len(provider.requests))
            await asyncio.Event().wait()
        return await echo(request, samples)

    async def sleep(seconds: float) -> None:
        while len(provider.requests) < 5:
            await asyncio.sleep(0.001)

    provider = Asked(answer)
    judge = make_judge(slots=2, timeout_s=0.01)
    told = run_all(make_calls(5), panel_of((judge, provider)), policy=RetryPolicy(sleep=sleep))

    assert (n_completions(told), first_asked_twice) == (4, [6])


def test_a_wait_of_the_own_backoff_holds_the_slot() -> None:
    async def sleep(seconds: float) -> None:
        assert provider.n_in_flight == 0
        await asyncio.sleep(0.01)
        assert provider.n_in_flight == 0

    provider = failing("server")

    async def main() -> None:
        panel = panel_of((make_judge(slots=1), provider))
        await ask_all(make_calls(2), panel, policy=RetryPolicy(sleep=sleep))

    asyncio.run(main())
    assert [words for words, _ in provider.requests] == ["a0", "a0", "a1"]
