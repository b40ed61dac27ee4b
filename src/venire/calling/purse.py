"""Purses: a budget that no run can exceed, because the worst case of every request is set aside before it is sent."""

import asyncio
import math
from collections.abc import Iterable, Mapping

from venire.domain.bound import usd_at_most
from venire.domain.call import Exchange, Request
from venire.domain.finding import Undefined
from venire.domain.identity import JudgeId
from venire.domain.price import Price, cost_of
from venire.errors import ProviderError, UsageError

ROUNDING = 1e-9
"""Sums of many small amounts differ by so much of the budget from what they are on paper."""


class Purse:
    """One budget for all judges of a run, in US dollars."""

    def __init__(self, budget_usd: float, prices: Mapping[JudgeId, Price | Undefined]) -> None:
        """Set up.

        Args:
            budget_usd: what the requests of this run may cost, earlier runs not counted.
            prices: of every judge that will be asked.

        Raises:
            UsageError: the budget is no amount of money.
        """
        if not (math.isfinite(budget_usd) and budget_usd >= 0):
            raise UsageError(f"The budget is {budget_usd!r} US dollars; a finite amount of 0 or more was expected.")
        self.budget_usd = budget_usd
        self.spent_usd = 0.0
        """What was billed, and the worst case of what may have been billed without a word about how much."""
        self.is_empty = False
        """Whether a request was held back because it could have exceeded the budget: then nothing more is sent."""
        self._prices = prices
        self._reserved_usd = 0.0
        self._n_reserved = 0
        self._has_changed = asyncio.Event()

    def check(self, judge_ids: Iterable[JudgeId]) -> None:
        """Refuse judges whose price is not known.

        Raises:
            UsageError: nobody can say when a budget is spent on them.
        """
        unknown = [judge_id for judge_id in judge_ids if isinstance(self._price(judge_id), Undefined)]
        if unknown:
            raise UsageError(
                f"There is a budget of ${self.budget_usd:g}, but no price is known for {', '.join(unknown)}: "
                "nobody could say when it is spent. Give prices under prices: in the design, or leave the budget out."
            )

    async def reserve(self, judge_id: JudgeId, request: Request, n_draws: int) -> float | None:
        """Set a request's worst case aside; None: it does not fit, and nothing more may be sent.

        While others are under way their worst cases are set aside too, and most of it comes back: a request that does
        not fit waits for them.
        """
        worst_usd = worst_case_usd(request, n_draws, self._price(judge_id))
        while not self.is_empty and not self._fits(worst_usd):
            if not self._n_reserved:
                self.is_empty = True
                self._has_changed.set()
                return None
            self._has_changed.clear()
            await self._has_changed.wait()
        if self.is_empty:
            return None
        self._reserved_usd += worst_usd
        self._n_reserved += 1
        return worst_usd

    def settle(self, reserved_usd: float, exchange: Exchange | None) -> None:
        """Put what was really billed in the place of what was set aside.

        Args:
            reserved_usd: as `reserve` gave it.
            exchange: what came of the request; None: nobody knows, and the worst case stands.
        """
        self.spent_usd += reserved_usd if exchange is None else self._billed(exchange, reserved_usd)
        self.put_back(reserved_usd)

    def put_back(self, reserved_usd: float) -> None:
        """Take note that what was set aside is not needed: the request was not sent, or is settled."""
        self._n_reserved -= 1
        # Nothing of the rounding stays when nothing is set aside.
        self._reserved_usd = self._reserved_usd - reserved_usd if self._n_reserved else 0.0
        self._has_changed.set()

    def _billed(self, exchange: Exchange, reserved_usd: float) -> float:
        usd = cost_of(exchange.usage, self._price(exchange.judge_id))
        if not isinstance(usd, Undefined):
            return usd
        is_free = exchange.error is not None and exchange.error.kind in ProviderError.UNBILLED
        return 0.0 if is_free else reserved_usd

    def _fits(self, usd: float) -> bool:
        return self.spent_usd + self._reserved_usd + usd <= self.budget_usd * (1 + ROUNDING)

    def _price(self, judge_id: JudgeId) -> Price | Undefined:
        return self._prices.get(judge_id, Undefined("no price was given"))


def worst_case_usd(request: Request, n_draws: int, price: Price | Undefined) -> float:
    """The most that one request can cost, by `domain.bound`.

    Raises:
        UsageError: there is no bound, because no price is known or the request is longer than the price holds.
    """
    usd = usd_at_most(request, n_draws, price)
    if isinstance(usd, Undefined):
        raise UsageError(f"A worst case was asked for, but {usd.reason}. Give the price, or leave the budget out.")
    return usd
