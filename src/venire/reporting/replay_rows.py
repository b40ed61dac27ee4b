"""The rows of a replay as cells of text: the same on the terminal and on the page."""

from venire.domain.finding import Finding, Undefined
from venire.domain.frontier import Frontier, Replay, Replayed


def shown_rows(frontier: Frontier) -> list[Replayed]:
    """The frontier from cheap to dear, then the run's own design where it is not on it."""
    best = sorted((row for row in frontier.rows if row.on_frontier), key=lambda row: row.calls_per_item)
    best.sort(key=lambda row: row.usd_per_item if isinstance(row.usd_per_item, float) else 0.0)
    return best + [row for row in frontier.rows if row.is_own and not row.on_frontier]


def titles(replay: Replay) -> tuple[str, ...]:
    """The titles of the columns; the design stands last."""
    cost = ("$ / item",) if replay.cost_axis == "usd" else ()
    return (*cost, "calls / item", measure_name(replay), "95%", "minus own", "95%", "undecided", "design")


def cells_of(row: Replayed, replay: Replay) -> tuple[str, ...]:
    """One row as text, in the order of the titles."""
    cost: tuple[str, ...] = ()
    if replay.cost_axis == "usd":
        cost = ("unknown" if isinstance(row.usd_per_item, Undefined) else f"{row.usd_per_item:.5f}",)
    own = " (the run's own)" if row.is_own else ""
    return (
        *cost,
        f"{row.calls_per_item:.2f}",
        *figure_cells(row.figure),
        *(("", "") if row.is_own else figure_cells(row.minus_own, signed=True)),
        f"{row.n_undecided:,}",
        row.variant.name + own,
    )


def figure_cells(finding: Finding, *, signed: bool = False) -> tuple[str, str]:
    """A value and its interval."""
    if isinstance(finding.value, Undefined):
        return "undefined", ""
    value = f"{finding.value:+.3f}" if signed else f"{finding.value:.3f}"
    if isinstance(finding.interval, Undefined):
        return value, "none"
    low, high = finding.interval.low, finding.interval.high
    return value, f"[{low:+.3f}, {high:+.3f}]" if signed else f"[{low:.3f}, {high:.3f}]"


def advice(frontier: Frontier, replay: Replay) -> list[str]:
    """What to take from it."""
    found = frontier.recommended
    if isinstance(found, Undefined):
        return [f"No design is recommended: {found.reason}."]
    value, interval = figure_cells(found.out_of_sample)
    flattered, _ = figure_cells(found.in_sample)
    return [
        f"Best of all: {found.variant.name}. Chosen on four fifths of the groups and measured on the rest, it has "
        f"{measure_name(replay)} {value} {interval}; on the groups it was chosen on, {flattered}, which flatters it. "
        f"It was the one chosen {found.n_chosen} times of 5."
    ]


def value_of(row: Replayed) -> float | None:
    """The figure where it has one."""
    return None if isinstance(row.figure.value, Undefined) else row.figure.value


def cost_of(row: Replayed, replay: Replay) -> float | None:
    """What an item costs on the plot's axis, where it is known."""
    if replay.cost_axis == "calls":
        return row.calls_per_item
    return None if isinstance(row.usd_per_item, Undefined) else row.usd_per_item


def cost_title(replay: Replay) -> str:
    """The title of the axis of costs."""
    return "US dollars for each item" if replay.cost_axis == "usd" else "calls for each item"


def measure_name(replay: Replay) -> str:
    """The measure in words."""
    return replay.measure.replace("_", " ")


def reference_name(replay: Replay) -> str:
    """What variants are held to, in words."""
    return "gold" if replay.against == "gold" else "a verdict of the run's own design (a proxy: there is no gold)"
