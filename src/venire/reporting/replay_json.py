"""A replay as JSON: every design with its findings."""

import json

from venire.domain.finding import Finding, Undefined
from venire.domain.frontier import Frontier, Replay, Replayed
from venire.domain.identity import Json


def replay_json(replay: Replay) -> Json:
    """Every row with its findings."""
    return {
        "criterion": replay.criterion_id,
        "measure": replay.measure,
        "against": replay.against,
        "cost_axis": replay.cost_axis,
        "seed": replay.seed,
        "notes": list(replay.notes),
        "frontiers": [
            {
                "category": frontier.category,
                "n_subjects": frontier.n_subjects,
                "recommended": _recommended_json(frontier),
                "designs": [_row_json(row) for row in frontier.rows],
            }
            for frontier in replay.frontiers
        ],
    }


def replay_document(replay: Replay) -> str:
    """The JSON as text."""
    return json.dumps(replay_json(replay), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _row_json(row: Replayed) -> Json:
    variant = row.variant
    unknown = isinstance(row.usd_per_item, Undefined)
    return {
        "judges": list(variant.judges),
        "samples": variant.n_samples,
        "orders": variant.orders,
        "rule": variant.rule,
        "figure": finding_json(row.figure),
        "minus_own": None if row.is_own else finding_json(row.minus_own),
        "undecided": row.n_undecided,
        "usd_per_item": None if isinstance(row.usd_per_item, Undefined) else row.usd_per_item,
        **({"usd_unknown": row.usd_per_item.reason} if unknown and isinstance(row.usd_per_item, Undefined) else {}),
        "calls_per_item": row.calls_per_item,
        "is_own": row.is_own,
        "on_frontier": row.on_frontier,
    }


def finding_json(finding: Finding) -> Json:
    """A finding, or why it has no value or no interval."""
    value, interval = finding.value, finding.interval
    return {
        "name": finding.name,
        "value": None if isinstance(value, Undefined) else value,
        **({"undefined": value.reason} if isinstance(value, Undefined) else {}),
        "interval": None if isinstance(interval, Undefined) else [interval.low, interval.high],
        **({"no_interval": interval.reason} if isinstance(interval, Undefined) else {}),
        "n": finding.n,
        "n_groups": finding.n_groups,
    }


def _recommended_json(frontier: Frontier) -> Json:
    found = frontier.recommended
    if isinstance(found, Undefined):
        return {"undefined": found.reason}
    return {
        "design": found.variant.name,
        "in_sample": finding_json(found.in_sample),
        "out_of_sample": finding_json(found.out_of_sample),
        "n_chosen": found.n_chosen,
    }


def figure_json(found: Finding | Undefined) -> Json:
    """A finding, or why there is none."""
    return {"undefined": found.reason} if isinstance(found, Undefined) else finding_json(found)


def number_json(value: float | Undefined) -> Json:
    """A number, or why there is none."""
    return {"undefined": value.reason} if isinstance(value, Undefined) else value
