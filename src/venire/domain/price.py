"""Prices of tokens: an unknown price is unknown, never zero."""

import math
from dataclasses import dataclass, fields

from venire.domain.call import Usage
from venire.domain.finding import Undefined

NO_COUNTS = Undefined("the provider reported no token counts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars per million tokens; an explicit 0 is a price, and differs from having none."""

    input_usd: float
    output_usd: float
    cached_input_usd: float | None = None
    """Input read from the provider's cache; None: it costs what other input costs."""
    cache_write_usd: float | None = None
    """Input that is written to the cache; None: it costs what other input costs."""
    batch_input_usd: float | None = None
    """Input sent through a batch API; None: there is no such rate."""
    batch_output_usd: float | None = None
    holds_to: int | None = None
    """The most input tokens of one request for which these rates hold; None: any number."""
    source: str
    """Where the price comes from."""

    def __post_init__(self) -> None:
        for name in RATES:
            rate = getattr(self, name)
            if rate is not None and not (math.isfinite(rate) and rate >= 0):
                raise ValueError(f"{name} is {rate!r}; US dollars per million tokens, 0 or above, were expected")

    @property
    def cached_rate(self) -> float:
        """What input from the cache costs."""
        return self.input_usd if self.cached_input_usd is None else self.cached_input_usd

    @property
    def write_rate(self) -> float:
        """What input into the cache costs."""
        return self.input_usd if self.cache_write_usd is None else self.cache_write_usd

    @property
    def dearest_input_rate(self) -> float:
        """The most that one input token can cost."""
        return max(self.input_usd, self.cached_rate, self.write_rate)


RATES: tuple[str, ...] = tuple(field.name for field in fields(Price) if field.name.endswith("_usd"))
"""The fields that are rates, in US dollars per million tokens."""

FREE = Price(input_usd=0.0, output_usd=0.0, source="runs on this machine")


def cost_of(usage: Usage, price: Price | Undefined) -> float | Undefined:
    """US dollars for one request: as reported by the provider, else by tokens and price.

    Each token belongs to exactly one class: input that was read from the cache, input that was written to it, other
    input, output. Counts that are not known are needed only where they would cost something.
    """
    if usage.reported_usd is not None:
        return usage.reported_usd
    if isinstance(price, Undefined):
        return price
    n_input, n_output = usage.input_tokens, usage.output_tokens
    if n_input is None and price.dearest_input_rate > 0:
        return NO_COUNTS
    if n_output is None and price.output_usd > 0:
        return NO_COUNTS
    if price.holds_to is not None and (n_input or 0) > price.holds_to:
        return Undefined(f"the price ({price.source}) holds to {price.holds_to:,} input tokens of one request")
    n_cached = min(usage.cached_input_tokens or 0, n_input or 0)
    n_written = min(usage.cache_write_input_tokens or 0, (n_input or 0) - n_cached)
    n_plain = (n_input or 0) - n_cached - n_written
    input_usd = n_plain * price.input_usd + n_cached * price.cached_rate + n_written * price.write_rate
    return (input_usd + (n_output or 0) * price.output_usd) / 1e6


def batch_price(price: Price | Undefined) -> Price | Undefined:
    """The same through a batch API. What its cache would save there is not known, and not taken off."""
    if isinstance(price, Undefined):
        return price
    if price.batch_input_usd is None or price.batch_output_usd is None:
        return Undefined(f"no batch rates are known ({price.source}); give batch_input_usd and batch_output_usd")
    return Price(
        input_usd=price.batch_input_usd,
        output_usd=price.batch_output_usd,
        holds_to=price.holds_to,
        source=f"{price.source}, batch rates",
    )
