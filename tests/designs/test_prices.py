"""The user's prices: per million tokens, by the hour of an own server, in the design or in a file of their own."""

from pathlib import Path

import pytest

from tests.designs.designs import SMALL
from venire.designs.prices import read_prices
from venire.designs.read import parse_design, read_design
from venire.designs.write import design_yaml
from venire.domain.price import Price
from venire.errors import DesignError

TABLE = """
gpt-4o-mini: {input_usd: 0.15, output_usd: 0.6, cached_input_usd: 0.075, batch_input_usd: 0.075, batch_output_usd: 0.3}
gratis: {input_usd: 0, output_usd: 0, source: a friend's machine}
llama-8b: {gpu_hour_usd: 0.99, tokens_per_s: 2500}
"""


def read(folder: Path, text: str) -> dict[str, Price]:
    (folder / "prices.yaml").write_text(text, encoding="utf-8")
    return read_prices(folder / "prices.yaml")


def test_a_file_of_prices_is_read(tmp_path: Path) -> None:
    prices = read(tmp_path, TABLE)

    assert prices["gpt-4o-mini"] == Price(
        input_usd=0.15,
        output_usd=0.6,
        cached_input_usd=0.075,
        batch_input_usd=0.075,
        batch_output_usd=0.3,
        source="prices.yaml",
    )
    assert prices["gratis"] == Price(input_usd=0, output_usd=0, source="a friend's machine")


def test_an_own_server_costs_its_hour_by_its_tokens(tmp_path: Path) -> None:
    """arXiv:2501.17178 prices llama-8b at 0.11 US dollars per million tokens, on a card of 0.99 an hour."""
    price = read(tmp_path, TABLE)["llama-8b"]

    assert (price.input_usd, price.output_usd) == (pytest.approx(0.11), pytest.approx(0.11))
    assert price.source == "prices.yaml: 0.99 US dollars an hour at 2500 tokens a second"


@pytest.mark.parametrize("place", ["prices: prices.yaml", "prices:" + TABLE.replace("\n", "\n  ")])
def test_prices_stand_in_the_design_or_beside_it_and_survive_writing(tmp_path: Path, place: str) -> None:
    (tmp_path / "prices.yaml").write_text(TABLE, encoding="utf-8")
    (tmp_path / "design.yaml").write_text(SMALL + place, encoding="utf-8")

    design = read_design(tmp_path / "design.yaml")

    assert [name for name, _ in design.prices] == ["gpt-4o-mini", "gratis", "llama-8b"]
    assert parse_design(design_yaml(design), file="run", folder=Path("/nowhere")).prices == design.prices


@pytest.mark.parametrize(
    ("price", "complaint"),
    [
        ("{input_usd: -1, output_usd: 1}", "input_usd: -1.0; a price is a number, 0 or above"),
        ("{input_usd: .nan, output_usd: 1}", "found '.nan'; a finite number"),
        ("{input_usd: 1, output_usd: .inf}", "found '.inf'; a finite number"),
        ("{input_usd: 1}", "give input_usd and output_usd"),
        ("{}", "give input_usd and output_usd"),
        ("{gpu_hour_usd: 1}", "exactly gpu_hour_usd and tokens_per_s"),
        ("{gpu_hour_usd: 1, tokens_per_s: 0}", "above 0"),
        ("{gpu_hour_usd: 1, tokens_per_s: 9, input_usd: 1}", "exactly gpu_hour_usd and tokens_per_s"),
        ("{input_usd: 1, output_usd: 1, holds_to: 0}", "holds_to: 0"),
        ("{input_usd: cheap, output_usd: 1}", "found 'cheap'; a number was expected"),
        ("{input: 1, output_usd: 1}", "Did you mean 'input_usd'?"),
    ],
)
def test_a_price_that_is_none_is_named_with_its_line(tmp_path: Path, price: str, complaint: str) -> None:
    with pytest.raises(DesignError) as caught:
        read(tmp_path, f"good: {{input_usd: 1, output_usd: 1}}\nbad: {price}\n")

    assert "prices.yaml:2: " in str(caught.value)
    assert complaint in str(caught.value)


def test_a_file_that_is_no_mapping_is_told_what_it_should_be(tmp_path: Path) -> None:
    with pytest.raises(DesignError, match="a file of prices is a mapping"):
        read(tmp_path, "- 1\n")


def test_a_missing_file_is_a_mistake_of_the_design(tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_text(SMALL + "prices: nowhere.yaml\n", encoding="utf-8")

    with pytest.raises(DesignError, match=r"nowhere\.yaml: there is no such price file"):
        read_design(tmp_path / "design.yaml")
