"""What earlier calls took, and which calls are of the past."""

from dataclasses import replace

import pytest

from venire.domain.ballot import BallotForm
from venire.domain.call import Choice, Completion, Exchange, Usage
from venire.domain.identity import CallId, JudgeId
from venire.planning.calls import plan_calls
from venire.planning.past import FEWEST, read_past
from venire.planning.tokens import assume_input, measure_request

from .plans import design, item, judge

J = JudgeId("j")
ABOUT = design("pointwise", judge(ballot=BallotForm(max_tokens=100)))
REQUEST = next(iter(plan_calls([item("i", "four")], ABOUT))).request
BY_LENGTH = assume_input(measure_request(REQUEST)).expected


def exchange(n_output: int | None, n_input: int | None = 100, n_draws: int = 1) -> Exchange:
    choice = Choice(text="yes", finish_reason="stop")
    return Exchange(
        request=REQUEST,
        judge_id=J,
        call_ids=(CallId("c"),),
        completions=(Completion(call_id=CallId("c"), choice=choice),) * n_draws,
        usage=Usage(input_tokens=n_input, output_tokens=n_output),
        latency_s=1.0,
        started_at="2026-12-01T00:00:00Z",
    )


def test_a_range_reaches_from_the_5th_to_the_95th_percentile_around_the_mean() -> None:
    output = read_past([exchange(n) for n in range(1, 102)], ABOUT)[J].output_tokens

    assert (output.low, output.expected, output.high) == (6, 51, 96)


def test_the_mean_is_never_outside_the_range() -> None:
    output = read_past([*[exchange(1)] * 99, exchange(100)], ABOUT)[J].output_tokens

    assert output.low <= output.expected <= output.high


def test_input_is_held_against_the_length_of_what_was_sent() -> None:
    past = read_past([exchange(5)] * FEWEST, ABOUT)[J]

    assert past.input_ratio.expected == pytest.approx(100 / BY_LENGTH)


def test_several_draws_of_one_request_share_its_output() -> None:
    assert read_past([exchange(40, n_draws=4)] * FEWEST, ABOUT)[J].output_tokens.expected == 10


@pytest.mark.parametrize(
    "other",
    [
        replace(exchange(5), judge_id=JudgeId("k")),
        replace(exchange(5), completions=()),
        replace(exchange(5), request=replace(REQUEST, model="m-other")),
        replace(exchange(5), request=replace(REQUEST, max_tokens=400)),
        exchange(None),
        exchange(5, n_input=None),
    ],
)
def test_a_request_that_tells_nothing_of_the_next_ones_does_not_count(other: Exchange) -> None:
    assert read_past([*[exchange(5)] * (FEWEST - 1), other], ABOUT) == {}
