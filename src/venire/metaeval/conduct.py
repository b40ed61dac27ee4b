"""Conduct: what asking each judge took, in one pass over the round trips."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping

from venire.domain.call import Exchange
from venire.domain.finding import Undefined
from venire.domain.identity import JudgeId
from venire.domain.measures import Conduct, Unpriced
from venire.domain.price import Price, cost_of
from venire.errors import ErrorKind, ProviderError
from venire.metaeval.quantiles import percentile

_KINDS = ("input_tokens", "output_tokens", "cached_input_tokens", "cache_write_input_tokens", "reasoning_tokens")
_NO_PRICE = Undefined("no price is known for this judge")


def measure_conduct(
    exchanges: Iterable[Exchange], prices: Mapping[JudgeId, Price | Undefined]
) -> Mapping[JudgeId, Conduct]:
    """Add up round trips by judge; of each, only the latency is kept.

    Args:
        prices: a judge without an entry has no known price. A judge with an entry and no exchange is reported too.

    Returns:
        Judges in the order of `prices`, then any others as they come.
    """
    ledgers = {judge_id: _Ledger(price) for judge_id, price in prices.items()}
    for exchange in exchanges:
        ledger = ledgers.get(exchange.judge_id)
        if ledger is None:
            ledger = ledgers[exchange.judge_id] = _Ledger(prices.get(exchange.judge_id, _NO_PRICE))
        ledger.enter(exchange)
    return {judge_id: ledger.conduct() for judge_id, ledger in ledgers.items()}


class _Ledger:
    """The running sums of one judge."""

    def __init__(self, price: Price | Undefined) -> None:
        self._price = price
        self._n_exchanges = self._n_answered = self._n_unknown_usage = self._n_reported = 0
        self._failures: Counter[ErrorKind] = Counter()
        self._tokens: Counter[str] = Counter()
        self._usd = 0.0
        self._unpriced: dict[str, Counter[str]] = {}
        self._latencies = array("d")
        self._timed_tokens, self._timed_s = 0, 0.0
        self._served: set[str] = set()
        self._adjustments: set[str] = set()

    def enter(self, exchange: Exchange) -> None:
        """Add one round trip."""
        self._n_exchanges += 1
        self._n_answered += len(exchange.completions)
        if exchange.completions:
            self._time(exchange)
        if exchange.error is not None:
            self._failures[exchange.error.kind] += 1
        self._adjustments.update(exchange.adjustments)
        if exchange.served_model is not None:
            self._served.add(exchange.served_model)
        self._bill(exchange)

    def _time(self, exchange: Exchange) -> None:
        self._latencies.append(exchange.latency_s)
        if exchange.usage.output_tokens is not None:
            self._timed_tokens += exchange.usage.output_tokens
            self._timed_s += exchange.latency_s

    def _bill(self, exchange: Exchange) -> None:
        usage = exchange.usage
        says_nothing = usage.input_tokens is None and usage.output_tokens is None and usage.reported_usd is None
        if says_nothing and exchange.error is not None and exchange.error.kind in ProviderError.UNBILLED:
            return
        for kind in _KINDS:
            self._tokens[kind] += getattr(usage, kind) or 0
        self._n_unknown_usage += usage.input_tokens is None or usage.output_tokens is None
        self._n_reported += usage.reported_usd is not None
        match cost_of(usage, self._price):
            case Undefined(reason=reason):
                part = self._unpriced.setdefault(reason, Counter())
                part["n_exchanges"] += 1
                part["input_tokens"] += usage.input_tokens or 0
                part["output_tokens"] += usage.output_tokens or 0
            case usd:
                self._usd += usd

    def conduct(self) -> Conduct:
        """The sums so far."""
        return Conduct(
            n_exchanges=self._n_exchanges,
            n_answered=self._n_answered,
            n_failed_exchanges=self._failures.total(),
            failures=tuple(sorted(self._failures.items())),
            **{kind: self._tokens[kind] for kind in _KINDS},
            n_unknown_usage=self._n_unknown_usage,
            usd_known=self._usd,
            n_reported=self._n_reported,
            unpriced=tuple(Unpriced(reason=reason, **self._unpriced[reason]) for reason in sorted(self._unpriced)),
            price=self._price,
            latency_p50_s=percentile(self._latencies, 50),
            latency_p95_s=percentile(self._latencies, 95),
            output_tokens_per_s=self._speed(),
            served_models=tuple(sorted(self._served)),
            adjustments=tuple(sorted(self._adjustments)),
        )

    def _speed(self) -> float | Undefined:
        if not (self._timed_s and self._timed_tokens):
            return Undefined("no answered round trip reported output tokens")
        return self._timed_tokens / self._timed_s
