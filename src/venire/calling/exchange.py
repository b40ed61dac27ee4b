"""Exchanges: one request is sent once, under a deadline, and what came of it is recorded before it counts."""

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from venire.calling.deadline import Deadline
from venire.calling.recorder import Recorder
from venire.domain.call import Call, Completion, Exchange, ExchangeError, Reply
from venire.domain.headroom import RateHeadroom
from venire.domain.panel import Judge
from venire.errors import ProviderError
from venire.ports import Provider


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTrip:
    """An exchange that is stored, and the failure that it ended in if it did."""

    exchange: Exchange
    failure: ProviderError | None
    headroom: RateHeadroom | None = None
    """What the provider said is left of its limits."""


def deadline_of(judge: Judge) -> Deadline:
    """The deadline of a judge's requests, to be kept for all of them."""
    return Deadline(judge.timeout_s)


async def send_once(
    calls: Sequence[Call], judge: Judge, provider: Provider, recorder: Recorder, deadline: Deadline
) -> RoundTrip:
    """Ask for draws of one request in one exchange; on return it is durable."""
    started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
    started = time.perf_counter()
    failure: ProviderError | None = None
    try:
        reply = await _answer(calls, judge, provider, deadline)
    except ProviderError as error:
        reply, failure = Reply(choices=(), headroom=error.headroom, raw=error.raw), error
    else:
        if not reply.choices:
            failure = ProviderError("no_choices", f"Judge {judge.id!r} sent a reply without a choice", raw=reply.raw)
    exchange = Exchange(
        request=calls[0].request,
        judge_id=judge.id,
        call_ids=tuple(call.id for call in calls),
        completions=tuple(
            Completion(call_id=call.id, choice=choice) for call, choice in zip(calls, reply.choices, strict=False)
        ),
        usage=reply.usage,
        latency_s=time.perf_counter() - started,
        started_at=started_at,
        served_model=reply.served_model,
        adjustments=reply.adjustments,
        raw=reply.raw,
        error=None if failure is None else error_of(failure, str(failure)),
    )
    await recorder.record(exchange)
    return RoundTrip(exchange=exchange, failure=failure, headroom=reply.headroom)


def error_of(failure: ProviderError, message: str) -> ExchangeError:
    """A failure as the value that is stored and told, in these words."""
    return ExchangeError(kind=failure.kind, message=message, status=failure.status)


async def _answer(calls: Sequence[Call], judge: Judge, provider: Provider, deadline: Deadline) -> Reply:
    with contextlib.suppress(TimeoutError):
        return await deadline.keep(provider.complete(calls[0].request, [call.sample for call in calls]))
    # Raised out here: what was cancelled holds its request, and so perhaps a key, and would hang on to this error.
    raise ProviderError("timeout", f"Judge {judge.id!r} gave no whole answer within {judge.timeout_s:g} s")
