"""A budget is never exceeded: the worst case of every request is set aside before it is sent."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from venire.calling.purse import Purse, worst_case_usd
from venire.calling.session import Session
from venire.domain.call import Reply, Request, Usage
from venire.domain.finding import Undefined
from venire.domain.identity import JudgeId
from venire.domain.price import Price, cost_of
from venire.errors import UsageError
from venire.store.memory import MemoryStore

from .makers import Asked, ask_all, failing, make_call, make_calls, make_judge, no_waits, panel_of, reply

A = JudgeId("a")
PRICE = Price(input_usd=10.0, output_usd=20.0, source="test")
WORST = worst_case_usd(make_call("a0").request, 1, PRICE)


def _billed(usage: Usage) -> Asked:
    async def answer(_request: Request, samples: object) -> Reply:
        await asyncio.sleep(0)
        return reply("x", usage=usage)

    return Asked(answer)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 30), st.integers(0, 10), st.integers(1, 8))
def test_no_run_spends_more_than_its_budget(n_input: int, n_output: int, slots: int) -> None:
    provider = _billed(Usage(input_tokens=n_input, output_tokens=n_output))
    purse = Purse(10 * WORST, {A: PRICE})

    told = asyncio.run(ask_all(make_calls(60), panel_of((make_judge(slots=slots), provider)), purse=purse))

    cost = cost_of(Usage(input_tokens=n_input, output_tokens=n_output), PRICE)
    assert purse.spent_usd == pytest.approx(len(provider.requests) * float(cost))  # type: ignore[arg-type]
    assert purse.spent_usd <= purse.budget_usd * (1 + 1e-9)
    assert len(told) == len(provider.requests)
    assert len(told) == 60 or purse.is_empty


def test_a_budget_for_everything_asks_everything() -> None:
    purse = Purse(60 * WORST, {A: PRICE})

    assert len(asyncio.run(ask_all(make_calls(60), panel_of((make_judge(), Asked())), purse=purse))) == 60
    assert not purse.is_empty


def test_a_budget_of_nothing_asks_nothing() -> None:
    provider = Asked()
    asyncio.run(ask_all(make_calls(5), panel_of((make_judge(), provider)), purse=Purse(0.0, {A: PRICE})))

    assert not provider.requests


def test_a_reply_that_says_nothing_of_its_tokens_counts_as_the_worst_case() -> None:
    purse = Purse(100.0, {A: PRICE})
    asyncio.run(ask_all(make_calls(1), panel_of((make_judge(), _billed(Usage()))), purse=purse))

    assert purse.spent_usd == pytest.approx(WORST)


def test_refusals_cost_nothing_and_time_outs_perhaps_everything() -> None:
    for kind, n_worst in (("rate_limit", 0), ("timeout", 1)):
        purse = Purse(100.0, {A: Price(input_usd=10.0, output_usd=20.0, source="test")})
        provider = failing(kind)  # type: ignore[arg-type]
        asyncio.run(ask_all(make_calls(1), panel_of((make_judge(), provider)), purse=purse, policy=no_waits()))
        one = float(cost_of(Usage(input_tokens=10, output_tokens=1), PRICE))  # type: ignore[arg-type]
        assert purse.spent_usd == pytest.approx(one + n_worst * WORST)


def test_an_unknown_price_and_a_budget_exclude_each_other_before_anything_is_sent() -> None:
    provider = Asked()

    async def main() -> None:
        Session(panel_of((make_judge(), provider)), MemoryStore(), purse=Purse(1.0, {A: Undefined("no price known")}))

    with pytest.raises(UsageError, match="no price is known for a"):
        asyncio.run(main())
    assert not provider.requests


@pytest.mark.parametrize("amount", [-1.0, float("nan"), float("inf")])
def test_a_budget_is_an_amount_of_money(amount: float) -> None:
    with pytest.raises(UsageError, match="a finite amount"):
        Purse(amount, {})


def test_a_prompt_of_any_script_is_bounded_by_its_bytes() -> None:
    usd = worst_case_usd(make_call("語" * 100).request, 1, Price(input_usd=1e6, output_usd=0.0, source="test"))

    assert usd >= 300
