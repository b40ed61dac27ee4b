"""The progress line: what it counts, what it costs, and when it says nothing."""

import io

from venire.calling.events import CallEvent
from venire.cli.progress import Progress
from venire.domain.call import Usage
from venire.domain.finding import Undefined
from venire.domain.identity import JudgeId
from venire.domain.price import Price

ANN, BOB = JudgeId("ann"), JudgeId("bob")


def progress(stream: io.StringIO, seconds: list[float]) -> Progress:
    """Ten calls of a priced and an unpriced judge; the clock reads the seconds given."""
    prices = {ANN: Price(input_usd=2.0, output_usd=8.0, source="test"), BOB: Undefined("no price known")}
    return Progress(10, prices, stream=stream, clock=lambda: seconds[0])


def event(kind: str, judge: JudgeId = ANN, n_calls: int = 1) -> CallEvent:
    """One event with a usage of 1,000 tokens in and 100 out."""
    usage = Usage(input_tokens=1000, output_tokens=100) if kind == "answered" else None
    return CallEvent(kind=kind, judge_id=judge, n_calls=n_calls, usage=usage, message="why")  # type: ignore[arg-type]


def test_an_unknown_price_is_said_beside_the_known_sum() -> None:
    line = progress(io.StringIO(), [0.0])
    line(event("answered"))
    line(event("answered", BOB))

    assert "$0.0028 + unknown for 1 call (1,100 tokens) spent" in line.line()


def test_a_hollow_reply_answers_no_call_and_may_be_billed() -> None:
    line = progress(io.StringIO(), [0.0])
    line(event("answered", BOB, n_calls=0))

    assert "unknown for 1 call (1,100 tokens) spent" in line.line()


def test_the_rest_is_estimated_from_calls_asked_not_from_calls_found() -> None:
    seconds = [0.0]
    line = progress(io.StringIO(), seconds)
    line(event("reused", n_calls=4))
    seconds[0] = 10.0
    line(event("answered", n_calls=2))

    assert line.line() == "6/10 calls · 4 already stored · $0.0028 spent · ETA 0:20"


def test_failures_are_counted_and_the_last_reason_is_told() -> None:
    stream = io.StringIO()
    line = progress(stream, [0.0])
    line(event("failed", n_calls=3))
    line.finish()

    assert "3 failed" in stream.getvalue()
    assert "the last reason: why" in stream.getvalue()


def test_nothing_is_shown_when_nothing_was_asked() -> None:
    stream = io.StringIO()
    progress(stream, [0.0]).finish()

    assert stream.getvalue() == ""


def test_an_endpoint_s_words_cannot_move_the_cursor() -> None:
    stream = io.StringIO()
    line = progress(stream, [0.0])
    line(CallEvent(kind="failed", judge_id=ANN, n_calls=1, message="no\x1b[2Jsuch\nmodel"))
    line.finish()

    assert "the last reason: no\\x1b[2Jsuch\\nmodel\n" in stream.getvalue()


def test_a_retry_is_not_told_as_the_reason_of_a_failure() -> None:
    stream = io.StringIO()
    line = progress(stream, [0.0])
    line(event("failed"))
    line(CallEvent(kind="retried", judge_id=ANN, n_calls=1, message="busy"))
    line.finish()

    assert "the last reason: why" in stream.getvalue()
    assert "busy" not in stream.getvalue()


def test_ballots_asked_again_are_calls_beside_those_planned() -> None:
    line = progress(io.StringIO(), [0.0])
    line(event("answered", n_calls=10))
    line(event("reasked", n_calls=2))

    assert line.line().startswith("10/12 calls · 2 asked again")


def test_a_stream_that_cannot_be_written_ends_nothing() -> None:
    class Full(io.StringIO):
        def write(self, _text: str) -> int:
            raise OSError(28, "No space left on device")

    line = progress(Full(), [0.0])
    line(event("failed"))
    line.finish()

    assert line.n_failed == 1
