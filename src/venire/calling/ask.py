"""Asking: every planned call is looked up, asked once and answered, within each judge's concurrency."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from venire.calling.batches import Batch, batch_calls, chunked
from venire.calling.events import CallEvent, Listener, ignore
from venire.calling.retry import RetryPolicy
from venire.calling.seat import Seat
from venire.domain.call import Call, Completion, ExchangeError
from venire.domain.identity import CallId, JudgeId
from venire.domain.panel import Judge
from venire.errors import JudgeUnavailable, ProviderError
from venire.ports import Completions, Provider

CHUNK = 500
"""Calls looked up in the store at once: the plan is never held whole."""
QUEUED_PER_SLOT = 4
"""Batches waiting for each slot of a judge: enough that a fast judge is not held up by a slow one's lookup."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What became of one call: a completion (which is durable), or the error it was given up with."""

    call: Call
    result: Completion | ExchangeError


@dataclass(slots=True)
class StopFlag:
    """Set `requested` to end early: calls under way are finished and stored, no further one is sent."""

    requested: bool = False


async def ask(
    calls: Iterable[Call],
    panel: Mapping[JudgeId, tuple[Judge, Provider]],
    store: Completions,
    on_answered: Callable[[Answered], None],
    *,
    listen: Listener = ignore,
    policy: RetryPolicy | None = None,
    stop: StopFlag | None = None,
) -> None:
    """Ask every call that the store has no completion for, and tell what became of each.

    A failing call never cancels its siblings. Identical calls are asked once, also across judges and items.

    Raises:
        JudgeUnavailable: the first call to a judge failed in a way that every further one would.
    """
    retry = policy or RetryPolicy()
    seats = {
        judge_id: Seat(judge, provider, store, policy=retry, listen=listen)
        for judge_id, (judge, provider) in panel.items()
    }
    await _Table(seats, store, on_answered, listen, stop or StopFlag()).ask(calls)


class _Table:
    """The seats and the calls under way between them."""

    def __init__(
        self,
        seats: Mapping[JudgeId, Seat],
        store: Completions,
        on_answered: Callable[[Answered], None],
        listen: Listener,
        stop: StopFlag,
    ) -> None:
        self._seats = seats
        self._store = store
        self._on_answered = on_answered
        self._listen = listen
        self._stop = stop
        self._under_way: dict[CallId, list[Call]] = {}
        self._queues = {
            judge_id: asyncio.Queue[Batch | None](seat.judge.max_concurrency * QUEUED_PER_SLOT)
            for judge_id, seat in seats.items()
        }
        self._unavailable: JudgeUnavailable | None = None

    async def ask(self, calls: Iterable[Call]) -> None:
        async with asyncio.TaskGroup() as group:
            for judge_id, seat in self._seats.items():
                group.create_task(self._serve(seat, self._queues[judge_id]))
            await self._distribute(calls)
            for queue in self._queues.values():
                await queue.put(None)
        if self._unavailable is not None:
            raise self._unavailable

    @property
    def _is_ending(self) -> bool:
        return self._stop.requested or self._unavailable is not None

    async def _distribute(self, calls: Iterable[Call]) -> None:
        for chunk in chunked(calls, CHUNK):
            if self._is_ending:
                return
            # A call under way now is waited for. Only this task puts calls under way, so none of the others
            # can be sent while the store is being read, and none is asked twice.
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
                    to_ask.setdefault(call.judge_id, []).append(call)
            for judge_id, wanted in to_ask.items():
                for batch in batch_calls(wanted, self._seats[judge_id].judge.samples_per_request):
                    await self._queues[judge_id].put(batch)

    def _join(self, call: Call) -> bool:
        waiting = self._under_way.get(call.id)
        if waiting is None:
            return False
        waiting.append(call)
        return True

    async def _serve(self, seat: Seat, queue: asyncio.Queue[Batch | None]) -> None:
        # First contact is made alone: a wrong key or address then costs one refused request, not one for each slot.
        first = await queue.get()
        if first is None:
            return
        await self._ask_batch(seat, first)
        async with asyncio.TaskGroup() as group:
            for _ in range(seat.judge.max_concurrency):
                group.create_task(self._work(seat, queue))

    async def _work(self, seat: Seat, queue: asyncio.Queue[Batch | None]) -> None:
        while (batch := await queue.get()) is not None:
            await self._ask_batch(seat, batch)
        await queue.put(None)  # for the next worker of this seat

    async def _ask_batch(self, seat: Seat, batch: Batch) -> None:
        if self._is_ending:
            self._forget(batch)
            return
        try:
            if seat.stopped is not None:
                raise seat.stopped
            completions = await seat.ask(batch)
        except ProviderError as error:
            if error.tells_of_the_judge and not seat.has_answered:
                self._unavailable = self._unavailable or _explain(seat.judge, error)
                self._forget(batch)
                return
            await self._give_up(batch, error)
        else:
            for call in batch.calls:
                self._tell(call.id, completions[call.id])

    def _tell(self, call_id: CallId, result: Completion | ExchangeError) -> None:
        for call in self._under_way.pop(call_id):
            self._on_answered(Answered(call=call, result=result))

    async def _give_up(self, batch: Batch, error: ProviderError) -> None:
        # Some draws of a batch may have come and been stored before the rest was given up.
        stored = await asyncio.to_thread(self._store.answered, [call.id for call in batch.calls])
        lost = ExchangeError(kind=error.kind, message=str(error), status=error.status)
        missing = [call for call in batch.calls if call.id not in stored]
        self._listen(
            CallEvent(kind="failed", judge_id=batch.calls[0].judge_id, n_calls=len(missing), message=str(error))
        )
        for call in batch.calls:
            self._tell(call.id, stored.get(call.id, lost))

    def _forget(self, batch: Batch) -> None:
        for call in batch.calls:
            self._under_way.pop(call.id, None)


def _explain(judge: Judge, error: ProviderError) -> JudgeUnavailable:
    advice = {
        "auth": f"Check the key in the environment variable {judge.api_key_env or '(none is named: api_key_env)'}.",
        "not_found": f"Check model ({judge.model!r}) and base_url ({judge.base_url!r}).",
        "connection": f"Is base_url ({judge.base_url!r}) right, and is the server running?",
        "quota": "The account has no credit left, or its limit is reached.",
    }.get(error.kind, "The endpoint does not accept this request; check the judge's parameters and ballot.")
    return JudgeUnavailable(
        f"Judge {judge.id!r} cannot be asked: {error}. {advice} Everything answered so far is stored; "
        "run the same command again to go on."
    )
