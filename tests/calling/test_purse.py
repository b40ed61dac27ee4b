"""A budget is never exceeded, and everything that was answered is kept."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from venire.calling.purse import Purse
from venire.domain.bound import usd_at_most
from venire.domain.call import Reply, Request, Usage
from venire.domain.finding import Undefined
from venire.domain.identity import JudgeId
from venire.domain.price import Price
from venire.errors import ProviderError, UsageError
from venire.store.memory import MemoryStore

from .makers import Asked, make_call, make_calls, make_judge, n_completions, panel_of, reply, run_all, words_of

A = JudgeId("a")
PRICE = Price(input_usd=1.0, output_usd=5.0, source="test")


def at_most() -> float:
    usd = usd_at_most(make_call("a0").request, 1, PRICE)
    assert isinstance(usd, float)
    return usd


def using(usage: Usage) -> Asked:
    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        await asyncio.sleep(0.001)
        return reply(words_of(request), usage=usage)

    return Asked(answer)


def test_asking_ends_before_the_budget_is_exceeded_and_keeps_what_was_answered() -> None:
    provider, store = using(Usage(input_tokens=60, output_tokens=2)), MemoryStore()
    purse = Purse(4 * at_most(), {A: PRICE})

    told = run_all(make_calls(100), panel_of((make_judge(), provider)), store, purse=purse)

    assert purse.is_empty
    assert 4 <= n_completions(told) == len(provider.requests) == len(list(store.exchanges())) < 100
    assert purse.spent_usd == pytest.approx(len(told) * 70e-6)
    assert purse.spent_usd <= purse.budget_usd < purse.spent_usd + at_most()


def test_a_budget_that_suffices_stops_nothing() -> None:
    purse = Purse(at_most() + 50 * 70e-6, {A: PRICE})
    provider = using(Usage(input_tokens=60, output_tokens=2))

    told = run_all(make_calls(50), panel_of((make_judge(slots=20), provider)), purse=purse)

    assert (n_completions(told), purse.is_empty) == (50, False)


@pytest.mark.parametrize("usage", [Usage(), Usage(input_tokens=3)])
def test_a_reply_that_does_not_say_what_it_used_is_charged_with_its_worst_case(usage: Usage) -> None:
    purse = Purse(3.5 * at_most(), {A: PRICE})

    told = run_all(make_calls(10), panel_of((make_judge(), using(usage))), purse=purse)

    assert len(told) == 3
    assert purse.spent_usd == pytest.approx(3 * at_most())


@pytest.mark.parametrize(
    ("kind", "n_worst_cases"), [("rate_limit", 0), ("server", 0), ("timeout", 1), ("connection", 1)]
)
def test_an_attempt_that_may_have_been_billed_is_charged(kind: str, n_worst_cases: int) -> None:
    errors = [ProviderError("no_choices", "first contact"), ProviderError(kind, "no")]  # type: ignore[arg-type]

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        if len(provider.requests) == 2:
            raise errors[1]
        return reply("x", usage=Usage(input_tokens=0, output_tokens=0))

    provider = Asked(answer)
    purse = Purse(1.0, {A: PRICE})
    run_all(make_calls(3), panel_of((make_judge(slots=1), provider)), purse=purse)

    assert purse.spent_usd == pytest.approx(n_worst_cases * at_most())


def test_what_the_provider_itself_reports_counts_first() -> None:
    purse = Purse(1.0, {A: PRICE})

    run_all(make_calls(2), panel_of((make_judge(), using(Usage(reported_usd=0.25)))), purse=purse)

    assert purse.spent_usd == 0.5


def test_a_judge_without_a_known_price_is_refused_before_anything_is_sent() -> None:
    provider = Asked()

    with pytest.raises(UsageError, match="no price is known for a"):
        run_all(make_calls(2), panel_of((make_judge(), provider)), purse=Purse(1.0, {A: Undefined("not listed")}))

    assert provider.requests == []


@pytest.mark.parametrize("budget", [-1.0, float("nan"), float("inf")])
def test_a_budget_is_an_amount_of_money(budget: float) -> None:
    with pytest.raises(UsageError, match="finite amount"):
        Purse(budget, {})


@settings(deadline=None, max_examples=40)
@given(st.floats(0, 20), st.integers(1, 8), st.integers(0, 10))
def test_no_run_costs_more_than_its_budget(n_worst_cases: float, slots: int, n_written: int) -> None:
    purse = Purse(n_worst_cases * at_most(), {A: PRICE})
    provider = using(Usage(input_tokens=60, output_tokens=n_written))

    run_all(make_calls(30), panel_of((make_judge(slots=slots), provider)), purse=purse)

    assert purse.spent_usd <= purse.budget_usd * (1 + 1e-9)
    assert purse.is_empty == (len(provider.requests) < 30)
