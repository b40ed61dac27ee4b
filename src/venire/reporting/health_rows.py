"""Panel health as cells of text: the same on the terminal and on the page."""

from collections.abc import Sequence

from venire.domain.finding import Finding, Undefined
from venire.domain.health import JudgeHealth, PanelHealth, PartHealth
from venire.reporting.replay_rows import figure_cells

JUDGE_TITLES = (
    "judge",
    "family",
    "n",
    "missing",
    "FIGURE",
    "95%",
    "severity",
    "flips",
    "consistency",
    "panel without it",
)


def judge_titles(health: PanelHealth) -> tuple[str, ...]:
    """The titles of the table of judges."""
    name = health.measure.replace("_", " ") if health.against == "gold" else f"{health.measure} with the panel"
    return tuple(name.replace("_", " ") if title == "FIGURE" else title for title in JUDGE_TITLES)


def judge_cells(judge: JudgeHealth, part: PartHealth) -> tuple[str, ...]:
    """One judge, in the order of the titles."""
    value, interval = ("—", "") if isinstance(judge.figure, Undefined) else figure_cells(judge.figure)
    without = dict(part.leave_one_out).get(judge.judge_id)
    gone = ""
    if without is not None:
        lost = sum(n for _, n in without.missing)
        gone = " ".join(figure_cells(without, signed=True)) + (f", {lost:,} undecided" if lost else "")
    best = " *" if judge.judge_id == part.best_single else ""
    return (
        f"{judge.judge_id}{best}{'' if judge.votes else ' (no vote)'}",
        judge.family or "unknown",
        f"{judge.n:,}",
        f"{sum(n for _, n in judge.missing):,}",
        value,
        interval,
        _short(judge.severity, signed=True),
        _flips(judge),
        _short(judge.consistency),
        gone,
    )


def summary_of(part: PartHealth, health: PanelHealth) -> Sequence[str]:
    """The panel in sentences."""
    name = health.measure.replace("_", " ")
    lines = []
    if isinstance(part.panel, Finding):
        value, interval = figure_cells(part.panel)
        lines.append(f"Panel ({health.rule}): {name} {value} {interval} on {part.panel.n:,} subjects.")
    if part.panel_minus_best is not None and part.best_single is not None:
        value, interval = figure_cells(part.panel_minus_best, signed=True)
        lines.append(f"Panel minus its best single judge, {part.best_single}: {value} {interval}, in pairs.")
    if isinstance(part.n_effective, float) and isinstance(part.mean_error_correlation, float):
        n = sum(judge.votes for judge in part.judges)
        evens_out = " (below 0: errors even out)" if part.mean_error_correlation < 0 else ""
        what = "errors" if health.against == "gold" else "disagreements with the others (a proxy: there is no gold)"
        lines.append(
            f"Effective votes: {part.n_effective:.1f} of {n}; mean correlation of {what} "
            f"{part.mean_error_correlation:.2f}{evens_out}."
        )
    elif isinstance(part.n_effective, Undefined):
        lines.append(f"Effective votes: undefined, {part.n_effective.reason}.")
    if isinstance(part.ideal, float) and isinstance(part.accuracy, float):
        lines.append(
            f"A majority of judges as accurate that erred independently: accuracy {part.ideal:.3f}; the panel has "
            f"{part.accuracy:.3f}, a gap of {part.ideal - part.accuracy:.3f}."
        )
    return lines


def size_cells(part: PartHealth) -> Sequence[tuple[str, ...]]:
    """The best panel of each size."""
    rows = []
    for size in part.sizes:
        if isinstance(size.chosen, Undefined):
            rows.append((str(size.size), "undefined", "", "", size.chosen.reason))
            continue
        value, interval = figure_cells(size.chosen.out_of_sample)
        flattered, _ = figure_cells(size.chosen.in_sample)
        rows.append((str(size.size), value, interval, flattered, ", ".join(size.chosen.variant.judges)))
    return rows


SIZE_TITLES = ("size", "out of sample", "95%", "in sample (flattered)", "chosen on all")


def _short(found: Finding | Undefined, *, signed: bool = False) -> str:
    if isinstance(found, Undefined):
        return "—"
    return figure_cells(found, signed=signed)[0]


def _flips(judge: JudgeHealth) -> str:
    if isinstance(judge.flip_rate, Undefined):
        return "—"
    first = "" if isinstance(judge.first_shown, Undefined) else f", {judge.first_shown:.0%} to the first"
    return f"{figure_cells(judge.flip_rate)[0]}{first}"
