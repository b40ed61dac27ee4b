"""What asking took, as JSON: the same shape in the report and in the costs of a run."""

from venire.domain.finding import Undefined
from venire.domain.identity import Json
from venire.domain.measures import Conduct, PanelLatency, Unpriced
from venire.domain.price import RATES, Price


def conduct_json(conduct: Conduct) -> Json:
    """How one judge behaved.

    {"exchanges", "calls_answered", "failed_exchanges", "failures": {kind: n},
     "input_tokens", "output_tokens", "cached_input_tokens", "cache_write_input_tokens", "reasoning_tokens",
     "unknown_usage", "usd_known", "cost_reported", "unpriced": {reason: n},
     "unpriced_tokens": {"input", "output"}, "price": PRICE or {"value": null, "reason"},
     "latency_p50_s", "latency_p95_s", "output_tokens_per_s": a number or {"value": null, "reason"}, "served_models",
     "adjustments"}
    """
    return {
        "exchanges": conduct.n_exchanges,
        "calls_answered": conduct.n_answered,
        "failed_exchanges": conduct.n_failed_exchanges,
        "failures": {str(kind): n for kind, n in conduct.failures},
        "input_tokens": conduct.input_tokens,
        "output_tokens": conduct.output_tokens,
        "cached_input_tokens": conduct.cached_input_tokens,
        "cache_write_input_tokens": conduct.cache_write_input_tokens,
        "reasoning_tokens": conduct.reasoning_tokens,
        "unknown_usage": conduct.n_unknown_usage,
        "usd_known": conduct.usd_known,
        "cost_reported": conduct.n_reported,
        "unpriced": {part.reason: part.n_exchanges for part in conduct.unpriced},
        "unpriced_tokens": unpriced_tokens_json(conduct.unpriced),
        "price": price_json(conduct.price),
        "latency_p50_s": number_json(conduct.latency_p50_s),
        "latency_p95_s": number_json(conduct.latency_p95_s),
        "output_tokens_per_s": number_json(conduct.output_tokens_per_s),
        "served_models": list(conduct.served_models),
        "adjustments": list(conduct.adjustments),
    }


def unpriced_tokens_json(parts: tuple[Unpriced, ...]) -> Json:
    """Tokens whose cost is not known."""
    return {"input": sum(part.input_tokens for part in parts), "output": sum(part.output_tokens for part in parts)}


def panel_latency_json(latency: PanelLatency) -> Json:
    """How long the panel took over a subject."""
    return {
        "subjects": latency.n_subjects,
        "p50_s": number_json(latency.p50_s),
        "p95_s": number_json(latency.p95_s),
    }


def price_json(price: Price | Undefined) -> Json:
    """A price in US dollars per million tokens: the rates that there are, and where it comes from."""
    if isinstance(price, Undefined):
        return absent_json(price)
    rates: dict[str, Json] = {name: rate for name in RATES if (rate := getattr(price, name)) is not None}
    holds: dict[str, Json] = {} if price.holds_to is None else {"holds_to": price.holds_to}
    return {**rates, **holds, "source": price.source}


def number_json(number: float | Undefined) -> Json:
    """A number, or why there is none."""
    return absent_json(number) if isinstance(number, Undefined) else number


def absent_json(undefined: Undefined) -> Json:
    """Why something has no value."""
    return {"value": None, "reason": undefined.reason}
