"""From an answered call to judgments: one for each criterion, whatever became of the call."""

from collections.abc import Iterator

from venire.ballots.form import Ballot
from venire.ballots.read import READER_VERSION, failed_readings, read_ballot
from venire.domain.call import Call, Completion, ExchangeError
from venire.domain.judgment import FailureReason, Judgment


def read_call(call: Call, result: Completion | ExchangeError, ballot: Ballot) -> Iterator[Judgment]:
    """Read one call's completion; a call that was given up yields failures that say why."""
    if isinstance(result, Completion):
        readings = read_ballot(ballot, result.choice, call.shown, call.judged)
    else:
        reason: FailureReason = "timeout" if result.kind == "timeout" else "provider_error"
        readings = failed_readings(ballot, reason, result.message)
    for reading in readings:
        yield Judgment(
            subject=call.subject,
            criterion_id=reading.criterion_id,
            judge_id=call.judge_id,
            shown=call.shown,
            sample=call.sample,
            attempt=call.attempt,
            call_id=call.id,
            outcome=reading.outcome,
            step=reading.step,
            reader_version=READER_VERSION,
        )
