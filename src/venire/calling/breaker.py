"""The breaker: a judge that keeps failing is left alone for a while, tried with one request, in the end given up."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from venire.calling.retry import GivenUp, RetryPolicy, pause
from venire.errors import ErrorKind, ProviderError

BREAKING: frozenset[ErrorKind] = frozenset({"server", "connection", "timeout", "bad_reply", "no_choices"})
"""Failures behind which nobody may be alive. A refusal, also one because of too much traffic, is a sign of life."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paused:
    """Nothing is sent for a while, and then one request."""

    seconds: float
    message: str


class Breaker:
    """Closed: requests pass. Open: they wait; the first to come sleeps the pause through and is sent as a probe."""

    def __init__(self, policy: RetryPolicy, is_over: Callable[[], bool]) -> None:
        """Set up, closed.

        Args:
            policy: how many failures and pauses, and how waiting is done.
            is_over: whether there is nothing to wait for any more.
        """
        self._policy = policy
        self._is_over = is_over
        self._is_open = False
        self._n_in_a_row = self._n_pauses = 0
        self._pause_s = 0.0
        # Outcomes of requests that were sent before it opened or closed last say nothing new, except that they came.
        self._epoch = 0
        self._is_probing = False
        self._has_changed = asyncio.Event()

    async def pass_by(self) -> int:
        """Return when a request may be sent, or the run is over; what came of it is told with the number returned."""
        while self._holds_back():
            if self._is_probing:
                self._has_changed.clear()
                await self._has_changed.wait()
                continue
            self._is_probing = True
            try:
                await pause(self._pause_s, self._policy, lambda: not self._holds_back())
            except BaseException:
                self.leave(self._epoch)
                raise
            if self._holds_back():
                return self._epoch
            self.leave(self._epoch)
        return self._epoch

    def leave(self, epoch: int) -> None:
        """Let another one be the probe, where this one ended without being sent or without an outcome."""
        if epoch == self._epoch and self._is_open:
            self._stop_probing()

    def take_answer(self) -> None:
        """Take note of a sign of life, from whenever it comes."""
        self._n_in_a_row = self._n_pauses = 0
        if self._is_open:
            self._is_open = False
            self._epoch += 1
            self._stop_probing()

    def take_failure(self, failure: ProviderError, epoch: int) -> Paused | GivenUp | None:
        """Take note of a failure; says what becomes of the judge if that is decided now."""
        if failure.kind not in BREAKING:
            self.take_answer()
            return None
        if epoch != self._epoch:
            return None
        self._n_in_a_row += 1
        if not self._is_open and self._n_in_a_row < self._policy.n_failures_to_pause:
            return None
        self._is_open = True
        self._epoch += 1
        self._stop_probing()
        if self._n_pauses == self._policy.n_pauses:
            said = f"{failure} (given up after {self._n_in_a_row} failures in a row and {self._n_pauses} pauses)"
            return GivenUp(message=said, ends_asking=True)
        self._pause_s = min(self._policy.first_pause_s * 2.0**self._n_pauses, self._policy.longest_pause_s)
        self._n_pauses += 1
        said = f"{failure} ({self._n_in_a_row} failures in a row: nothing is sent for {self._pause_s:g} s)"
        return Paused(seconds=self._pause_s, message=said)

    def _holds_back(self) -> bool:
        return self._is_open and not self._is_over()

    def _stop_probing(self) -> None:
        self._is_probing = False
        self._has_changed.set()
