"""Prices: given, free, listed or unknown; never zero for want of knowing."""

from datetime import UTC, datetime

import pytest

from tests.providers.building import judge
from venire.domain.finding import Undefined
from venire.domain.price import FREE, Price
from venire.providers.prices import price_of

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def listed(model: str, base_url: str | None = None) -> Price | Undefined:
    return price_of(judge("openai_compatible", model=model, base_url=base_url), now=NOW)


@pytest.mark.parametrize("provider", ["embedded", "similarity", "containment", "length", "random", "recorded"])
def test_what_runs_on_this_machine_is_free(provider: str) -> None:
    assert price_of(judge(provider, model="smollm2"), now=NOW) == FREE


def test_a_price_in_the_design_goes_before_any_list() -> None:
    parameters = {"price_input_usd": 2, "price_output_usd": 8.0}
    given = price_of(judge("openai_compatible", parameters, model="gpt-4o-mini"), now=NOW)

    assert given == Price(input_usd=2, output_usd=8, source="given in the design")


def test_a_claude_asked_at_anthropics_own_address_has_its_price() -> None:
    assert isinstance(price_of(judge("anthropic", model="claude-haiku-4-5"), now=NOW), Price)
    assert isinstance(
        price_of(judge("anthropic", model="claude-haiku-4-5", base_url="http://box:8"), now=NOW), Undefined
    )


@pytest.mark.parametrize(
    ("model", "base_url"),
    [
        ("gpt-4o-mini", "https://api.openai.com/v1"),
        ("gpt-4o-mini", None),
        ("openai/gpt-4o-mini", "https://openrouter.ai/api/v1"),
        ("openai/gpt-4o-mini", "https://gateway.example/v1"),
    ],
)
def test_a_listed_model_is_found_by_address_or_prefix(model: str, base_url: str | None) -> None:
    """OpenAI's price list of July 2024: 0.15 and 0.60 US dollars per million tokens."""
    price = listed(model, base_url)

    assert isinstance(price, Price)
    assert (price.input_usd, price.output_usd, price.cached_input_usd) == (0.15, 0.6, 0.075)
    assert price.source.startswith("genai-prices ")


def test_a_price_in_tiers_counts_at_its_base() -> None:
    """Google's price list of 2025: gemini-2.5-pro up to 200,000 tokens, 1.25 and 10 US dollars."""
    price = listed("gemini-2.5-pro")

    assert isinstance(price, Price)
    assert (price.input_usd, price.output_usd, price.holds_to) == (1.25, 10, 200_000)


@pytest.mark.parametrize(
    ("model", "base_url"),
    [
        ("gpt-99-none", "https://api.openai.com/v1"),
        ("gpt-4o-mini", "http://localhost:8000/v1"),
        ("openai/gpt-4o-mini", "http://10.0.0.5:8000/v1"),
        ("openai/gpt-4o-mini", "http://vllm:8000/v1"),
        ("mistralai/Mistral-7B-Instruct-v0.3", "https://models.example/v1"),
        ("gpt-4o-mini", "https://gateway.example/v1"),
        ("", None),
    ],
)
def test_an_unknown_price_is_unknown(model: str, base_url: str | None) -> None:
    price = listed(model, base_url)

    assert isinstance(price, Undefined)
    assert f"no price known for model {model!r}" in price.reason


OWN = Price(input_usd=3, output_usd=9, source="mine")
OTHER = Price(input_usd=4, output_usd=9, source="other")


@pytest.mark.parametrize(
    ("tables", "price"),
    [
        ([{"gpt-4o-mini": OWN}], OWN),
        ([{"j": OWN, "gpt-4o-mini": OTHER}], OWN),
        ([{"gpt-4o-mini": OWN}, {"j": OTHER}], OWN),
        ([{"gpt-4o": OTHER}, {"j": OWN}], OWN),
    ],
)
def test_the_users_tables_go_before_parameters_and_lists(tables: list[dict[str, Price]], price: Price) -> None:
    parameters = {"price_input_usd": 2, "price_output_usd": 8.0}

    assert price_of(judge("openai_compatible", parameters, model="gpt-4o-mini"), tables, now=NOW) == price


def test_a_price_of_0_in_a_table_is_a_price() -> None:
    nothing = Price(input_usd=0, output_usd=0, source="mine")
    remote = judge("openai_compatible", model="gpt-99-none")

    assert price_of(remote, [{"gpt-99-none": nothing}], now=NOW) == nothing
    assert isinstance(price_of(remote, now=NOW), Undefined)


def test_a_machine_of_ones_own_can_have_a_price() -> None:
    assert price_of(judge("embedded", model="smollm2"), [{"smollm2": OWN}], now=NOW) == OWN


@pytest.mark.parametrize("table", [{"my-deployment": OWN}, {"gpt-4o-mini": OWN}])
def test_a_name_that_does_not_tell_its_model_is_looked_up_under_both(table: dict[str, Price]) -> None:
    azure = judge("openai_compatible", model="my-deployment", base_url="https://acme.openai.azure.com/openai/v1")

    assert price_of(azure, [table], aliases={"my-deployment": "gpt-4o-mini"}, now=NOW) == OWN


def test_the_list_price_of_an_alias_is_that_of_its_model() -> None:
    price = price_of(judge("openai_compatible", model="mine"), aliases={"mine": "gpt-4o-mini"}, now=NOW)

    assert isinstance(price, Price)
    assert price.input_usd == 0.15


def test_what_is_written_to_a_cache_has_its_list_price() -> None:
    """Anthropic's price list of 2025: Haiku 4.5 at 1 US dollar, cache writes at 1.25."""
    price = price_of(judge("anthropic", model="claude-haiku-4-5"), now=NOW)

    assert isinstance(price, Price)
    assert (price.input_usd, price.cache_write_usd) == (1.0, 1.25)


def test_a_name_in_the_table_that_is_almost_right_is_pointed_out() -> None:
    price = price_of(judge("openai_compatible", model="vendor/new-judge"), [{"vendor/new-juge": OWN}], now=NOW)

    assert isinstance(price, Undefined)
    assert "'vendor/new-juge': was that meant?" in price.reason


@pytest.mark.parametrize(
    ("model", "listed"),
    [
        ("google:gemini-2.5-pro", "google gemini-2.5-pro"),
        ("google-gla:gemini-2.5-pro", "google gemini-2.5-pro"),
        ("groq:llama-3.3-70b-versatile", "groq llama-3.3-70b-versatile"),
        ("bedrock:us.amazon.nova-pro-v1:0", "aws"),
    ],
)
def test_a_service_of_pydantic_ai_has_that_service_s_price(model: str, listed: str) -> None:
    price = price_of(judge("pydantic_ai", model=model))

    assert isinstance(price, Price)
    assert f": {listed}" in price.source


@pytest.mark.parametrize("model", ["nobody:m", "google:no-such-model"])
def test_an_unknown_service_or_model_has_no_price(model: str) -> None:
    assert isinstance(price_of(judge("pydantic_ai", model=model)), Undefined)
