"""What asking took: nothing that is unknown is counted as zero."""

from dataclasses import replace

import numpy as np
import pytest

from venire.domain.call import (
    AnswerFormat,
    Choice,
    Completion,
    Exchange,
    ExchangeError,
    Request,
    Usage,
)
from venire.domain.finding import Undefined
from venire.domain.identity import CallId, JudgeId
from venire.domain.measures import Conduct
from venire.domain.price import FREE, Price
from venire.errors import ErrorKind
from venire.metaeval.conduct import measure_conduct

A = JudgeId("a")
PRICE = Price(input_usd=1.0, output_usd=10.0, source="test")
CALL = CallId("c")
ANSWERED = Exchange(
    request=Request(
        provider="openai",
        model="m",
        base_url=None,
        messages=(),
        temperature=None,
        max_tokens=8,
        format=AnswerFormat(kind="text"),
    ),
    judge_id=A,
    call_ids=(CALL,),
    completions=(Completion(call_id=CALL, choice=Choice(text="yes", finish_reason="stop")),),
    usage=Usage(input_tokens=1000, output_tokens=100),
    latency_s=1.0,
    started_at="2026-12-01T00:00:00Z",
    served_model="m-1",
)


def failed(kind: ErrorKind) -> Exchange:
    """A round trip without an answer and without token counts."""
    error = ExchangeError(kind=kind, message="no")
    return replace(ANSWERED, completions=(), usage=Usage(), served_model=None, error=error)


def conduct_of(*exchanges: Exchange, price: Price | Undefined = PRICE) -> Conduct:
    """The conduct of judge a."""
    return measure_conduct(exchanges, {A: price})[A]


def test_tokens_and_dollars_are_summed() -> None:
    conduct = conduct_of(ANSWERED, ANSWERED)

    assert (conduct.input_tokens, conduct.output_tokens) == (2000, 200)
    assert conduct.usd_known == pytest.approx(0.004)
    assert (conduct.n_unpriced, conduct.unpriced_reason) == (0, "")


def test_an_unknown_price_is_counted_and_not_zero() -> None:
    conduct = conduct_of(ANSWERED, price=Undefined("no price for m"))

    assert (conduct.usd_known, conduct.n_unpriced, conduct.unpriced_reason) == (0.0, 1, "no price for m")


def test_a_judge_without_an_entry_has_no_known_price() -> None:
    assert measure_conduct([ANSWERED], {})[A].n_unpriced == 1


def test_unknown_usage_is_counted_and_has_no_cost() -> None:
    conduct = conduct_of(replace(ANSWERED, usage=Usage(input_tokens=7)))

    assert (conduct.n_unknown_usage, conduct.input_tokens, conduct.output_tokens) == (1, 7, 0)
    assert conduct.unpriced_reason == "the provider reported no token counts"


def test_unknown_usage_of_a_free_judge_costs_nothing() -> None:
    assert conduct_of(replace(ANSWERED, usage=Usage()), price=FREE).n_unpriced == 0


@pytest.mark.parametrize("kind", ["auth", "not_found", "bad_request", "unsupported", "adapted", "quota", "server"])
def test_an_error_status_is_not_billed(kind: ErrorKind) -> None:
    conduct = conduct_of(failed(kind))

    assert (conduct.n_unpriced, conduct.n_unknown_usage, conduct.failures) == (0, 0, ((kind, 1),))


@pytest.mark.parametrize("kind", ["timeout", "connection", "no_choices", "bad_reply"])
def test_a_lost_answer_may_have_been_billed(kind: ErrorKind) -> None:
    assert conduct_of(failed(kind)).n_unpriced == 1


def test_a_retry_that_works_does_not_take_its_failure_back() -> None:
    conduct = conduct_of(failed("rate_limit"), ANSWERED)

    assert (conduct.n_exchanges, conduct.n_answered, conduct.n_failed_exchanges) == (2, 1, 1)


def test_latency_is_that_of_answers_alone() -> None:
    latencies = [0.5, 1.0, 2.0, 4.0]
    slow_failure = replace(failed("timeout"), latency_s=120.0)
    conduct = conduct_of(slow_failure, *(replace(ANSWERED, latency_s=latency) for latency in latencies))

    assert conduct.latency_p50_s == pytest.approx(1.5)
    assert conduct.latency_p95_s == pytest.approx(float(np.percentile(latencies, 95)))


def test_without_an_answer_latency_is_undefined() -> None:
    assert conduct_of(failed("server")).latency_p95_s == Undefined("no round trip brought an answer")


def test_a_judge_that_was_asked_nothing_is_reported() -> None:
    assert conduct_of().n_exchanges == 0


def test_every_model_that_served_is_named_once() -> None:
    conduct = conduct_of(ANSWERED, replace(ANSWERED, served_model="m-0"), ANSWERED)

    assert conduct.served_models == ("m-0", "m-1")


def test_every_way_in_which_requests_were_really_written_is_told_once() -> None:
    conduct = conduct_of(replace(ANSWERED, adjustments=("b", "a")), replace(ANSWERED, adjustments=("a",)), ANSWERED)

    assert conduct.adjustments == ("a", "b")


def test_several_answers_of_one_request_are_one_round_trip() -> None:
    conduct = conduct_of(replace(ANSWERED, completions=ANSWERED.completions * 3))

    assert (conduct.n_exchanges, conduct.n_answered, conduct.input_tokens) == (1, 3, 1000)


def test_every_kind_of_token_is_summed() -> None:
    usage = Usage(
        input_tokens=100, output_tokens=50, cached_input_tokens=40, cache_write_input_tokens=30, reasoning_tokens=20
    )
    conduct = conduct_of(*[replace(ANSWERED, usage=usage)] * 3)

    assert (conduct.cached_input_tokens, conduct.cache_write_input_tokens, conduct.reasoning_tokens) == (120, 90, 60)


def test_what_the_provider_reported_is_counted_apart_from_what_was_priced() -> None:
    conduct = conduct_of(ANSWERED, replace(ANSWERED, usage=Usage(reported_usd=0.5)))

    assert (conduct.n_reported, conduct.usd_known) == (1, pytest.approx(0.502))


def test_unknown_costs_keep_their_tokens() -> None:
    conduct = conduct_of(ANSWERED, failed("timeout"), price=Undefined("no price"))

    assert [(part.n_exchanges, part.input_tokens, part.output_tokens) for part in conduct.unpriced] == [(2, 1000, 100)]
    assert conduct.unpriced_tokens == 1100


def test_speed_is_output_by_the_seconds_of_its_requests() -> None:
    conduct = conduct_of(ANSWERED, replace(ANSWERED, latency_s=3.0), replace(failed("timeout"), latency_s=120.0))

    assert conduct.output_tokens_per_s == pytest.approx(200 / 4)


def test_without_output_tokens_there_is_no_speed() -> None:
    assert isinstance(conduct_of(replace(ANSWERED, usage=Usage())).output_tokens_per_s, Undefined)
