"""Prices of tokens: an unknown price is unknown, never zero."""

from dataclasses import dataclass

from venire.domain.call import Usage
from venire.domain.finding import Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars per million tokens."""

    input_usd: float
    output_usd: float
    cached_input_usd: float | None = None
    """None: cached input costs what other input costs."""
    cache_write_usd: float | None = None
    """Input that is written to the cache; None: it costs what other input costs."""
    batch_input_usd: float | None = None
    """Input sent through a batch API; None: there is no such rate."""
    batch_output_usd: float | None = None
    source: str
    """Where the price comes from."""


FREE = Price(input_usd=0.0, output_usd=0.0, source="runs on this machine")


def cost_of(usage: Usage, price: Price | Undefined) -> float | Undefined:
    """US dollars for one request: as reported by the provider, else by tokens and price.

    Cached tokens are part of the input tokens and are charged once, at their own rate.
    """
    if usage.reported_usd is not None:
        return usage.reported_usd
    if isinstance(price, Undefined):
        return price
    if price.input_usd == 0.0 and price.output_usd == 0.0:
        return 0.0
    if usage.input_tokens is None or usage.output_tokens is None:
        return Undefined("the provider reported no token counts")
    cached = min(usage.cached_input_tokens or 0, usage.input_tokens)
    cached_rate = price.input_usd if price.cached_input_usd is None else price.cached_input_usd
    full = (usage.input_tokens - cached) * price.input_usd
    return (full + cached * cached_rate + usage.output_tokens * price.output_usd) / 1e6
