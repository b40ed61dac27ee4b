"""What a run cost and how long its judges took: as a value, as text and as JSON."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from venire.domain.finding import Undefined
from venire.domain.measures import Conduct, PanelLatency, Unpriced
from venire.domain.price import Price
from venire.reporting.conduct_json import conduct_json, panel_latency_json, unpriced_tokens_json
from venire.reporting.report import Cost
from venire.reporting.text import count, one_line, show_cost, show_latency, show_number

_RATES = (
    ("input_usd", "input"),
    ("cached_input_usd", "cached input"),
    ("cache_write_usd", "input into the cache"),
    ("output_usd", "output"),
)
_TITLES = (
    "judge",
    "calls",
    "requests",
    "failed",
    "input",
    "cached",
    "output",
    "reasoning",
    "p50 / p95",
    "tokens/s",
    "cost",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCost:
    """What one judge took."""

    name: str
    """Its id; of an earlier design's judge also its model."""
    model: str | None
    votes: bool
    conduct: Conduct


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCost:
    """What a run took, whichever design it was asked under."""

    judges: tuple[JudgeCost, ...]
    panel_latency: PanelLatency

    @property
    def total(self) -> Cost:
        """All judges together."""
        return total_cost(judge.conduct for judge in self.judges)


def total_cost(conducts: Iterable[Conduct]) -> Cost:
    """The cost of all judges together; the same reason is counted once."""
    usd_known = 0.0
    unpriced: dict[str, Counter[str]] = {}
    for conduct in conducts:
        usd_known += conduct.usd_known
        for part in conduct.unpriced:
            sums = unpriced.setdefault(part.reason, Counter())
            sums["n_exchanges"] += part.n_exchanges
            sums["input_tokens"] += part.input_tokens
            sums["output_tokens"] += part.output_tokens
    return Cost(
        usd_known=usd_known,
        unpriced=tuple(Unpriced(reason=reason, **unpriced[reason]) for reason in sorted(unpriced)),
    )


def cost_json(run: RunCost) -> str:
    """The costs of a run as one JSON document."""
    total = run.total
    document = {
        "usd_known": total.usd_known,
        "unpriced": total.n_unpriced,
        "unpriced_tokens": unpriced_tokens_json(total.unpriced),
        "unpriced_by_reason": {part.reason: part.n_exchanges for part in total.unpriced},
        "panel_latency": panel_latency_json(run.panel_latency),
        "judges": [
            {"id": judge.name, "model": judge.model, "votes": judge.votes, "conduct": conduct_json(judge.conduct)}
            for judge in run.judges
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def cost_text(run: RunCost) -> str:
    """The costs of a run as a table, with the price of every judge below it."""
    total, panel = run.total, run.panel_latency
    lines = _table([_TITLES, *(_cells(judge) for judge in run.judges)])
    lines.append("")
    lines.append(f"In all {show_cost(total.usd_known, total.n_unpriced, total.unpriced_tokens)}.")
    if panel.n_subjects:
        lines.append(
            f"Panel, as slow as its slowest member: {show_latency(panel.p50_s, panel.p95_s)} (p50 / p95) over "
            f"{count(panel.n_subjects, 'subject')}."
        )
    lines.append("Prices, US dollars per million tokens:")
    lines += [f"  {one_line(judge.name)}: {_price(judge.conduct)}" for judge in run.judges]
    return "\n".join(lines)


def _cells(judge: JudgeCost) -> tuple[str, ...]:
    conduct = judge.conduct
    numbers = (conduct.n_answered, conduct.n_exchanges, conduct.n_failed_exchanges, conduct.input_tokens)
    more = (conduct.cached_input_tokens, conduct.output_tokens, conduct.reasoning_tokens)
    speed = conduct.output_tokens_per_s
    return (
        one_line(judge.name),
        *(f"{number:,}" for number in numbers + more),
        show_latency(conduct.latency_p50_s, conduct.latency_p95_s),
        "none" if isinstance(speed, Undefined) else show_number(speed),
        show_cost(conduct.usd_known, conduct.n_unpriced, conduct.unpriced_tokens),
    )


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]


def _price(conduct: Conduct) -> str:
    words = one_line(conduct.price.reason) if isinstance(conduct.price, Undefined) else _rates(conduct.price)
    if conduct.n_reported:
        reported = f"{conduct.n_reported:,} of {count(conduct.n_exchanges, 'request')} as the provider reported"
        return f"{reported}; otherwise {words}"
    return words


def _rates(price: Price) -> str:
    rates = ", ".join(f"{name} {rate:g}" for field, name in _RATES if (rate := getattr(price, field)) is not None)
    return f"{rates} ({one_line(price.source)})"
