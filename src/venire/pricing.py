"""What the tokens of a design's judges cost, now or when a run began."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from venire.calling.purse import Purse
from venire.domain.call import Exchange
from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import JudgeId
from venire.domain.panel import MATERIAL_PROVIDERS, Judge
from venire.domain.price import Price, batch_price
from venire.errors import DesignError, UsageError
from venire.ports import Completions
from venire.providers.prices import price_of

Prices = Mapping[JudgeId, Price | Undefined]
"""The price of every judge, or why it is unknown."""


def prices_of(design: Design, *, table: Mapping[str, Price] | None = None, now: datetime | None = None) -> Prices:
    """The price of every judge's tokens, or why it is unknown.

    Args:
        design: its own prices go before every list.
        table: prices that go before the design's.
        now: the time for which list prices are wanted; None: the present.
    """
    tables = (table or {}, dict(design.prices))
    aliases = dict(design.aliases)
    return {judge.id: price_of(judge, tables, aliases=aliases, now=now) for judge in design.judges}


def prices_at_start(store: Completions, design: Design, *, table: Mapping[str, Price] | None = None) -> Prices:
    """As `prices_of`, with the list prices of the time at which the store's first request was sent.

    So a run costs the same whenever it is looked at, whatever the list says of later days.
    """
    first = next(store.exchanges(words=False), None)
    return prices_of(design, table=table, now=None if first is None else _time(first.started_at))


def _time(written: str) -> datetime:
    time = datetime.fromisoformat(written)
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)


def check_budget(budget_usd: float, design: Design) -> None:
    """Refuse a budget that nobody could keep to, before anything is opened or asked.

    Raises:
        UsageError: it is no amount of money, or the price of a judge is not known.
    """
    prices = prices_of(design)
    Purse(budget_usd, prices)
    unknown = {name: price.reason for name, price in prices.items() if isinstance(price, Undefined)}
    if unknown:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in unknown.items())
        raise UsageError(
            f"There is a budget of ${budget_usd:g}, but no price is known for {', '.join(unknown)}: nobody could say "
            f"when it is spent. Give the price, or leave the budget out. ({reasons})"
        )


class Payers:
    """Who is charged for a round trip: a judge of the design, or one of an earlier design by the same or another name.

    A run folder keeps what every design asked that was ever run into it, and all of it was paid for.
    """

    def __init__(self, design: Design, prices: Prices, table: Mapping[str, Price], *, batch: bool = False) -> None:
        """Set up.

        Args:
            prices: of the design's judges.
            table: the user's prices for all others, before the design's.
            batch: charge all as if it had been sent through batch APIs.
        """
        self._batch = batch
        self._tables = (table, dict(design.prices))
        self._aliases = dict(design.aliases)
        self._asked = {judge.id: (judge.provider, judge.model, judge.base_url) for judge in design.judges}
        self.prices = {judge_id: batch_price(price) if batch else price for judge_id, price in prices.items()}
        self.models: dict[JudgeId, str | None] = {judge.id: judge.model for judge in design.judges}

    def charge(self, exchange: Exchange) -> Exchange:
        """The round trip under the name of who is charged for it; a name that is new gets its price."""
        request = exchange.request
        asked = (request.provider, request.model, request.base_url)
        name = exchange.judge_id
        if request.provider not in MATERIAL_PROVIDERS and self._asked.get(name) != asked:
            name = JudgeId(f"{name} ({request.model}, earlier design)")
        if name not in self.prices:
            self.models[name] = request.model
            self.prices[name] = self._price_earlier(exchange)
        usage = replace(exchange.usage, reported_usd=None) if self._batch else exchange.usage
        return replace(exchange, judge_id=name, usage=usage)

    def _price_earlier(self, exchange: Exchange) -> Price | Undefined:
        request = exchange.request
        try:
            judge = Judge(
                id=exchange.judge_id, provider=request.provider, model=request.model, base_url=request.base_url
            )
        except DesignError as error:
            return Undefined(f"the judge of an earlier design cannot be priced: {error}")
        now = _time(exchange.started_at)
        price = price_of(judge, self._tables, aliases=self._aliases, now=now)
        return batch_price(price) if self._batch else price
