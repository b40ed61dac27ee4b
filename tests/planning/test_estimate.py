"""An estimate has a range and a most, and says what is not known."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from venire.domain.ballot import BallotForm
from venire.domain.bound import input_tokens_at_most
from venire.domain.design import Policy
from venire.domain.finding import Undefined
from venire.domain.identity import CallId, JudgeId
from venire.domain.price import FREE, Price
from venire.planning.calls import plan_calls
from venire.planning.estimate import FindAnswered, estimate_plan
from venire.planning.past import Past
from venire.planning.reasks import LARGER, NOTE_BYTES
from venire.planning.tokens import Amount, assume_input, measure_request

from .plans import design, item, judge

ITEMS = [item("i1", "four"), item("i2", "five")]
J = JudgeId("j")
PRICE = Price(input_usd=1.0, output_usd=10.0, source="test")
UNKNOWN = Undefined("no price known")
ABOUT = design(
    "pointwise",
    judge(samples=4, samples_per_request=2, ballot=BallotForm(max_tokens=100)),
    policy=Policy(reask=0),
)
CALLS = list(plan_calls(ITEMS, ABOUT))
ONE = assume_input(measure_request(CALLS[0].request)).expected
MOST = input_tokens_at_most(CALLS[0].request)


def stored(*call_ids: CallId) -> FindAnswered:
    def find(wanted: Sequence[CallId]) -> set[CallId]:
        return set(wanted) & set(call_ids)

    return find


def test_input_is_expected_once_for_each_exchange_and_at_most_for_each_draw() -> None:
    (mine,) = estimate_plan(CALLS, ABOUT, {J: PRICE}).judges

    assert (mine.n_calls, mine.n_answered) == (8, 0)
    assert mine.input_tokens.expected == pytest.approx(4 * ONE)
    assert (mine.input_tokens.at_most, mine.output_tokens.at_most) == (8 * MOST, 800)


def test_dollars_follow_tokens() -> None:
    estimate = estimate_plan(CALLS, ABOUT, {J: PRICE})

    (mine,) = estimate.judges
    assert estimate.usd.expected == pytest.approx((mine.input_tokens.expected + 10 * mine.output_tokens.expected) / 1e6)
    assert estimate.usd.at_most == pytest.approx((8 * MOST + 800 * 10) / 1e6)


def test_the_range_is_in_order() -> None:
    usd = estimate_plan(CALLS, ABOUT, {J: PRICE}).usd

    assert 0 < usd.low < usd.expected < usd.high < usd.at_most


def test_the_most_counts_every_ballot_asked_again() -> None:
    about = replace(ABOUT, policy=Policy(reask=2))
    (mine,) = estimate_plan(CALLS, about, {J: PRICE}).judges

    assert mine.input_tokens.at_most == 8 * 3 * (MOST + NOTE_BYTES)
    assert mine.output_tokens.at_most == 8 * 100 * (1 + LARGER + 1)


def test_what_is_answered_costs_nothing() -> None:
    estimate = estimate_plan(CALLS, ABOUT, {J: UNKNOWN}, find_answered=stored(*(call.id for call in CALLS)))

    assert estimate.judges[0].n_answered == 8
    assert (estimate.usd, estimate.n_unpriced) == (Amount(), 0)


def test_the_input_of_an_exchange_that_is_half_answered_counts() -> None:
    (mine,) = estimate_plan(CALLS, ABOUT, {J: PRICE}, find_answered=stored(CALLS[0].id)).judges

    assert mine.input_tokens.expected == pytest.approx(4 * ONE)
    assert mine.output_tokens.at_most == 700


def test_an_unknown_price_is_counted_beside_the_sum_of_the_known_ones() -> None:
    about = design("pointwise", judge(), judge("k"))

    estimate = estimate_plan(plan_calls(ITEMS, about), about, {J: PRICE, JudgeId("k"): UNKNOWN})

    assert estimate.usd == estimate.judges[0].usd
    assert (estimate.n_unpriced, [one.judge_id for one in estimate.unpriced]) == (2, ["k"])
    assert estimate.unpriced_tokens > 0


def test_earlier_calls_go_before_assumptions() -> None:
    past = Past(
        n=50,
        input_ratio=Amount(low=1.0, expected=1.5, high=2.0),
        output_tokens=Amount(low=5.0, expected=7.0, high=12.0),
    )
    (mine,) = estimate_plan(CALLS, ABOUT, {J: PRICE}, past={J: past}).judges

    assert mine.input_tokens.expected == pytest.approx(4 * ONE * 1.5)
    assert (mine.output_tokens.low, mine.output_tokens.expected, mine.output_tokens.high) == (40, 56, 96)
    assert mine.basis == "token counts as in 50 earlier requests"


def test_a_judge_without_a_language_model_has_no_tokens() -> None:
    about = design("pointwise", judge(provider="length", votes=True))

    (mine,) = estimate_plan(plan_calls(ITEMS, about), about, {J: FREE}).judges

    assert (mine.n_calls, mine.input_tokens, mine.output_tokens, mine.usd) == (2, Amount(), Amount(), Amount())


def test_a_price_for_short_requests_says_nothing_of_a_plan_with_longer_ones() -> None:
    (mine,) = estimate_plan(CALLS, ABOUT, {J: replace(PRICE, holds_to=MOST - 1)}).judges

    assert isinstance(mine.usd, Undefined)
    assert estimate_plan(CALLS, ABOUT, {J: replace(PRICE, holds_to=MOST)}).n_unpriced == 0
