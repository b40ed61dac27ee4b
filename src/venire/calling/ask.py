"""Asking: every planned call is looked up, asked once and told, within each judge's concurrency."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from venire.calling.batches import Batch, batch_calls
from venire.calling.collector import calm_collector
from venire.calling.ending import StopFlag, WhyEnded
from venire.calling.events import CallEvent, Listener, ignore
from venire.calling.retry import RetryPolicy
from venire.calling.seat import Result, Seat
from venire.calling.session import Session
from venire.calling.slots import Slots
from venire.domain.call import Call, Completion, ExchangeError
from venire.domain.identity import CallId, JudgeId
from venire.domain.panel import Judge
from venire.ports import Completions, Provider

__all__ = ["Answered", "StopFlag", "ask", "ask_round"]

CHUNK = 500
"""Calls looked up in the store at once: the plan is never held whole."""
FIRST_CHUNK = 16
"""The first chunk, and each further one holds twice as many: judges are asked while the plan is still being made."""
WAITING_PER_SLOT = 2
"""Calls that wait for each slot before more of the plan is drawn: enough to keep all slots busy meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What became of one call: a completion (which is durable), or the error it was given up with."""

    call: Call
    result: Completion | ExchangeError


async def ask(
    calls: Iterable[Call],
    panel: Mapping[JudgeId, tuple[Judge, Provider]],
    store: Completions,
    on_answered: Callable[[Answered], None],
    *,
    listen: Listener = ignore,
    policy: RetryPolicy | None = None,
    stop: StopFlag | None = None,
) -> WhyEnded:
    """Ask one round in a session of its own; see `Session` and `ask_round`."""
    session = Session(panel, store, listen=listen, policy=policy, stop=stop)
    try:
        return await ask_round(calls, session, on_answered)
    finally:
        await session.close()


async def ask_round(calls: Iterable[Call], session: Session, on_answered: Callable[[Answered], None]) -> WhyEnded:
    """Ask every call that the store has no completion for, and tell what became of each, once.

    Identical calls are asked once, also across judges and items. A failing call never cancels its siblings, and no
    error does: the first one ends the run, and is raised when everything under way is finished and stored.

    Raises:
        JudgeUnavailable: judges refuse to be asked, and without them the run has no purpose.
        RunFolderError: the store could not keep an answer.
    """
    with calm_collector():
        await _Table(session, on_answered).ask(calls)
    return session.ending.why()


class _Table:
    """The seats, and the calls under way between them."""

    def __init__(self, session: Session, on_answered: Callable[[Answered], None]) -> None:
        self._seats = session.seats
        self._store = session.store
        self._on_answered = on_answered
        self._listen = session.listen
        self._ending = session.ending
        self._under_way: dict[CallId, list[Call]] = {}
        self._n_waiting = 0
        self._max_waiting = WAITING_PER_SLOT * sum(
            seat.judge.max_concurrency * seat.judge.samples_per_request for seat in self._seats.values()
        )
        self._has_room = asyncio.Event()

    async def ask(self, calls: Iterable[Call]) -> None:
        async with asyncio.TaskGroup() as group:
            slots = {judge_id: Slots(seat, group, self._ask_batch) for judge_id, seat in self._seats.items()}
            with self._ending.on_error():
                await self._distribute(calls, slots)
        for seat in self._seats.values():
            if not self._ending.is_near():
                seat.conclude()
        self._ending.raise_error()

    async def _distribute(self, calls: Iterable[Call], slots: Mapping[JudgeId, Slots]) -> None:
        plan, n_next = iter(calls), FIRST_CHUNK
        while not self._ending.is_near() and (chunk := list(islice(plan, n_next))):
            n_next = min(2 * n_next, CHUNK)
            for judge_id, wanted in (await self._sort_out(chunk)).items():
                n_draws = self._seats[judge_id].judge.samples_per_request
                slots[judge_id].add(batch_calls(wanted, n_draws))
            while self._n_waiting > self._max_waiting:
                self._has_room.clear()
                await self._has_room.wait()

    async def _sort_out(self, chunk: Sequence[Call]) -> Mapping[JudgeId, Sequence[Call]]:
        """Tell what is stored, join what is under way, and return by judge what is left to ask."""
        # Only this task puts calls under way: none can be sent while the store is being read, none is asked twice.
        unknown = [call for call in chunk if not self._join(call)]
        stored = await asyncio.to_thread(self._store.answered, [call.id for call in unknown])
        to_ask: dict[JudgeId, list[Call]] = {}
        for call in unknown:
            completion = stored.get(call.id)
            if completion is not None:
                self._listen(CallEvent(kind="reused", judge_id=call.judge_id, n_calls=1))
                self._on_answered(Answered(call=call, result=completion))
            elif not self._join(call):
                self._under_way[call.id] = [call]
                self._n_waiting += 1
                to_ask.setdefault(call.judge_id, []).append(call)
        return to_ask

    def _join(self, call: Call) -> bool:
        identical = self._under_way.get(call.id)
        if identical is None:
            return False
        identical.append(call)
        self._n_waiting += 1
        return True

    async def _ask_batch(self, seat: Seat, batch: Batch) -> None:
        with self._ending.on_error():
            results = await seat.ask(batch)
            for call in batch:
                if call.id in results:
                    self._tell(self._take_out(call), results[call.id])
        for call in batch:
            self._take_out(call)

    def _take_out(self, call: Call) -> Sequence[Call]:
        """This call and those identical to it, which are then no longer under way."""
        calls = self._under_way.pop(call.id, [])
        self._n_waiting -= len(calls)
        if self._n_waiting <= self._max_waiting:
            self._has_room.set()
        return calls

    def _tell(self, calls: Sequence[Call], result: Result) -> None:
        for i, call in enumerate(calls):
            if isinstance(result, ExchangeError):
                self._listen(CallEvent(kind="failed", judge_id=call.judge_id, n_calls=1, message=result.message))
            elif i > 0:  # the first one was counted when its answer was stored
                self._listen(CallEvent(kind="reused", judge_id=call.judge_id, n_calls=1))
            self._on_answered(Answered(call=call, result=result))
