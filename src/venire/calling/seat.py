"""Seats: one judge with its slots; a call is asked until it is answered, given up, or the run ends."""

import asyncio
from collections.abc import Callable, Sequence

from venire.calling.batches import Batch
from venire.calling.contact import Contact
from venire.calling.events import CallEvent, Listener
from venire.calling.exchange import error_of, send_once
from venire.calling.recorder import Recorder
from venire.calling.retry import GivenUp, RetryPolicy, pause, wait_before_retry
from venire.domain.call import Call, Completion, Exchange, ExchangeError, Usage
from venire.domain.identity import CallId
from venire.domain.panel import Judge
from venire.errors import ProviderError
from venire.ports import Provider

Result = Completion | ExchangeError


class Seat:
    """One judge at the table."""

    def __init__(
        self,
        judge: Judge,
        provider: Provider,
        recorder: Recorder,
        *,
        policy: RetryPolicy,
        listen: Listener,
        is_ending: Callable[[], bool],
    ) -> None:
        self.judge = judge
        self.contact = Contact(judge)
        self._provider = provider
        self._recorder = recorder
        self._policy = policy
        self._listen = listen
        self._is_ending = is_ending
        # First contact is made by one request alone: a wrong key then costs one, not one for each slot.
        self._slots = asyncio.Semaphore(1)
        self._n_closed_slots = judge.max_concurrency - 1
        self._n_resting = 0
        self._may_send = asyncio.Event()
        self._may_send.set()

    async def ask(self, batch: Batch) -> dict[CallId, Result]:
        """What became of each call of a batch. A completion is durable; a call left unasked as the run ends is absent.

        The slot is held until then, through every wait: a limit that is reached slows the judge down, and so does a
        slow disk.

        Raises:
            JudgeUnavailable: the judge cannot be asked at all.
        """
        results: dict[CallId, Result] = {}
        failures: list[ProviderError] = []
        async with self._slots:
            while wanted := [call for call in batch if call.id not in results]:
                await self._may_send.wait()
                if self._is_ending():
                    break
                if self.contact.lost is not None:
                    results |= _all_fail(wanted, self.contact.lost)
                    break
                trip = await send_once(wanted, self.judge, self._provider, self._recorder)
                self._tell_answered(trip.exchange)
                results |= {completion.call_id: completion for completion in trip.exchange.completions}
                if trip.failure is None:
                    # A reply with fewer choices than asked for is progress, not a failure: the rest is asked at once.
                    failures.clear()
                    self.contact.answer()
                    self._open_slots()
                    continue
                failures.append(trip.failure)
                error = await self._give_up_or_wait(wanted, failures)
                if error is not None:
                    results |= _all_fail(wanted, error)
        return results

    async def _give_up_or_wait(self, calls: Sequence[Call], failures: Sequence[ProviderError]) -> ExchangeError | None:
        failure = failures[-1]
        decision = wait_before_retry(failures, self._policy, calls[0].id)
        self.contact.fail(failure, decision)
        self._open_slots()
        if isinstance(decision, GivenUp):
            return error_of(failure, decision.message)
        self._listen(CallEvent(kind="retried", judge_id=self.judge.id, n_calls=len(calls), message=str(failure)))
        if failure.kind == "rate_limit" or failure.retry_after_s is not None:
            await self._rest(decision)
        else:
            await pause(decision, self._policy, self._is_over)
        return None

    async def _rest(self, seconds: float) -> None:
        # All slots rest together: what the endpoint told one request holds for the key.
        self._n_resting += 1
        self._may_send.clear()
        try:
            await pause(seconds, self._policy, self._is_over)
        finally:
            self._n_resting -= 1
            if not self._n_resting:
                self._may_send.set()

    def _is_over(self) -> bool:
        return self._is_ending() or self.contact.lost is not None

    def _open_slots(self) -> None:
        while self.contact.is_made and self._n_closed_slots:
            self._n_closed_slots -= 1
            self._slots.release()

    def _tell_answered(self, exchange: Exchange) -> None:
        n_calls = len(exchange.completions)
        if n_calls or exchange.usage != Usage():
            event = CallEvent(kind="answered", judge_id=self.judge.id, n_calls=n_calls, usage=exchange.usage)
            self._listen(event)


def _all_fail(calls: Sequence[Call], error: ExchangeError) -> dict[CallId, Result]:
    return {call.id: error for call in calls}
