"""Prices and bounds: each token costs once, unknown is not zero, and no request costs more than its bound."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.domain.bound import (
    TOKENS_FOR_SCHEMA,
    TOKENS_PER_MESSAGE,
    TOKENS_PER_REQUEST,
    input_tokens_at_most,
    usd_at_most,
)
from venire.domain.call import AnswerFormat, Request, Usage
from venire.domain.finding import Undefined
from venire.domain.item import Message
from venire.domain.price import FREE, Price, batch_price, cost_of

PRICE = Price(input_usd=2.0, output_usd=8.0, cached_input_usd=0.5, cache_write_usd=2.5, source="test")
RATES = st.floats(0, 100)
PRICES = st.builds(
    Price,
    input_usd=RATES,
    output_usd=RATES,
    cached_input_usd=st.none() | RATES,
    cache_write_usd=st.none() | RATES,
    source=st.just("test"),
)
COUNTS = st.none() | st.integers(0, 100_000)
USAGES = st.builds(
    Usage, input_tokens=COUNTS, output_tokens=COUNTS, cached_input_tokens=COUNTS, cache_write_input_tokens=COUNTS
)


def request(text: str, schema: str = "", max_tokens: int = 10) -> Request:
    answer = AnswerFormat(kind="json_schema" if schema else "text", schema=schema)
    messages = (Message(role="user", content=text),)
    return Request(
        provider="p",
        model="m",
        base_url=None,
        messages=messages,
        temperature=None,
        max_tokens=max_tokens,
        format=answer,
    )


def test_cached_input_is_charged_once_at_its_own_rate() -> None:
    """F20: 300 x 2 + 1200 x 0.5 + 100 x 8 per million."""
    usage = Usage(input_tokens=1500, cached_input_tokens=1200, output_tokens=100)

    assert cost_of(usage, PRICE) == pytest.approx(0.002)


def test_input_written_to_the_cache_has_its_own_rate() -> None:
    usage = Usage(input_tokens=1000, cached_input_tokens=200, cache_write_input_tokens=300, output_tokens=0)

    assert cost_of(usage, PRICE) == pytest.approx((500 * 2 + 200 * 0.5 + 300 * 2.5) / 1e6)


@pytest.mark.parametrize("price", [PRICE, Undefined("not known"), FREE])
def test_what_the_provider_reports_goes_before_every_price(price: Price | Undefined) -> None:
    assert cost_of(Usage(input_tokens=5000, output_tokens=500, reported_usd=0.0123), price) == 0.0123


def test_a_price_of_0_is_not_the_lack_of_one() -> None:
    usage = Usage(input_tokens=5000, output_tokens=500)

    assert cost_of(usage, Price(input_usd=0, output_usd=0, source="given")) == 0.0
    assert isinstance(cost_of(usage, Undefined("not known")), Undefined)


@pytest.mark.parametrize(
    ("usage", "price", "usd"),
    [
        (Usage(output_tokens=100), replace(PRICE, input_usd=0, cached_input_usd=0, cache_write_usd=0), 0.0008),
        (Usage(input_tokens=100), replace(PRICE, output_usd=0), 0.0002),
        (Usage(), FREE, 0.0),
    ],
)
def test_a_count_that_costs_nothing_need_not_be_known(usage: Usage, price: Price, usd: float) -> None:
    assert cost_of(usage, price) == pytest.approx(usd)


@pytest.mark.parametrize("usage", [Usage(), Usage(input_tokens=7), Usage(output_tokens=7)])
def test_without_the_counts_the_cost_is_unknown(usage: Usage) -> None:
    assert cost_of(usage, PRICE) == Undefined("the provider reported no token counts")


def test_a_price_for_short_requests_says_nothing_of_long_ones() -> None:
    price = replace(PRICE, holds_to=1000)

    assert cost_of(Usage(input_tokens=1000, output_tokens=0), price) == pytest.approx(0.002)
    assert isinstance(cost_of(Usage(input_tokens=1001, output_tokens=0), price), Undefined)
    assert isinstance(usd_at_most(request("x" * 1001), 1, price), Undefined)


@pytest.mark.parametrize("rate", [-1.0, float("nan"), float("inf")])
def test_a_rate_is_finite_and_not_negative(rate: float) -> None:
    with pytest.raises(ValueError, match="cached_input_usd"):
        replace(PRICE, cached_input_usd=rate)


def test_batch_rates_are_a_price_of_their_own() -> None:
    price = replace(PRICE, batch_input_usd=1.0, batch_output_usd=4.0)

    assert batch_price(price) == Price(input_usd=1.0, output_usd=4.0, source="test, batch rates")
    assert isinstance(batch_price(PRICE), Undefined)
    assert batch_price(Undefined("why")) == Undefined("why")


@given(USAGES, PRICES)
def test_every_input_token_costs_between_the_lowest_and_the_highest_input_rate(usage: Usage, price: Price) -> None:
    cost = cost_of(replace(usage, output_tokens=0), price)

    if not isinstance(cost, Undefined):
        rates = [price.input_usd, price.cached_rate, price.write_rate]
        n_input = usage.input_tokens or 0
        assert n_input * min(rates) / 1e6 - 1e-9 <= cost <= n_input * max(rates) / 1e6 + 1e-9


@given(st.text(max_size=40), st.text("{}:ab", max_size=20), st.integers(1, 50), st.integers(1, 4), PRICES, st.data())
def test_no_usage_that_a_request_can_have_costs_more_than_its_bound(
    text: str, schema: str, max_tokens: int, n_draws: int, price: Price, data: st.DataObject
) -> None:
    asked = request(text, schema, max_tokens)
    usage = Usage(
        input_tokens=data.draw(st.integers(0, input_tokens_at_most(asked))),
        cached_input_tokens=data.draw(COUNTS),
        cache_write_input_tokens=data.draw(COUNTS),
        output_tokens=data.draw(st.integers(0, max_tokens * n_draws)),
    )
    cost, bound = cost_of(usage, price), usd_at_most(asked, n_draws, price)
    assert isinstance(cost, float)
    assert isinstance(bound, float)
    assert cost <= bound + 1e-12


@pytest.mark.parametrize(("text", "n_bytes"), [("abc", 3), ("気", 3), ("👩‍🚀", 11), ("\udc80", 3), ("ﷺ", 33)])
def test_the_input_bound_is_the_bytes_of_the_longer_of_both_forms(text: str, n_bytes: int) -> None:
    assert input_tokens_at_most(request(text)) == n_bytes + TOKENS_PER_REQUEST + TOKENS_PER_MESSAGE


def test_a_schema_is_sent_too_and_explained_to_the_model() -> None:
    added = input_tokens_at_most(request("a", "{}")) - input_tokens_at_most(request("a"))

    assert added == 2 + TOKENS_FOR_SCHEMA


def test_an_unknown_price_has_no_bound() -> None:
    assert usd_at_most(request("a"), 1, Undefined("why")) == Undefined("why")
