"""A stress test as a page: a plot and a table for each corruption, then what robustness costs and what it bears."""

from collections.abc import Sequence
from html import escape

from venire.domain.finding import Undefined
from venire.domain.identity import Json
from venire.domain.stress import CorruptionName, Loss, Stress, StressCurve
from venire.reporting.charts import Chart
from venire.reporting.page import PageSection, PageTable, render_page
from venire.reporting.stress_rows import (
    Rows,
    best_single,
    breakdown_rows,
    curve_name,
    curve_rows,
    curves_shown,
    describe,
    explain_breakdown,
    explain_loss,
    lead_of,
    premium_rows,
    remarks,
    show_loss,
    size_rows,
)
from venire.reporting.text import make_inert, show_percent

EXPLODES = 30.0
"""A largest loss this many times the smallest is plotted by its logarithm."""


def stress_page(stress: Stress) -> str:
    """The page."""
    sections = [_corruption(stress, corruption) for corruption in stress.plan.corruptions]
    sections.append(
        PageSection(
            heading="While nothing is broken",
            paragraphs=("What a robust rule costs on clean votes, beside the first one.",),
            table=_table(premium_rows(stress), "Losses on clean votes"),
        )
    )
    sections.append(
        PageSection(
            heading="How many broken judges a rule bears",
            paragraphs=(explain_breakdown(stress),),
            table=_table(breakdown_rows(stress), "The fewest broken judges that break a rule"),
        )
    )
    if stress.sizes:
        sections.append(
            PageSection(
                heading="What more judges buy",
                paragraphs=("Panels of n of these judges, nothing broken.",),
                chart=_sizes(stress),
                table=_table(size_rows(stress), "Losses by number of judges"),
            )
        )
    lead = f"{lead_of(stress)} {explain_loss(stress)}"
    return render_page(title="Stress", lead=lead, sections=sections, notes=remarks(stress))


def _corruption(stress: Stress, corruption: CorruptionName) -> PageSection:
    paragraphs = [describe(corruption, stress)]
    if not any(stress.changes_when_checked(corruption, rule) for rule in stress.rules):
        paragraphs.append("Refusing values outside the scale changes nothing: there are none.")
    return PageSection(
        heading=corruption,
        paragraphs=tuple(paragraphs),
        chart=plot_corruption(stress, corruption),
        table=_table(curve_rows(stress, corruption), "Loss by share of broken votes"),
    )


def plot_corruption(stress: Stress, corruption: CorruptionName) -> Chart:
    """Loss against rate, a line for each rule; dashed where values outside the scale are refused."""
    colours = {rule: f"c{number}" for number, rule in enumerate(stress.rules)}
    curves = list(curves_shown(stress, corruption))
    traces = [
        _line(curve, stress, colour=colours[curve.rule], dash="dash" if curve.is_checked else "solid")
        for curve in curves
    ]
    best = best_single(stress)
    if best is not None:
        traces.append(_line(stress.curve(corruption, best), stress, colour="beside", dash="dot"))
    values = [
        point.loss.value
        for curve in curves
        for point in curve.points
        if isinstance(point.loss, Loss) and point.loss.value
    ]
    explodes = bool(values) and max(values) > EXPLODES * min(values)
    axis: dict[str, Json] = {"title": {"text": _loss_title(stress)}, "zeroline": False}
    if explodes:
        axis |= {"type": "log", "dtick": 1}
    elif values:
        # Of the rules alone: a judge that is worse by far leaves the plot, or their differences could not be seen.
        air = 0.08 * (max(values) - min(values)) or 0.5
        axis |= {"range": [min(values) - air, max(values) + air]}
    return Chart(
        title=f"{_loss_title(stress).capitalize()} by share of broken votes; dashed: range-checked; dotted: "
        "the best judge alone, which may leave the plot",
        figure={
            "data": traces,
            "layout": _layout({"title": {"text": "share broken"}, "tickformat": ".0%"}, axis),
        },
        height=420,
    )


def _line(curve: StressCurve, stress: Stress, *, colour: str, dash: str) -> Json:
    shown = [point for point in curve.points if isinstance(point.loss, Loss)]
    name = curve_name(curve) if curve.rule in stress.rules else f"alone: {curve.rule}"
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": _plain(name),
        "meta": colour,
        "x": [point.rate for point in shown],
        "y": [point.loss.value for point in shown if isinstance(point.loss, Loss)],
        "hovertext": [
            f"{_plain(name)}<br>{show_percent(round(1000 * point.rate), 1000)} broken: {show_loss(point.loss, stress)}"
            for point in shown
        ],
        "hoverinfo": "text",
        "line": {"width": 2, "dash": dash},
        "marker": {"size": 6, "line": {"width": 0}},
    }


def _sizes(stress: Stress) -> Chart:
    traces: list[Json] = []
    for number, rule in enumerate(stress.rules):
        found = [(size.n_judges, dict(size.losses)[rule]) for size in stress.sizes]
        known = [(n, loss) for n, loss in found if isinstance(loss, Loss)]
        traces.append(_plain_line(rule, f"c{number}", [n for n, _ in known], [loss.value for _, loss in known]))
    effective = [
        (size.n_judges, size.n_effective) for size in stress.sizes if not isinstance(size.n_effective, Undefined)
    ]
    if effective:
        trace = _plain_line("effective votes", "beside", [n for n, _ in effective], [value for _, value in effective])
        traces.append({**trace, "yaxis": "y2"})
    layout = _layout(
        {"title": {"text": "judges"}},
        {"title": {"text": _loss_title(stress)}, "zeroline": False},
    )
    right: dict[str, Json] = {
        "title": {"text": "effective votes"},
        "overlaying": "y",
        "side": "right",
        "rangemode": "tozero",
    }
    return Chart(
        title=f"{_loss_title(stress).capitalize()} by number of judges; grey, right axis: effective votes",
        figure={"data": traces, "layout": {**layout, "yaxis2": {**right, "showgrid": False}}},
        height=420,
    )


def _plain_line(name: str, colour: str, x: Sequence[float], y: Sequence[float]) -> dict[str, Json]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": _plain(name),
        "meta": colour,
        "x": list(x),
        "y": list(y),
        "line": {"width": 2},
        "marker": {"size": 6, "line": {"width": 0}},
    }


def _layout(xaxis: dict[str, Json], yaxis: dict[str, Json]) -> dict[str, Json]:
    return {
        "xaxis": xaxis | {"zeroline": False, "fixedrange": True},
        "yaxis": yaxis | {"fixedrange": True},
        "margin": {"l": 64, "r": 48, "t": 8, "b": 48},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        "hovermode": "closest",
    }


def _loss_title(stress: Stress) -> str:
    return "share wrong" if stress.is_labels else "root mean square distance"


def _table(rows: Rows, caption: str) -> PageTable:
    return PageTable(caption=caption, columns=rows.titles, rows=rows.rows)


def _plain(text: str) -> str:
    """Text for plotly, which reads tags in every label: nothing from outside is a tag."""
    return escape(make_inert(text), quote=False)
