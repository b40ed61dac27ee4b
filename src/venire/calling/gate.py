"""Gates: all requests to one provider key go through one, within its limits and its width, judge by judge in turn."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field

from venire.calling.exchange import RoundTrip
from venire.calling.limits import KeyLimits, Pass
from venire.calling.retry import RetryPolicy, pause
from venire.calling.width import Width
from venire.domain.call import Call
from venire.domain.identity import JudgeId
from venire.domain.panel import Judge
from venire.errors import ProviderError

N_REFUSALS_TO_REST = 4
"""In a row without an answer between. Where 5 % of requests are refused by dice, six in a million such rows occur."""
SHORTEST_WAIT_S = 0.001


@dataclass(slots=True, kw_only=True, eq=False)
class _Waiting:
    """A request that waits to be let in."""

    calls: Sequence[Call]
    is_let_in: "asyncio.Future[Pass | None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Gate:
    """What the judges that share a provider key have in common."""

    def __init__(self, judges: Sequence[Judge], policy: RetryPolicy, is_ending: Callable[[], bool]) -> None:
        """Set up; nothing is held back yet.

        Args:
            judges: those that share the key.
            policy: how waiting is done.
            is_ending: whether the run sends nothing further.
        """
        self._policy = policy
        self._is_ending = is_ending
        self._width = Width(sum(judge.max_concurrency for judge in judges))
        self._limits = KeyLimits(judges, policy)
        self._queues: dict[JudgeId, deque[_Waiting]] = {judge.id: deque() for judge in judges}
        self._turns = deque(self._queues)
        self._n_waiting = self._n_inside = 0
        self._n_refused_in_a_row = self._n_rests = self._n_resting = 0
        self._rests_until = self._wakes_at = 0.0
        self._alarm: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def enter(self, calls: Sequence[Call]) -> Pass | None:
        """Wait until a request may be sent; None: it shall not be sent at all."""
        if not self._n_waiting and not self._is_full() and not self._limits.wait_s(calls):
            return self._let_pass(calls)
        waiting, queue = _Waiting(calls=calls), self._queues[calls[0].judge_id]
        queue.append(waiting)
        self._n_waiting += 1
        self._let_in()
        try:
            return await waiting.is_let_in
        except asyncio.CancelledError:
            if waiting in queue:
                queue.remove(waiting)
                self._n_waiting -= 1
            elif not waiting.is_let_in.cancelled() and waiting.is_let_in.result() is not None:
                self._n_inside -= 1
            raise

    def leave(self, entry: Pass, trip: RoundTrip | None) -> None:
        """Take note of what came of a request that was let in; None: nothing, or nobody knows."""
        self._n_inside -= 1
        self._limits.settle(entry, trip)
        if trip is not None and trip.failure is None:
            self._n_refused_in_a_row = self._n_rests = 0
            self._width.take_answer(entry.epoch)
        elif trip is not None and trip.failure is not None and _is_traffic(trip.failure):
            self._take_refusal(entry, trip.failure)
        if self._n_waiting:
            self._let_in()

    def dismiss(self, judge_id: JudgeId) -> None:
        """Send away whoever waits with a request to this judge."""
        queue = self._queues[judge_id]
        while queue:
            self._answer(queue.popleft(), None)

    async def close(self) -> None:
        """End every wait of its own."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _is_full(self) -> bool:
        return self._n_inside >= self._width.now or self._n_resting > 0

    def _let_pass(self, calls: Sequence[Call]) -> Pass:
        self._n_inside += 1
        return self._limits.take(calls, self._width.epoch)

    def _let_in(self) -> None:
        """Let in as many as may enter; whatever holds the others back calls this again when it ends."""
        while self._n_waiting:
            if self._is_ending():
                for judge_id in self._queues:
                    self.dismiss(judge_id)
            elif self._is_full():
                return
            elif (wait_s := self._let_next_in()) > 0:
                self._wake_in(max(wait_s, SHORTEST_WAIT_S))
                return

    def _let_next_in(self) -> float:
        """Let the next judge's request in, or say how long it takes until one may enter.

        The judge whose turn it is waits for a limit of the key in front of the others; a limit of its model is none
        of theirs.
        """
        waits: list[float] = []
        for _ in range(len(self._turns)):
            queue = self._queues[self._turns[0]]
            if queue:
                key_s = self._limits.key_wait_s(queue[0].calls)
                if key_s:
                    return min([key_s, *waits])
                model_s = self._limits.model_wait_s(queue[0].calls)
                if not model_s:
                    self._turns.rotate(-1)
                    waiting = queue.popleft()
                    self._answer(waiting, self._let_pass(waiting.calls))
                    return 0.0
                waits.append(model_s)
            self._turns.rotate(-1)
        return min(waits)

    def _answer(self, waiting: _Waiting, entry: Pass | None) -> None:
        self._n_waiting -= 1
        if not waiting.is_let_in.done():
            waiting.is_let_in.set_result(entry)
        elif entry is not None:  # cancelled meanwhile
            self._n_inside -= 1

    def _take_refusal(self, entry: Pass, failure: ProviderError) -> None:
        self._width.take_refusal(entry.epoch)
        self._n_refused_in_a_row += 1
        if self._n_refused_in_a_row < N_REFUSALS_TO_REST:
            return
        if not self._n_resting:
            self._n_rests += 1
            self._width.halve(entry.epoch)
        own_s = min(self._policy.first_wait_s * 2.0 ** (self._n_rests - 1), self._policy.longest_wait_s)
        asked_s = min(failure.retry_after_s or 0.0, self._policy.longest_server_wait_s)
        rest_s = max(own_s, asked_s)
        until = self._policy.clock() + rest_s
        if not self._n_resting or until > self._rests_until + rest_s / 10:  # many say the same at nearly the same time
            self._rests_until = until
            self._n_resting += 1
            self._start(self._rest(rest_s))

    async def _rest(self, seconds: float) -> None:
        await pause(seconds, self._policy, self._is_ending)
        self._n_resting -= 1
        self._let_in()

    def _wake_in(self, seconds: float) -> None:
        at = self._policy.clock() + seconds
        if self._alarm is not None:
            if self._wakes_at <= at:
                return
            self._alarm.cancel()
        self._wakes_at = at
        self._alarm = self._start(self._ring(seconds))

    async def _ring(self, seconds: float) -> None:
        await pause(seconds, self._policy, self._is_ending)
        self._alarm = None
        self._let_in()

    def _start(self, waiting: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(waiting)
        self._tasks.add(task)
        task.add_done_callback(self._end)
        return task

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:  # nobody would be let in any more: whoever waits must hear why
            for queue in self._queues.values():
                while queue:
                    self._n_waiting -= 1
                    waiting = queue.popleft()
                    if not waiting.is_let_in.done():
                        waiting.is_let_in.set_exception(error)


def _is_traffic(failure: ProviderError) -> bool:
    """Whether a request failed because there is too much going on: 429, Anthropic's 529, or any wait asked for."""
    return failure.kind == "rate_limit" or failure.status == 529 or failure.retry_after_s is not None
