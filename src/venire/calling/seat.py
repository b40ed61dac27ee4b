"""Seats: one judge with its slots; a call is asked until it is answered, given up, or the run ends."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from venire.calling.batches import Batch
from venire.calling.breaker import Breaker, Paused
from venire.calling.contact import Contact
from venire.calling.events import CallEvent, Listener
from venire.calling.exchange import RoundTrip, deadline_of, error_of, send_once
from venire.calling.gate import Gate
from venire.calling.losses import Losses
from venire.calling.purse import Purse
from venire.calling.recorder import Recorder
from venire.calling.retry import GivenUp, RetryPolicy, pause, wait_before_retry
from venire.domain.call import Call, Completion, Exchange, ExchangeError, Usage
from venire.domain.identity import CallId
from venire.domain.panel import Judge
from venire.errors import JudgeUnavailable, ProviderError
from venire.ports import Provider

Result = Completion | ExchangeError


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """What all seats of a run share."""

    recorder: Recorder
    policy: RetryPolicy
    listen: Listener
    is_ending: Callable[[], bool]
    losses: Losses
    purse: Purse | None


class Seat:
    """One judge at the table."""

    def __init__(self, judge: Judge, provider: Provider, gate: Gate, sitting: Sitting) -> None:
        self.judge = judge
        self._contact = Contact(judge)
        self._provider = provider
        self._gate = gate
        self._sitting = sitting
        self._deadline = deadline_of(judge)
        self._breaker = Breaker(sitting.policy, self._is_over)
        self._tell_opened: Callable[[], None] = _nobody_waits
        self.n_open = 1
        """Slots that may be used. First contact is made by one request alone: a wrong key then costs one, not one for
        each slot."""

    def when_opened(self, tell: Callable[[], None]) -> None:
        """Whom to tell when all slots may be used."""
        self._tell_opened = tell

    async def ask(self, batch: Batch) -> dict[CallId, Result]:
        """What became of each call of a batch. A completion is durable; a call left unasked as the run ends is absent.

        It takes until then, through every wait, and so holds its slot: a limit that is reached slows the judge down,
        and so does a slow disk.

        Raises:
            JudgeUnavailable: the judge refuses to be asked, and without it the run has no purpose.
        """
        results: dict[CallId, Result] = {}
        failures: list[ProviderError] = []
        while wanted := [call for call in batch if call.id not in results]:
            trip = None if self._is_over() else await self._send(wanted)
            if trip is None:
                if self._contact.lost is not None and not self._sitting.is_ending():
                    results |= _all_fail(wanted, self._contact.lost)
                break
            self._tell_answered(trip.exchange)
            results |= {completion.call_id: completion for completion in trip.exchange.completions}
            if trip.failure is None:
                # A reply with fewer choices than asked for is progress, not a failure: the rest is asked at once.
                failures.clear()
                continue
            failures.append(trip.failure)
            error = await self._give_up_or_wait(wanted, failures)
            if error is not None:
                results |= _all_fail(wanted, error)
        return results

    def conclude(self) -> None:
        """Look back when everything has been asked.

        Raises:
            JudgeUnavailable: every request was refused, though there were few, and nothing is won without this judge.
        """
        try:
            self._contact.conclude()
        except JudgeUnavailable as unavailable:
            self._refuse(unavailable)

    async def _send(self, calls: Sequence[Call]) -> RoundTrip | None:
        """Send one request when it may be sent; None: it shall not be any more."""
        epoch = await self._breaker.pass_by()
        try:
            entry = None if self._is_over() else await self._gate.enter(calls)
            if entry is None:
                return None
            trip = None
            try:
                trip = await self._send_within_budget(calls)
            finally:
                self._gate.leave(entry, trip)
            if trip is not None:
                self._take_note(trip, epoch)
            return trip
        finally:
            self._breaker.leave(epoch)

    async def _send_within_budget(self, calls: Sequence[Call]) -> RoundTrip | None:
        purse = self._sitting.purse
        if self._is_over():
            return None
        if purse is None:
            return await self._send_once(calls)
        reserved_usd = await purse.reserve(self.judge.id, calls[0].request, len(calls))
        if reserved_usd is None:
            return None
        if self._is_over():
            purse.put_back(reserved_usd)
            return None
        exchange = None
        try:
            trip = await self._send_once(calls)
            exchange = trip.exchange
        finally:
            purse.settle(reserved_usd, exchange)
        return trip

    async def _send_once(self, calls: Sequence[Call]) -> RoundTrip:
        return await send_once(calls, self.judge, self._provider, self._sitting.recorder, self._deadline)

    def _take_note(self, trip: RoundTrip, epoch: int) -> None:
        if trip.failure is None:
            self._contact.answer()
            self._breaker.take_answer()
            self._open_slots()
            return
        match self._breaker.take_failure(trip.failure, epoch):
            case Paused(message=message):
                self._sitting.listen(CallEvent(kind="paused", judge_id=self.judge.id, n_calls=0, message=message))
            case GivenUp(message=message):
                self._contact.give_up(trip.failure, message)
                self._lose(message)

    async def _give_up_or_wait(self, calls: Sequence[Call], failures: Sequence[ProviderError]) -> ExchangeError | None:
        failure = failures[-1]
        decision = wait_before_retry(failures, self._sitting.policy, calls[0].id)
        self._consider(failure, decision)
        self._open_slots()
        if isinstance(decision, GivenUp):
            return error_of(failure, decision.message)
        if not self._is_over():
            event = CallEvent(kind="retried", judge_id=self.judge.id, n_calls=len(calls), message=str(failure))
            self._sitting.listen(event)
            await pause(decision, self._sitting.policy, self._is_over)
        return None

    def _consider(self, failure: ProviderError, decision: float | GivenUp) -> None:
        was_lost = self._contact.lost is not None
        try:
            self._contact.fail(failure, decision)
        except JudgeUnavailable as unavailable:
            self._refuse(unavailable)
        else:
            if self._contact.lost is not None and not was_lost:
                self._lose(self._contact.lost.message)

    def _refuse(self, unavailable: JudgeUnavailable) -> None:
        self._gate.dismiss(self.judge.id)
        lost = self._contact.lost
        self._sitting.losses.refuse(self.judge.id, str(unavailable) if lost is None else lost.message, unavailable)

    def _lose(self, message: str) -> None:
        self._gate.dismiss(self.judge.id)
        self._sitting.losses.give_up(self.judge.id, message)

    def _is_over(self) -> bool:
        return self._contact.lost is not None or self._sitting.is_ending()

    def _open_slots(self) -> None:
        # A lost judge opens them too: whoever waits for one hears at once that nothing is sent any more.
        if self.n_open == 1 and (self._contact.is_made or self._contact.lost is not None):
            self.n_open = self.judge.max_concurrency
            self._tell_opened()

    def _tell_answered(self, exchange: Exchange) -> None:
        n_calls = len(exchange.completions)
        if n_calls or exchange.usage != Usage():
            event = CallEvent(kind="answered", judge_id=self.judge.id, n_calls=n_calls, usage=exchange.usage)
            self._sitting.listen(event)


def _all_fail(calls: Sequence[Call], error: ExchangeError) -> dict[CallId, Result]:
    return {call.id: error for call in calls}


def _nobody_waits() -> None:
    """Nothing to do."""
