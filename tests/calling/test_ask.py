"""Every call is looked up, asked once and told once; runs end well in every way in which they can end."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from venire.calling.ask import Answered, StopFlag, ask
from venire.calling.events import CallEvent
from venire.calling.retry import RetryPolicy
from venire.domain.call import Call, Completion, Exchange, ExchangeError, Reply, Request
from venire.domain.identity import CallId
from venire.errors import JudgeUnavailable, ProviderError, RunFolderError
from venire.store.memory import MemoryStore
from venire.store.sqlite import open_sqlite_store

from .makers import (
    Asked,
    LateStore,
    ask_all,
    echo,
    failing,
    make_call,
    make_calls,
    make_judge,
    n_completions,
    never,
    panel_of,
    run_all,
    words_of,
)


def test_a_completion_is_durable_before_it_is_told() -> None:
    store = LateStore()
    was_durable: list[bool] = []

    async def main() -> None:
        await ask(make_calls(9), panel_of((make_judge(), Asked())), store, note)

    def note(one: Answered) -> None:
        was_durable.append(one.call.id in store.durable)

    asyncio.run(main())
    assert was_durable == [True] * 9


def test_identical_calls_of_two_judges_and_three_items_are_asked_once_and_all_told() -> None:
    provider = Asked()
    calls = [make_call("same", judge, item=item) for item in ("i", "j", "k") for judge in ("a", "b")]

    told = run_all(calls, panel_of((make_judge("a"), provider), (make_judge("b"), provider)))

    assert len(provider.requests) == 1
    assert Counter((one.call.subject.item_id, one.call.judge_id) for one in told) == {
        (call.subject.item_id, call.judge_id): 1 for call in calls
    }


def test_an_identical_call_in_a_later_chunk_joins_the_one_under_way() -> None:
    async def slow(request: Request, samples: Sequence[int]) -> Reply:
        await asyncio.sleep(0.05 if words_of(request) == "same" else 0)
        return await echo(request, samples)

    provider = Asked(slow)
    calls = [make_call("same"), *make_calls(700), make_call("same", item="late")]
    told = run_all(calls, panel_of((make_judge(slots=500), provider)))

    assert Counter(words for words, _ in provider.requests)["same"] == 1
    assert n_completions(told) == 702


def test_an_identical_call_that_comes_after_the_answer_is_reused() -> None:
    provider = Asked()
    calls = [make_call("same"), *make_calls(1000), make_call("same", item="late")]

    run_all(calls, panel_of((make_judge(slots=1), provider)))

    assert Counter(words for words, _ in provider.requests)["same"] == 1


def test_other_samples_of_the_same_request_are_other_calls() -> None:
    provider = Asked()

    run_all([make_call("x", sample=sample) for sample in range(3)], panel_of((make_judge(), provider)))

    assert sorted(samples for _, samples in provider.requests) == [(0,), (1,), (2,)]


def test_what_the_store_has_is_told_and_not_asked(tmp_path: Path) -> None:
    first, second = Asked(), Asked()
    for provider, n in ((first, 10), (second, 25)):
        store = open_sqlite_store(tmp_path / "store.sqlite")
        told = run_all(make_calls(n), panel_of((make_judge(), provider)), store)
        store.close()

    assert (len(first.requests), len(second.requests)) == (10, 15)
    assert n_completions(told) == 25


def test_a_run_that_was_stopped_and_run_again_asks_every_call_once(tmp_path: Path) -> None:
    async def stop_at_fifty(request: Request, samples: Sequence[int]) -> Reply:
        stop.requested = len(provider.requests) == 50
        return await echo(request, samples)

    stop, provider = StopFlag(), Asked(stop_at_fifty)
    for _ in range(2):
        store = open_sqlite_store(tmp_path / "store.sqlite")
        told = run_all(make_calls(100), panel_of((make_judge(), provider)), store, stop=stop)
        store.close()
        stop.requested = False

    assert len(provider.requests) == len(set(provider.requests)) == 100
    assert n_completions(told) == 100


def test_a_failed_call_is_asked_again_by_the_next_run() -> None:
    store, provider = MemoryStore(), failing("not_recorded")
    panel = panel_of((make_judge(), provider))

    told = [one.result for _ in range(2) for one in run_all([make_call("x")], panel, store)]

    assert [type(result) for result in told] == [ExchangeError, Completion]


def test_the_stop_flag_lets_calls_under_way_finish_and_sends_no_other() -> None:
    stop = StopFlag()

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        stop.requested = len(provider.requests) == 4
        await asyncio.sleep(0.01)
        return await echo(request, samples)

    provider = Asked(answer)
    told = run_all(make_calls(1000), panel_of((make_judge(slots=3), provider)), stop=stop)

    assert len(provider.requests) == n_completions(told) == len(told) == 4


def test_a_stopped_run_waits_for_no_retry_and_tells_no_failure() -> None:
    stop = StopFlag()

    async def sleep(seconds: float) -> None:
        stop.requested = True
        await asyncio.Event().wait()

    provider = failing("server", "server")
    told = run_all(make_calls(1), panel_of((make_judge(), provider)), policy=RetryPolicy(sleep=sleep), stop=stop)

    assert (len(provider.requests), told) == (1, [])


def test_a_run_that_is_stopped_before_it_began_draws_no_call() -> None:
    def plan() -> Iterator[Call]:
        yield from make_calls(1)
        raise AssertionError("the plan was drawn")

    assert run_all(plan(), panel_of((make_judge(), Asked())), stop=StopFlag(requested=True)) == []


@pytest.mark.parametrize("kind", ["auth", "not_found", "quota", "connection"])
def test_a_wrong_key_or_address_costs_one_request(kind: str) -> None:
    provider = failing(*[ProviderError(kind, "no") for _ in range(99)])  # type: ignore[arg-type]

    with pytest.raises(JudgeUnavailable, match="Judge 'a' cannot be asked: no"):
        run_all(make_calls(50), panel_of((make_judge(slots=20), provider)))

    assert len(provider.requests) == 1


def test_a_first_item_that_is_too_long_does_not_end_the_run() -> None:
    provider = failing("bad_request")

    told = run_all(make_calls(9), panel_of((make_judge(), provider)))

    assert [one.call.subject.item_id for one in told if isinstance(one.result, ExchangeError)] == ["a0"]
    assert n_completions(told) == 8


@pytest.mark.parametrize(("n_calls", "n_requests"), [(1, 1), (2, 2), (50, 3)])
def test_a_judge_that_accepts_no_request_cannot_be_asked(n_calls: int, n_requests: int) -> None:
    provider = failing(*(99 * [ProviderError("bad_request", "it was bad_request")]))

    with pytest.raises(JudgeUnavailable, match="it was bad_request"):
        run_all(make_calls(n_calls), panel_of((make_judge(), provider)))

    assert len(provider.requests) == n_requests


def test_when_a_judge_cannot_be_asked_the_calls_of_others_are_finished_and_stored() -> None:
    async def slow(request: Request, samples: Sequence[int]) -> Reply:
        await asyncio.sleep(0.02)
        return await echo(request, samples)

    async def refuse(request: Request, samples: Sequence[int]) -> Reply:
        while good.n_in_flight < 4:
            await asyncio.sleep(0.001)
        raise ProviderError("auth", "no")

    good, store, told = Asked(slow), LateStore(), list[Answered]()
    panel = panel_of((make_judge("a"), good), (make_judge("b"), Asked(refuse)))
    calls = [call for item in zip(make_calls(50, "a"), make_calls(50, "b"), strict=True) for call in item]
    with pytest.raises(JudgeUnavailable):
        run_all(calls, panel, store, told=told, may_go_on=never)

    assert len(good.requests) == n_completions(told) == len(store.durable) == 5


def test_after_the_key_is_mended_only_what_is_missing_is_asked() -> None:
    good, bad, store = Asked(), failing("auth"), MemoryStore()
    calls = [*make_calls(50, "a"), *make_calls(50, "b")]
    panel = panel_of((make_judge("a"), good), (make_judge("b"), bad))
    with pytest.raises(JudgeUnavailable):
        run_all(calls, panel, store, may_go_on=never)

    told = run_all(calls, panel, store)

    assert n_completions(told) == 100
    assert (len(good.requests), len(bad.requests)) == (50, 51)


def test_a_key_that_is_refused_in_the_middle_ends_that_judge_alone() -> None:
    async def expire(request: Request, samples: Sequence[int]) -> Reply:
        if len(expiring.requests) > 10:
            raise ProviderError("auth", "expired", status=401)
        return await echo(request, samples)

    good, expiring = Asked(), Asked(expire)
    panel = panel_of((make_judge("a"), good), (make_judge("b", slots=1), expiring))
    told = run_all([*make_calls(50, "a"), *make_calls(50, "b")], panel)

    errors = [one.result for one in told if isinstance(one.result, ExchangeError)]
    assert len(expiring.requests) == 11
    assert errors == [ExchangeError(kind="auth", message="expired", status=401)] * 40
    assert len(told) == 100


def test_a_bug_in_a_provider_is_raised_as_it_is_when_its_siblings_are_stored() -> None:
    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        if words_of(request) == "a3":
            raise KeyError("choices")
        await asyncio.sleep(0.01)
        return await echo(request, samples)

    provider, store = Asked(answer), LateStore()
    with pytest.raises(KeyError, match="choices"):
        run_all(make_calls(100), panel_of((make_judge(slots=3), provider)), store)

    assert len(store.durable) == len(provider.requests) - 1 == 3


def test_an_error_of_whoever_is_told_ends_the_run_with_it() -> None:
    def refuse(_: Answered) -> None:
        raise ValueError("no room")

    with pytest.raises(ValueError, match="no room"):
        asyncio.run(ask(make_calls(9), panel_of((make_judge(), Asked())), MemoryStore(), refuse))


def test_a_plan_that_breaks_ends_the_run_when_what_is_under_way_is_finished() -> None:
    def plan() -> Iterator[Call]:
        yield from make_calls(1000)
        raise ValueError("a bad item")

    provider, told = Asked(), list[Answered]()
    with pytest.raises(ValueError, match="a bad item"):
        run_all(plan(), panel_of((make_judge(), provider)), LateStore(), told=told)

    assert len(provider.requests) == len(told) > 900


class FullDisk(MemoryStore):
    """A store that fails to write after a while: `record` itself, or the future that it gave."""

    def __init__(self, *, at_once: bool) -> None:
        super().__init__()
        self.at_once = at_once
        self.n_kept = 0

    def record(self, exchanges: Sequence[Exchange]) -> Future[None]:
        if self.n_kept + len(exchanges) <= 5:
            self.n_kept += len(exchanges)
            return super().record(exchanges)
        if self.at_once:
            raise RunFolderError("the disk is full")
        lost: Future[None] = Future()
        asyncio.get_running_loop().call_later(0.001, lost.set_exception, RunFolderError("the disk is full"))
        return lost


@pytest.mark.parametrize("at_once", [True, False])
def test_a_store_that_cannot_write_ends_the_run_with_its_error(at_once: bool) -> None:
    provider, told = Asked(), list[Answered]()

    with pytest.raises(RunFolderError, match="the disk is full"):
        run_all(make_calls(1000), panel_of((make_judge(), provider)), FullDisk(at_once=at_once), told=told)

    assert len(told) == 5
    assert len(provider.requests) <= 5 + 4


def test_a_store_that_cannot_be_read_ends_the_run_with_its_error() -> None:
    class Unreadable(MemoryStore):
        def answered(self, call_ids: Sequence[CallId]) -> Mapping[CallId, Completion]:
            raise RunFolderError("not a database")

    with pytest.raises(RunFolderError, match="not a database"):
        run_all(make_calls(9), panel_of((make_judge(), Asked())), Unreadable())


@pytest.mark.parametrize("where", ["request", "wait"])
def test_cancellation_leaves_at_once(where: str) -> None:
    reached = asyncio.Event()

    async def for_ever(*_: object) -> Any:
        reached.set()
        await asyncio.Event().wait()

    provider = Asked(for_ever) if where == "request" else failing("server")

    async def main() -> None:
        asking = asyncio.create_task(
            ask_all(make_calls(9), panel_of((make_judge(), provider)), policy=RetryPolicy(sleep=for_ever))
        )
        await reached.wait()
        asking.cancel()
        await asyncio.wait_for(asking, 1)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    assert provider.n_in_flight == 0


@pytest.mark.parametrize(
    "n_of_each",
    [(0, 0), (1, 0), (0, 1), (1, 1), (1200, 0), (1200, 1), (1, 1200), (600, 600)],
)
def test_no_split_of_calls_between_judges_stands_still(n_of_each: tuple[int, int]) -> None:
    panel = panel_of((make_judge("a", slots=1), Asked()), (make_judge("b", slots=3), Asked()))

    told = run_all([*make_calls(n_of_each[0], "a"), *make_calls(n_of_each[1], "b")], panel)

    assert n_completions(told) == sum(n_of_each)


def test_a_slow_judge_does_not_keep_a_fast_one_from_its_calls() -> None:
    async def slow(request: Request, samples: Sequence[int]) -> Reply:
        await asyncio.sleep(0.005)
        done_meanwhile.append(len(fast.requests))
        return await echo(request, samples)

    done_meanwhile: list[int] = []
    fast = Asked()
    calls = [call for i in range(20) for call in (make_call(f"a{i}"), make_call(f"b{i}", "b"))]
    run_all(calls, panel_of((make_judge("a", slots=1), Asked(slow)), (make_judge("b"), fast)))

    assert done_meanwhile[10] == 20


def test_a_call_to_a_judge_that_does_not_sit_on_the_panel_is_an_error() -> None:
    with pytest.raises(KeyError, match="stranger"):
        run_all([make_call("x", "stranger")], panel_of((make_judge(), Asked())))


class Forgetful:
    """A store that keeps nothing."""

    def answered(self, call_ids: Sequence[CallId]) -> Mapping[CallId, Completion]:
        return {}

    def record(self, exchanges: Sequence[Exchange]) -> Future[None]:
        done: Future[None] = Future()
        done.set_result(None)
        return done

    def failures(self, call_ids: Sequence[CallId]) -> Mapping[CallId, ExchangeError]:
        return {}

    def exchanges(self) -> Iterator[Exchange]:
        return iter(())


@pytest.mark.parametrize("n_distinct", [1, 8_000])
def test_the_plan_is_never_drawn_far_ahead_of_the_answers(n_distinct: int) -> None:
    """Also where all calls are identical: those that join one under way are held in memory too."""
    n_drawn = n_told = furthest = 0

    def plan() -> Iterator[Call]:
        nonlocal n_drawn, furthest
        for i in range(8_000):
            n_drawn += 1
            furthest = max(furthest, n_drawn - n_told)
            yield make_call(f"{i % n_distinct}")

    def count(_: Answered) -> None:
        nonlocal n_told
        n_told += 1

    asyncio.run(ask(plan(), panel_of((make_judge(slots=20), Asked())), Forgetful(), count))

    assert n_told == n_drawn == 8_000
    assert furthest <= 4 * 20 + 2 * 500


def test_events_count_every_call_that_is_told_once() -> None:
    events: list[CallEvent] = []
    store = MemoryStore()
    run_all(make_calls(3), panel_of((make_judge(), Asked())), store)
    calls = [*make_calls(6), make_call("a5", "b", item="twin"), make_call("lost"), make_call("lost", "b", item="twin")]

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        if words_of(request) == "lost":
            raise ProviderError("not_recorded", "not there")
        return await echo(request, samples)

    run_all(calls, panel_of((make_judge("a"), Asked(answer)), (make_judge("b"), Asked())), store, listen=events.append)

    counted = Counter((event.kind, event.judge_id) for event in events for _ in range(event.n_calls))
    assert counted == {
        ("reused", "a"): 3,
        ("answered", "a"): 3,
        ("reused", "b"): 1,
        ("failed", "a"): 1,
        ("failed", "b"): 1,
    }


def test_judges_are_asked_while_the_plan_is_still_being_made() -> None:
    drawn: list[str] = []
    drawn_before_asking: list[int] = []

    def plan() -> Iterator[Call]:
        for call in make_calls(200):
            drawn.append(call.id)
            yield call

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        drawn_before_asking.append(len(drawn))
        return await echo(request, samples)

    run_all(plan(), panel_of((make_judge(), Asked(answer))))

    assert drawn_before_asking[0] < 100
