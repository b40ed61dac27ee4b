"""What a judge's tokens cost: given in the design, free on this machine, or from the genai-prices list."""

import ipaddress
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from venire.domain.finding import Undefined
from venire.domain.panel import MATERIAL_PROVIDERS, Judge
from venire.domain.price import FREE, Price
from venire.providers.anthropic_wire import BASE_URL

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, Provider

_OWN_ADDRESS = {"anthropic": BASE_URL}
"""Where a provider asks a judge without a base_url."""

_LOCAL = MATERIAL_PROVIDERS | {"embedded"}


def price_of(judge: Judge, now: datetime | None = None) -> Price | Undefined:
    """Look the price of a judge's model up, offline; an unknown price is unknown, never 0.

    Args:
        judge: its parameters price_input_usd and price_output_usd go before any list.
        now: the time for which the price is wanted, where it changes with time; by default the present.
    """
    given = _given(judge)
    if given is not None:
        return given
    if judge.provider in _LOCAL:
        return FREE
    found = _look_up(judge.model or "", judge.base_url or _OWN_ADDRESS.get(judge.provider, ""))
    if found is None:
        return _unknown(judge)
    return _read(found[0], found[1], now or datetime.now(UTC)) or _unknown(judge)


def _given(judge: Judge) -> Price | None:
    read, written = judge.parameter("price_input_usd"), judge.parameter("price_output_usd")
    if not isinstance(read, int | float) or not isinstance(written, int | float):
        return None
    return Price(input_usd=float(read), output_usd=float(written), source="given in the design")


def _look_up(model: str, base_url: str) -> "tuple[Provider, ModelInfo] | None":
    """Find a model by the address it is asked at; by its name alone only where no address can mislead."""
    from genai_prices import data_snapshot

    snapshot = data_snapshot.get_snapshot()
    try:
        return snapshot.find_provider_model(model, None, None, base_url or None)
    except LookupError:
        pass
    prefix, _, own_name = model.partition("/")
    known = {provider.id for provider in snapshot.providers}
    # A gateway names the provider in front of the model; a model served at home has no list price.
    if not own_name or prefix not in known or _is_private(urlsplit(base_url).hostname or ""):
        return None
    try:
        return snapshot.find_provider_model(own_name, None, prefix, None)
    except LookupError:
        return None


def _read(provider: "Provider", model: "ModelInfo", now: datetime) -> Price | None:
    from genai_prices import __version__

    prices = model.get_prices(now)
    read, written = _usd(prices.input_mtok), _usd(prices.output_mtok)
    if read is None or written is None:
        return None
    return Price(
        input_usd=read,
        output_usd=written,
        cached_input_usd=_usd(prices.cache_read_mtok),
        source=f"genai-prices {__version__}: {provider.id} {model.id}",
    )


def _usd(price: object) -> float | None:
    # A price in tiers by prompt length counts at its base: judges' prompts lie far below the first step (200,000).
    base = getattr(price, "base", price)
    return float(base) if isinstance(base, Decimal) else None


def _is_private(host: str) -> bool:
    if "." not in host or host.endswith((".local", ".internal", ".localhost")):
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return False


def _unknown(judge: Judge) -> Undefined:
    host = urlsplit(judge.base_url or "").hostname
    at = f" at {host}" if host else ""
    return Undefined(
        f"no price known for model {judge.model!r}{at}; "
        "give the parameters price_input_usd and price_output_usd (US dollars per million tokens)"
    )
