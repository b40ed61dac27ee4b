"""Prices of a run: as they stood when it began, whoever was asked."""

from dataclasses import replace

import pytest

from tests.metaeval.test_conduct import ANSWERED
from venire.domain.call import Exchange, Usage
from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.panel import Judge
from venire.domain.price import Price
from venire.domain.rubric import Criterion, NominalScale, Rubric
from venire.pricing import Payers, prices_at_start, prices_of
from venire.store.memory import MemoryStore

J = JudgeId("j")
OWN = Price(input_usd=1.0, output_usd=2.0, batch_input_usd=0.5, batch_output_usd=1.0, source="test")


def design(model: str = "o3", **fields: object) -> Design:
    judge = Judge(id=J, provider="openai_compatible", model=model)
    question = Criterion(id=CriterionId("q"), question="?", scale=NominalScale(labels=("yes", "no")))
    return Design(**({"protocol": "pointwise", "rubric": Rubric(criteria=(question,)), "judges": (judge,)} | fields))


def asked(started_at: str = "2026-01-01T00:00:00.000+00:00", model: str = "o3") -> Exchange:
    request = replace(ANSWERED.request, provider="openai_compatible", model=model)
    return replace(ANSWERED, judge_id=J, request=request, started_at=started_at)


@pytest.mark.parametrize(
    ("started_at", "usd"),
    [
        ("2025-06-01T00:00:00.000+00:00", 10.0),
        ("2025-06-20T00:00:00.000+00:00", 2.0),
        ("2025-06-20T00:00:00Z", 2.0),
        ("2025-06-20T00:00:00", 2.0),
    ],
)
def test_a_list_price_is_that_of_the_day_on_which_the_run_began(started_at: str, usd: float) -> None:
    """OpenAI cut the price of o3 from 10 to 2 US dollars on 10 June 2025."""
    store = MemoryStore()
    store.record([asked(started_at), asked("2026-01-01T00:00:00Z")]).result()

    price = prices_at_start(store, design())[J]

    assert isinstance(price, Price)
    assert price.input_usd == usd


def test_a_run_that_has_not_begun_is_priced_now() -> None:
    assert prices_at_start(MemoryStore(), design()) == prices_of(design())


def test_a_table_goes_before_the_designs_own_prices() -> None:
    about = design(prices=(("j", OWN),))
    other = replace(OWN, source="other")

    assert prices_of(about)[J] == OWN
    assert prices_of(about, table={"o3": other})[J] == other


def test_a_judge_of_the_design_pays_under_its_own_name() -> None:
    payers = Payers(design(), {J: OWN}, {})

    assert payers.charge(asked()).judge_id == J
    assert payers.prices == {J: OWN}


def test_another_model_under_the_same_name_pays_its_own_price() -> None:
    payers = Payers(design(), {J: OWN}, {"gpt-old": replace(OWN, source="old")})

    name = payers.charge(asked(model="gpt-old")).judge_id

    assert name == "j (gpt-old, earlier design)"
    assert payers.prices[name] == replace(OWN, source="old")
    assert payers.models[name] == "gpt-old"


def test_an_earlier_model_without_a_price_is_unknown() -> None:
    payers = Payers(design(), {J: OWN}, {})

    assert isinstance(payers.prices[payers.charge(asked(model="nobodys")).judge_id], Undefined)


def test_at_batch_rates_nothing_counts_that_a_provider_reported() -> None:
    payers = Payers(design(), {J: OWN}, {}, batch=True)
    charged = payers.charge(replace(asked(), usage=Usage(input_tokens=1, output_tokens=1, reported_usd=5.0)))

    assert charged.usage.reported_usd is None
    assert payers.prices[J] == Price(input_usd=0.5, output_usd=1.0, source="test, batch rates")
