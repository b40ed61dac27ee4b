"""A replay as a page: its frontier plotted, and in a table."""

from collections.abc import Mapping, Sequence
from html import escape

from venire.domain.finding import Interval, Undefined
from venire.domain.frontier import LOWER_IS_BETTER, Frontier, Replay, Replayed
from venire.domain.identity import Json
from venire.reporting.charts import Chart
from venire.reporting.page import PageSection, PageTable, render_page
from venire.reporting.replay_rows import (
    advice,
    cells_of,
    cost_of,
    cost_title,
    measure_name,
    reference_name,
    shown_rows,
    titles,
    value_of,
)
from venire.reporting.text import make_inert

PLOTTED = 2_000
"""Points of a plot beside the frontier, the best ones: more is a grey cloud."""


def replay_page(replay: Replay) -> str:
    """The page: a plot and a table for all items, and for each category."""
    sections = [
        frontier_section(
            frontier,
            replay,
            heading="All items" if frontier.category is None else f"Category {frontier.category}",
        )
        for frontier in replay.frontiers
    ]
    lead = (
        f"What {len(replay.frontiers[0].rows):,} designs would have given and cost, told from the stored judgments; "
        f"criterion {replay.criterion_id}, {measure_name(replay)} with {reference_name(replay)}. No judge was asked."
    )
    return render_page(title="Replay", lead=lead, sections=sections, notes=replay.notes)


def frontier_section(frontier: Frontier, replay: Replay, *, heading: str) -> PageSection:
    """One frontier: what to take from it, the plot and the table."""
    rows = shown_rows(frontier)
    table = PageTable(
        caption="The frontier and the run's own design",
        columns=("design", *titles(replay)[:-1]),
        rows=tuple((cells[-1], *cells[:-1]) for cells in (cells_of(row, replay) for row in rows)),
        emphasised=frozenset(number for number, row in enumerate(rows) if row.is_own),
    )
    return PageSection(
        heading=heading,
        paragraphs=tuple(advice(frontier, replay)),
        chart=plot_frontier(frontier, replay),
        table=table,
    )


def plot_frontier(frontier: Frontier, replay: Replay) -> Chart | None:
    """Cost for each item against the figure, with intervals on the frontier and on the run's own design."""
    told = [row for row in frontier.rows if value_of(row) is not None and (row.is_own or frontier.decides_enough(row))]
    placed = [(row, cost) for row in told if (cost := cost_of(row, replay)) is not None]
    if not placed:
        return None
    best = sorted((one for one in placed if one[0].on_frontier), key=lambda one: one[1])
    own = [one for one in placed if one[0].is_own]
    sign = -1 if replay.measure in LOWER_IS_BETTER else 1
    others = sorted(
        (one for one in placed if not one[0].on_frontier), key=lambda one: -sign * (value_of(one[0]) or 0.0)
    )
    costs = [cost for _, cost in placed if cost > 0]
    is_wide = bool(costs) and max(costs) > 30 * min(costs) and len(costs) == len(placed)
    axis: dict[str, Json] = {"title": {"text": cost_title(replay)}, "zeroline": False}
    axis |= {"type": "log"} if is_wide else {"rangemode": "tozero"}
    return Chart(
        title=f"{measure_name(replay).capitalize()} by {cost_title(replay)}, 95% intervals; the line is the frontier",
        figure={
            "data": [
                _trace("other designs", "undecided", others[:PLOTTED], replay, mode="markers", size=5),
                _trace("frontier", "votes", best, replay, mode="lines+markers", size=10, with_interval=True),
                _trace("the run's own design", "panel", own, replay, mode="markers", size=13, with_interval=True),
            ],
            "layout": {
                "xaxis": axis,
                "yaxis": {"title": {"text": measure_name(replay)}, "zeroline": False},
                "margin": {"l": 64, "r": 16, "t": 8, "b": 48},
                "legend": {"orientation": "h", "y": 1.08},
                "hovermode": "closest",
            },
        },
        height=460,
    )


def _trace(
    name: str,
    colour: str,
    placed: Sequence[tuple[Replayed, float]],
    replay: Replay,
    *,
    mode: str,
    size: int,
    with_interval: bool = False,
) -> Mapping[str, Json]:
    trace: dict[str, Json] = {
        "type": "scatter",
        "mode": mode,
        "name": name,
        "meta": colour,
        "x": [cost for _, cost in placed],
        "y": [value_of(row) for row, _ in placed],
        "hovertext": [
            "<br>".join(
                escape(make_inert(cell), quote=False) for cell in (row.variant.name, *cells_of(row, replay)[:-1])
            )
            for row, _ in placed
        ],
        "hoverinfo": "text",
        "marker": {"size": size, "symbol": "diamond" if colour == "panel" else "circle", "line": {"width": 0}},
        "line": {"width": 2, "shape": "hv"},
    }
    if with_interval:
        arms = [row.figure.interval for row, _ in placed]
        values = [value_of(row) or 0.0 for row, _ in placed]
        trace["error_y"] = {
            "type": "data",
            "symmetric": False,
            "array": [_arm(arm, value, upper=True) for arm, value in zip(arms, values, strict=True)],
            "arrayminus": [_arm(arm, value, upper=False) for arm, value in zip(arms, values, strict=True)],
            "thickness": 1.5,
            "width": 4,
        }
    return trace


def _arm(interval: Interval | Undefined, value: float, *, upper: bool) -> float | None:
    if isinstance(interval, Undefined):
        return None
    return max(interval.high - value if upper else value - interval.low, 0.0)
