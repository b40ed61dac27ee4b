"""What a judge's tokens cost: the user's own prices, free on this machine, or the genai-prices list."""

import difflib
import ipaddress
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from venire.domain.finding import Undefined
from venire.domain.panel import MATERIAL_PROVIDERS, Judge
from venire.domain.price import FREE, Price
from venire.providers.anthropic_wire import BASE_URL

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice, Provider

Table = Mapping[str, Price]
"""The user's prices by judge id or model name."""

_OWN_ADDRESS = {"anthropic": BASE_URL}
"""Where a provider asks a judge without a base_url."""

_LOCAL = MATERIAL_PROVIDERS | {"embedded"}


def price_of(
    judge: Judge,
    tables: Sequence[Table] = (),
    *,
    aliases: Mapping[str, str] | None = None,
    now: datetime | None = None,
) -> Price | Undefined:
    """Look the price of a judge's model up, offline; an unknown price is unknown, never 0.

    The user's tables go before the judge's own parameters price_input_usd and price_output_usd, and these before
    every list.

    Args:
        judge: whose tokens are to be paid.
        tables: the user's prices; a table goes before those after it, in a table a judge's id before its model.
        aliases: the model behind a name that does not tell it, such as that of a deployment.
        now: the time for which the list's price is wanted, since it changes with time; by default the present.
    """
    model = (aliases or {}).get(judge.model or "", judge.model or "")
    names = [judge.id, judge.model or "", model]
    for table in tables:
        for name in names:
            if name and name in table:
                return table[name]
    given = _given(judge)
    if given is not None:
        return given
    if judge.provider in _LOCAL:
        return FREE
    if judge.provider == "pydantic_ai":
        found = _look_up_service(model)
    else:
        found = _look_up(model, judge.base_url or _OWN_ADDRESS.get(judge.provider, ""))
    listed = None if found is None else _read(found[0], found[1], now or datetime.now(UTC))
    return listed or _unknown(judge, [name for table in tables for name in table])


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


def _look_up_service(model: str) -> "tuple[Provider, ModelInfo] | None":
    """Find a model by the service in front of its name, as pydantic-ai writes it."""
    from genai_prices import data_snapshot

    service, _, name = model.partition(":")
    service = {"bedrock": "aws", "google-gla": "google"}.get(service, service)
    try:
        return data_snapshot.get_snapshot().find_provider_model(name, None, service, None)
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
        cache_write_usd=_usd(prices.cache_write_mtok),
        holds_to=_first_step(prices),
        source=f"genai-prices {__version__}: {provider.id} {model.id}",
    )


def _usd(price: object) -> float | None:
    # A price in tiers by prompt length counts at its base, which holds to the first step.
    base = getattr(price, "base", price)
    return float(base) if isinstance(base, Decimal) else None


def _first_step(prices: "ModelPrice") -> int | None:
    # A step is a cliff: beyond it every token of the request costs more (genai_prices.types.TieredPrices).
    rates = (prices.input_mtok, prices.output_mtok, prices.cache_read_mtok, prices.cache_write_mtok)
    starts = [int(tier.start) for rate in rates for tier in getattr(rate, "tiers", ())]
    return min(starts, default=None)


def _is_private(host: str) -> bool:
    if "." not in host or host.endswith((".local", ".internal", ".localhost")):
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return False


def _unknown(judge: Judge, given: Sequence[str]) -> Undefined:
    host = urlsplit(judge.base_url or "").hostname
    at = f" at {host}" if host else ""
    name = judge.model or judge.id
    # A price under a name that is almost right would else be passed over without a word.
    close = difflib.get_close_matches(name, given, n=1) or difflib.get_close_matches(judge.id, given, n=1)
    meant = f" (prices has {close[0]!r}: was that meant?)" if close else ""
    return Undefined(
        f"no price known for model {judge.model!r}{at}; add prices: {{{name}: {{input_usd: X, output_usd: Y}}}} to the "
        f"design (US dollars per million tokens){meant}"
    )
