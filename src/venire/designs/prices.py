"""The user's prices: a part of the design, or a file that several designs share."""

from pathlib import Path

from venire.designs.files import read_text
from venire.designs.mistakes import Mistakes
from venire.designs.schema import PriceFile
from venire.designs.yaml_lines import parse_yaml
from venire.domain.price import Price
from venire.errors import DesignError

GIVEN = "given in the design"
HOURLY = frozenset({"gpu_hour_usd", "tokens_per_s"})


def read_prices(path: Path) -> dict[str, Price]:
    """Read a file of prices by judge id or model name.

    Raises:
        DesignError: every mistake found, each with its line and what to do.
    """
    from pydantic import TypeAdapter, ValidationError

    shape = "a file of prices is a mapping (gpt-4o-mini: {input_usd: 0.15, output_usd: 0.6})"
    document = parse_yaml(read_text(path, "price"), str(path), shape)
    mistakes = Mistakes(document, str(path))
    try:
        given = TypeAdapter(dict[str, PriceFile]).validate_python(document.value)
    except ValidationError as error:
        mistakes.add_shape(error.errors(include_url=False))
        mistakes.raise_any()
        raise
    prices = {}
    for name, price in given.items():
        with mistakes.at((name,)):
            prices[name] = price_of(name, price, source=path.name)
    mistakes.raise_any()
    return prices


def price_of(name: str, price: PriceFile, *, source: str = GIVEN) -> Price:
    """A price per million tokens; of an own server: its price an hour by what it gets through.

    Args:
        source: where the price comes from, unless it says so itself.
    """
    given = price.model_dump(exclude_none=True, exclude={"source", "holds_to"})
    for field, value in given.items():
        if value < 0:
            raise DesignError(f"prices.{name} has {field}: {value!r}; a price is a number, 0 or above.")
    if price.holds_to is not None and price.holds_to < 1:
        raise DesignError(f"prices.{name} has holds_to: {price.holds_to!r}; a number of tokens was expected.")
    if HOURLY & given.keys():
        given = _by_the_hour(name, given)
        source = f"{source}: {price.gpu_hour_usd:g} US dollars an hour at {price.tokens_per_s:g} tokens a second"
    if not {"input_usd", "output_usd"} <= given.keys():
        raise DesignError(
            f"prices.{name} has {sorted(given)!r}; give input_usd and output_usd (US dollars per million tokens), or "
            "gpu_hour_usd and tokens_per_s."
        )
    return Price(**given, holds_to=price.holds_to, source=price.source or source)


def _by_the_hour(name: str, given: dict[str, float]) -> dict[str, float]:
    """As arXiv:2501.17178 prices its judges: what the card costs an hour by the tokens it gets through in one."""
    if given.keys() != HOURLY or not given["tokens_per_s"]:
        raise DesignError(
            f"prices.{name} has {sorted(given)!r}; an own server's price is exactly gpu_hour_usd and tokens_per_s, "
            "the latter above 0."
        )
    rate = given["gpu_hour_usd"] / (given["tokens_per_s"] * 3600) * 1e6
    return {"input_usd": rate, "output_usd": rate}
