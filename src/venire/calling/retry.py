"""Retries: which failures are tried again, and how long to wait before."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from venire.domain.identity import seeded_index
from venire.errors import ProviderError

STOP_NOTICED_WITHIN_S = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and how patiently one request is tried."""

    n_tries: int = 8
    """In a row without an answer, the first included. Eight wait about a minute in all: the window of most limits."""
    n_timeouts: int = 2
    """So many of them may time out: each holds a slot for the whole deadline, and may be billed."""
    first_wait_s: float = 0.5
    longest_wait_s: float = 30.0
    longest_server_wait_s: float = 120.0
    """A server that asks for more is not waited for: the call fails and says so."""
    n_failures_to_pause: int = 10
    """In a row, of one judge, over all its slots: then the judge is left alone for a while. More than `n_tries`, so
    that one stubborn request cannot pause it."""
    n_pauses: int = 5
    """In a row without an answer; then its remaining calls fail. With the waits below, after about two minutes."""
    first_pause_s: float = 5.0
    longest_pause_s: float = 60.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """How waiting is done."""
    clock: Callable[[], float] = time.monotonic
    """Seconds that never go back, against which limits by the minute are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenUp:
    """A request is not tried again."""

    message: str
    ends_asking: bool = False
    """Whether every further request to the judge would end the same way: its key or its credit is refused, or it
    asks to be left alone for longer than anyone waits."""


def wait_before_retry(failures: Sequence[ProviderError], policy: RetryPolicy, key: str) -> float | GivenUp:
    """Seconds to wait before a request is tried again.

    Doubles from `first_wait_s`, and is never less than the server asked for. Up to a quarter is added by a hash of
    the key: calls that failed together do not return together, and a run is the same every time.

    Args:
        failures: of this request since it last brought an answer, at least one; the latest decides.
        policy: the limits.
        key: names the request.
    """
    error = failures[-1]
    if not error.is_retryable:
        return GivenUp(message=str(error), ends_asking=error.kind in ("auth", "quota"))
    if error.kind == "adapted" and len(failures) < policy.n_tries:
        return 0.0  # it is another request now
    asked_s = error.retry_after_s or 0.0
    if asked_s > policy.longest_server_wait_s:
        return GivenUp(
            message=f"{error} (asked to wait {asked_s:g} s; at most {policy.longest_server_wait_s:g} s are waited)",
            ends_asking=True,
        )
    n_timeouts = sum(failure.kind == "timeout" for failure in failures)
    if len(failures) >= policy.n_tries or n_timeouts >= policy.n_timeouts:
        return GivenUp(message=f"{error} (given up after {len(failures)} tries)")
    own_s = min(policy.first_wait_s * 2.0 ** (len(failures) - 1), policy.longest_wait_s)
    jitter = 1.0 + seeded_index(1000, "retry", key, len(failures)) / 4000
    return max(own_s, asked_s) * jitter


async def pause(seconds: float, policy: RetryPolicy, is_over: Callable[[], bool]) -> None:
    """Wait, but no longer than there is something to wait for."""
    sleeping = asyncio.ensure_future(policy.sleep(seconds))
    try:
        while not is_over():
            done, _ = await asyncio.wait([sleeping], timeout=STOP_NOTICED_WITHIN_S)
            if done:
                return await sleeping
    finally:
        sleeping.cancel()
    return None
