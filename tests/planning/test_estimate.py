"""An estimate is the most that a plan can take."""

import pytest

from venire.domain.ballot import BallotForm
from venire.domain.finding import Undefined
from venire.domain.identity import JudgeId
from venire.domain.price import FREE, Price
from venire.planning.calls import plan_calls
from venire.planning.estimate import CHARACTERS_PER_TOKEN, estimate_plan

from .plans import design, item, judge

ITEMS = [item("i1", "four"), item("i2", "five")]
J = JudgeId("j")
PRICE = Price(input_usd=1.0, output_usd=10.0, source="test")
UNKNOWN = Undefined("no price known")
ABOUT = design("pointwise", judge(samples=4, samples_per_request=2, ballot=BallotForm(max_tokens=100)))
CALLS = list(plan_calls(ITEMS, ABOUT))
CHARACTERS = sum(len(message.content) for message in CALLS[0].request.messages) + len(CALLS[0].request.format.schema)


def test_input_is_counted_once_for_each_exchange_and_output_for_each_draw() -> None:
    estimate = estimate_plan(CALLS, ABOUT, {J: PRICE})

    (mine,) = estimate.judges
    assert (mine.n_calls, mine.n_answered, mine.output_tokens_at_most) == (8, 0, 800)
    assert mine.input_tokens == round(4 * CHARACTERS / CHARACTERS_PER_TOKEN)
    assert estimate.usd_at_most == pytest.approx((mine.input_tokens * 1 + 800 * 10) / 1e6)


def test_what_is_answered_costs_nothing() -> None:
    estimate = estimate_plan(CALLS, ABOUT, {J: UNKNOWN}, answered={call.id for call in CALLS})

    assert estimate.judges[0].n_answered == 8
    assert estimate.usd_at_most == 0.0


def test_the_input_of_an_exchange_that_is_half_answered_counts() -> None:
    estimate = estimate_plan(CALLS, ABOUT, {J: PRICE}, answered={CALLS[0].id})

    assert estimate.judges[0].input_tokens == round(4 * CHARACTERS / CHARACTERS_PER_TOKEN)
    assert estimate.judges[0].output_tokens_at_most == 700


def test_one_unknown_price_makes_the_sum_unknown() -> None:
    about = design("pointwise", judge(), judge("k"))

    estimate = estimate_plan(plan_calls(ITEMS, about), about, {J: PRICE, JudgeId("k"): UNKNOWN})

    assert estimate.usd_at_most == Undefined("the price of k is not known")


def test_a_judge_without_a_language_model_has_no_tokens() -> None:
    about = design("pointwise", judge(provider="length", votes=True))

    (mine,) = estimate_plan(plan_calls(ITEMS, about), about, {J: FREE}).judges

    assert (mine.n_calls, mine.input_tokens, mine.output_tokens_at_most, mine.usd_at_most) == (2, 0, 0, 0.0)
