"""The change between two runs on the terminal and as JSON."""

import json

from venire.domain.change import FigureChange, RunChange, VerdictChange
from venire.domain.finding import Undefined
from venire.domain.identity import Json
from venire.domain.measures import PANEL
from venire.reporting.columns import align
from venire.reporting.replay_json import finding_json
from venire.reporting.replay_rows import figure_cells
from venire.reporting.text import make_inert, shorten

SHOWN = 12
"""Verdicts on the terminal; the JSON has all of them."""


def change_text(change: RunChange) -> str:
    """The figures in pairs, then the verdicts that changed."""
    lines = [
        f"Criterion {change.criterion_id}: {change.n_shared:,} subjects in both runs, {change.n_only_before:,} only "
        f"before, {change.n_only_after:,} only after.",
        f"Verdicts that differ: {' '.join(figure_cells(change.changed))} of {change.changed.n:,} decided in both; "
        f"{change.n_dropped:,} decided before and not after.",
        "",
        *align([("figure", "of", "before", "after", "change", "95%", "n"), *map(_row, _told(change))], n_left=7),
    ]
    if change.verdicts:
        lines += ["", f"Verdicts that changed, the largest first ({len(change.verdicts):,}):"]
        rows = [("item", "system", "before", "after", "gold"), *map(_verdict, change.verdicts[:SHOWN])]
        lines += align(rows, n_left=5)
        if len(change.verdicts) > SHOWN:
            lines.append(f"… and {len(change.verdicts) - SHOWN:,} more with --json")
    lines += ["", *(f"- {note}" for note in change.notes)]
    return make_inert("\n".join(lines).rstrip("\n"))


def change_document(change: RunChange) -> str:
    """Everything, as JSON."""
    document: Json = {
        "criterion": change.criterion_id,
        "n_shared": change.n_shared,
        "n_only_before": change.n_only_before,
        "n_only_after": change.n_only_after,
        "n_dropped": change.n_dropped,
        "changed": finding_json(change.changed),
        "figures": [
            {
                "about": one.before.about,
                "lower_is_better": one.lower_is_better,
                "before": finding_json(one.before),
                "after": finding_json(one.after),
                "difference": finding_json(one.difference),
            }
            for one in change.figures
        ],
        "verdicts": [
            {
                "item": one.subject.item_id,
                "responses": list(one.subject.responses),
                "systems": list(one.systems),
                "category": one.category,
                "before": one.before,
                "after": one.after,
                "gold": one.gold,
            }
            for one in change.verdicts
        ],
        "notes": list(change.notes),
        "seed": change.seed,
    }
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _told(change: RunChange) -> list[FigureChange]:
    """What is worth a line: all of the panel; of judges and systems what has moved, or has no value."""
    return [one for one in change.figures if one.before.about == PANEL or one.difference.value != 0]


def _row(one: FigureChange) -> tuple[str, ...]:
    before, _ = figure_cells(one.before)
    after, _ = figure_cells(one.after)
    moved, interval = figure_cells(one.difference, signed=True)
    if isinstance(one.difference.interval, Undefined):
        interval = "no interval"
    return (
        one.before.name.replace("_", " "),
        shorten(one.before.about, 30),
        before,
        after,
        moved,
        interval,
        f"{one.before.n:,}",
    )


def _verdict(one: VerdictChange) -> tuple[str, ...]:
    systems = " / ".join(system for system in one.systems if system is not None)
    values = (one.before, one.after, one.gold)
    told = ["–" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value) for value in values]
    return (shorten(str(one.subject.item_id), 40), shorten(systems, 30), *told)
