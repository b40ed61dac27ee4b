"""Seats: a judge with its provider, asked one exchange at a time; every exchange is recorded before it counts."""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from venire.calling.batches import Batch
from venire.calling.events import CallEvent, Listener
from venire.calling.retry import RetryPolicy, wait_before_retry
from venire.domain.call import Call, Completion, Exchange, ExchangeError, Reply, Usage
from venire.domain.identity import CallId
from venire.domain.panel import Judge
from venire.errors import ProviderError
from venire.ports import Completions, Provider


class Seat:
    """One judge at the table. It becomes `stopped` when its key or its credit is refused."""

    def __init__(
        self, judge: Judge, provider: Provider, store: Completions, *, policy: RetryPolicy, listen: Listener
    ) -> None:
        self.judge = judge
        self.provider = provider
        self.has_answered = False
        self.stopped: ProviderError | None = None
        self._store = store
        self._policy = policy
        self._listen = listen

    async def ask(self, batch: Batch) -> dict[CallId, Completion]:
        """Ask until every draw is there or the failure is final; the completions are durable on return.

        Raises:
            ProviderError: the last failure, when not all draws came; those that did are stored all the same.
        """
        found: dict[CallId, Completion] = {}
        for n_tries in range(1, self._policy.n_tries + 1):
            wanted = [call for call in batch.calls if call.id not in found]
            try:
                found |= await self._exchange(wanted)
            except ProviderError as error:
                failure = error
            else:
                if len(found) == len(batch.calls):
                    return found
                failure = ProviderError("no_choices", f"{len(wanted)} draws were asked for, fewer came")
            wait_s = self._wait(failure, n_tries, batch)
            if wait_s is None:
                raise failure
            self._listen(CallEvent(kind="retried", judge_id=self.judge.id, n_calls=len(wanted), message=str(failure)))
            await asyncio.sleep(wait_s)
        raise failure

    def _wait(self, failure: ProviderError, n_tries: int, batch: Batch) -> float | None:
        # At first contact nobody answering is a wrong address, not a bad moment: say so at once.
        if failure.kind == "connection" and not self.has_answered:
            return None
        return wait_before_retry(failure, n_tries, self._policy, batch.calls[0].id)

    async def _exchange(self, calls: Sequence[Call]) -> dict[CallId, Completion]:
        started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        started = time.perf_counter()
        try:
            reply = await self._answer(calls)
        except ProviderError as error:
            await self._record(_failed_exchange(calls, error, started_at, time.perf_counter() - started))
            if error.kind in ("auth", "quota"):
                self.stopped = error
            raise
        completions = tuple(
            Completion(call_id=call.id, choice=choice) for call, choice in zip(calls, reply.choices, strict=False)
        )
        await self._record(_exchange(calls, reply, completions, started_at, time.perf_counter() - started))
        self.has_answered = True
        answered = CallEvent(kind="answered", judge_id=self.judge.id, n_calls=len(completions), usage=reply.usage)
        self._listen(answered)
        return {completion.call_id: completion for completion in completions}

    async def _answer(self, calls: Sequence[Call]) -> Reply:
        try:
            # A little above the provider's own limit, which has the better message: the slot is freed in any case.
            async with asyncio.timeout(self.judge.timeout_s * 1.1 + 1):
                return await self.provider.complete(calls[0].request, [call.sample for call in calls])
        except TimeoutError as error:
            raise ProviderError("timeout", f"no whole answer within {self.judge.timeout_s:g} s") from error

    async def _record(self, exchange: Exchange) -> None:
        await asyncio.wrap_future(self._store.record([exchange]))


def _exchange(
    calls: Sequence[Call], reply: Reply, completions: tuple[Completion, ...], started_at: str, latency_s: float
) -> Exchange:
    return Exchange(
        request=calls[0].request,
        judge_id=calls[0].judge_id,
        call_ids=tuple(call.id for call in calls),
        completions=completions,
        usage=reply.usage,
        latency_s=latency_s,
        started_at=started_at,
        served_model=reply.served_model,
        raw=reply.raw,
    )


def _failed_exchange(calls: Sequence[Call], error: ProviderError, started_at: str, latency_s: float) -> Exchange:
    return Exchange(
        request=calls[0].request,
        judge_id=calls[0].judge_id,
        call_ids=tuple(call.id for call in calls),
        completions=(),
        usage=Usage(),
        latency_s=latency_s,
        started_at=started_at,
        raw=error.raw,
        error=ExchangeError(kind=error.kind, message=str(error), status=error.status),
    )
