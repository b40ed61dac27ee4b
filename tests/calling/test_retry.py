"""Which failures are tried again, and after how long."""

import asyncio
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.calling.retry import GivenUp, RetryPolicy, pause, wait_before_retry
from venire.errors import ErrorKind, ProviderError

POLICY = RetryPolicy()


def failures_of(kind: ErrorKind, n: int, retry_after_s: float | None = None) -> list[ProviderError]:
    return [ProviderError(kind, "busy", retry_after_s=retry_after_s) for _ in range(n)]


def wait_of(kind: ErrorKind, n: int, retry_after_s: float | None = None) -> float:
    decision = wait_before_retry(failures_of(kind, n, retry_after_s), POLICY, "key")
    assert not isinstance(decision, GivenUp)
    return decision


@pytest.mark.parametrize("kind", get_args(ErrorKind))
def test_a_kind_is_tried_again_exactly_where_it_says_that_it_may_succeed(kind: ErrorKind) -> None:
    failures = failures_of(kind, 1)

    decision = wait_before_retry(failures, POLICY, "key")

    assert isinstance(decision, GivenUp) is not failures[0].is_retryable


def test_a_request_that_is_written_otherwise_is_sent_at_once() -> None:
    assert wait_of("adapted", 1) == 0.0


def test_waits_double_up_to_the_longest() -> None:
    waits = [wait_of("server", n) for n in range(1, POLICY.n_tries)]

    for wait, least in zip(waits, (0.5, 1, 2, 4, 8, 16, 30), strict=True):
        assert least <= wait <= least * 1.25


def test_the_waits_of_one_call_cover_a_limit_by_the_minute() -> None:
    assert sum(wait_of("rate_limit", n) for n in range(1, POLICY.n_tries)) > 60


def test_calls_that_failed_together_do_not_return_together() -> None:
    waits = {wait_before_retry(failures_of("server", 1), POLICY, f"call {i}") for i in range(50)}

    assert len(waits) > 40


def test_the_same_call_always_waits_equally_long() -> None:
    assert wait_of("server", 3) == wait_of("server", 3)


@given(st.floats(0, 120), st.integers(1, 7))
def test_the_server_s_wait_is_never_undercut(asked_s: float, n: int) -> None:
    wait = wait_of("rate_limit", n, asked_s)

    assert asked_s <= wait <= max(asked_s, POLICY.longest_wait_s) * 1.25


def test_a_server_that_asks_for_no_wait_is_not_hammered() -> None:
    assert wait_of("rate_limit", 3, 0.0) >= 2


def test_a_server_that_asks_for_a_day_is_not_waited_for_and_the_reason_says_so() -> None:
    decision = wait_before_retry(failures_of("rate_limit", 1, 86400.0), POLICY, "key")

    assert decision == GivenUp(message="busy (asked to wait 86400 s; at most 120 s are waited)", ends_asking=True)


def test_after_the_last_try_the_reason_says_how_many_there_were() -> None:
    decision = wait_before_retry(failures_of("server", POLICY.n_tries), POLICY, "key")

    assert decision == GivenUp(message="busy (given up after 8 tries)")


def test_a_call_may_time_out_only_twice_whatever_else_happened() -> None:
    failures = [*failures_of("timeout", 1), *failures_of("server", 2), *failures_of("timeout", 1)]

    assert not isinstance(wait_before_retry(failures[:3], POLICY, "key"), GivenUp)
    assert isinstance(wait_before_retry(failures, POLICY, "key"), GivenUp)


@pytest.mark.parametrize(
    ("kind", "ends"), [("auth", True), ("quota", True), ("not_found", False), ("bad_request", False)]
)
def test_a_refused_key_or_credit_ends_asking(kind: ErrorKind, ends: bool) -> None:
    decision = wait_before_retry(failures_of(kind, 1), POLICY, "key")

    assert decision == GivenUp(message="busy", ends_asking=ends)


def test_a_pause_lasts_as_long_as_its_sleep() -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    asyncio.run(pause(7.0, replace(POLICY, sleep=sleep), lambda: False))

    assert slept == [7.0]


def test_a_pause_ends_when_there_is_nothing_left_to_wait_for() -> None:
    asked: list[bool] = []

    def is_over() -> bool:
        asked.append(True)
        return len(asked) == 2

    asyncio.run(asyncio.wait_for(pause(1e6, POLICY, is_over), 5))

    assert len(asked) == 2


def test_a_sleep_that_breaks_is_not_swallowed() -> None:
    async def broken(seconds: float) -> None:
        raise ValueError("the clock is broken")

    with pytest.raises(ValueError, match="broken"):
        asyncio.run(pause(1.0, replace(POLICY, sleep=broken), lambda: False))
