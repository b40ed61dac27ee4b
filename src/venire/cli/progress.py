"""The progress of asking: one living line on a terminal, plain lines elsewhere, always on stderr."""

import contextlib
import sys
import time
from collections.abc import Callable, Mapping
from typing import TextIO

from venire.calling.events import CallEvent
from venire.domain.finding import Undefined
from venire.domain.identity import JudgeId
from venire.domain.price import Price, cost_of
from venire.reporting.text import one_line, show_cost

TERMINAL_EVERY_S = 0.1
PLAIN_EVERY_S = 10.0
LINE_WIDTH = 100


class Progress:
    """Listens to calling and shows how far it is, what it has cost and how long it will take."""

    def __init__(
        self,
        n_planned: int,
        prices: Mapping[JudgeId, Price | Undefined],
        *,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._n_planned = n_planned
        self._prices = prices
        self._stream = stream or sys.stderr
        self._clock = clock
        self._started = self._last = clock()
        self._is_terminal = self._stream.isatty()
        self.n_done = self.n_reused = self.n_failed = self.n_retried = self.n_reasked = self.n_unpriced = 0
        self.usd = 0.0
        self.unpriced_tokens = 0
        self.last_failure = ""

    def __call__(self, event: CallEvent) -> None:
        """Take one event."""
        match event.kind:
            case "retried":
                self.n_retried += 1
            case "failed":
                self.n_failed += event.n_calls
                self.n_done += event.n_calls
                self.last_failure = event.message
            case "reused":
                self.n_reused += event.n_calls
                self.n_done += event.n_calls
            case "stopped":
                self._tell(f"Judge {event.judge_id} is asked nothing further: {event.message}")
            case "paused":
                self._tell(f"Judge {event.judge_id} is paused: {event.message}")
            case "reasked":
                self._n_planned += event.n_calls
                self.n_reasked += event.n_calls
            case "answered":
                self.n_done += event.n_calls
                self._charge(event)
        now = self._clock()
        if now - self._last >= (TERMINAL_EVERY_S if self._is_terminal else PLAIN_EVERY_S):
            self._last = now
            self._show()

    def finish(self) -> None:
        """Show the final state, if anything happened at all."""
        if not (self.n_done or self.n_retried):
            return
        self._show()
        if self._is_terminal:
            self._write("\n")
        if self.n_failed and self.last_failure:
            self._write(f"{self.n_failed} calls failed; the last reason: {one_line(self.last_failure)}\n")

    def line(self) -> str:
        """The state in one line."""
        parts = [f"{self.n_done}/{self._n_planned} calls"]
        if self.n_reused:
            parts.append(f"{self.n_reused} already stored")
        if self.n_failed:
            parts.append(f"{self.n_failed} failed")
        if self.n_retried:
            parts.append(f"{self.n_retried} retries")
        if self.n_reasked:
            parts.append(f"{self.n_reasked} asked again")
        parts.append(self.money())
        parts.append(self._time())
        return " · ".join(parts)

    def _charge(self, event: CallEvent) -> None:
        if event.usage is None:
            return
        cost = cost_of(event.usage, self._prices[event.judge_id])
        if isinstance(cost, Undefined):
            self.n_unpriced += 1  # by round trip, as it is billed: a hollow reply answers no call
            self.unpriced_tokens += (event.usage.input_tokens or 0) + (event.usage.output_tokens or 0)
        else:
            self.usd += cost

    def money(self) -> str:
        """What has been spent so far, and what is not known of it."""
        return f"{show_cost(self.usd, self.n_unpriced, self.unpriced_tokens)} spent"

    def _time(self) -> str:
        elapsed = self._clock() - self._started
        n_asked = self.n_done - self.n_reused
        if self.n_done >= self._n_planned or not n_asked:
            return f"{elapsed:.0f} s"
        left_s = (self._n_planned - self.n_done) * elapsed / n_asked
        return f"ETA {int(left_s // 60)}:{int(left_s % 60):02d}"

    def _show(self) -> None:
        if self._is_terminal:
            self._write("\r" + self.line()[:LINE_WIDTH].ljust(LINE_WIDTH))
        else:
            self._write(self.line() + "\n")

    def _tell(self, text: str) -> None:
        self._write(("\n" if self._is_terminal else "") + one_line(text) + "\n")

    def _write(self, text: str) -> None:
        # A closed pipe or a full disk behind stderr is no reason to end a run that is paid for.
        with contextlib.suppress(OSError):
            self._stream.write(text)
            self._stream.flush()
