"""Charts: the dot-and-interval plot of how raters stand against gold, as a plotly figure."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.identity import Json
from venire.domain.measures import Agreement, Measure
from venire.reporting.report import JudgeRow
from venire.reporting.rows import FIGURE_TITLES, RaterLine, Standing, order_raters
from venire.reporting.text import make_inert, shorten, show_figure

ROW_HEIGHT = 34
"""Pixels for one rater: room for a finger, and for a line of text."""
_EDGES = 90
"""Pixels for the axis below the rows and the air above them."""
_SYMBOLS: dict[Standing, str] = {"votes": "circle", "panel": "diamond", "beside": "circle-open"}
_LEGEND: dict[Standing, str] = {"votes": "judge", "panel": "panel", "beside": "beside the panel"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One plot: what it shows, and the figure for plotly."""

    title: str
    figure: Json
    """Data and layout without colours, which the page takes from its own style; and labels for narrow pages."""
    height: int


def plot_raters(agreement: Agreement, judges: Sequence[JudgeRow]) -> Chart | Undefined:
    """Plot the figure by which raters are compared; without gold, agreement with the panel.

    Returns:
        The chart, or why no rater has a figure to plot.
    """
    lines = order_raters(agreement, judges)
    measure = agreement.compared_by
    findings = [_finding_of(line, measure) for line in lines]
    shown = [
        _Dot(line=line, finding=finding, value=finding.value)
        for line, finding in zip(lines, findings, strict=True)
        if isinstance(finding, Finding) and isinstance(finding.value, float)
    ]
    if not shown:
        return Undefined("no rater has a figure to plot")
    name = FIGURE_TITLES[measure] if isinstance(measure, str) else shown[0].finding.name.replace("_", " ")
    against = "against gold" if isinstance(measure, str) else "with the panel"
    return Chart(
        title=f"{name.capitalize()} {against}, with 95% intervals",
        figure={
            "data": [
                _trace(standing, [(row, dot) for row, dot in enumerate(shown) if dot.line.standing == standing])
                for standing in _SYMBOLS
                if any(dot.line.standing == standing for dot in shown)
            ],
            "layout": _layout(shown, name, _mark_of(agreement, shown[0].finding.name)),
            "short_labels": [_label(dot.line, 13) for dot in shown],
        },
        height=ROW_HEIGHT * len(shown) + _EDGES,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dot:
    line: RaterLine
    finding: Finding
    value: float


def _finding_of(line: RaterLine, measure: Measure | Undefined) -> Finding | Undefined:
    return line.rater.with_panel if isinstance(measure, Undefined) else line.rater.against_gold(measure)


def _label(line: RaterLine, n_characters: int) -> str:
    return _plain(shorten(line.rater.rater, n_characters))


def _plain(text: str) -> str:
    """Text for plotly, which reads tags and a few entities in every label: nothing from outside is a tag."""
    return html.escape(text, quote=False)


def _trace(standing: Standing, dots: Sequence[tuple[int, _Dot]]) -> Json:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": _LEGEND[standing],
        "meta": standing,
        "x": [dot.value for _, dot in dots],
        "y": [row for row, _ in dots],
        "hovertext": [
            f"{_label(dot.line, 28)}<br>{_plain(show_figure(dot.finding))}<br>n = {dot.finding.n:,}" for _, dot in dots
        ],
        "hoverinfo": "text",
        "marker": {"symbol": _SYMBOLS[standing], "size": 11, "line": {"width": 2}},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [_arm(dot, upper=True) for _, dot in dots],
            "arrayminus": [_arm(dot, upper=False) for _, dot in dots],
            "thickness": 2,
            "width": 5,
        },
    }


def _arm(dot: _Dot, *, upper: bool) -> float | None:
    """How far the interval reaches from the dot; None draws no arm."""
    interval = dot.finding.interval
    if isinstance(interval, Undefined):
        return None
    # A percentile interval need not hold its point; an arm cannot be negative.
    return max(interval.high - dot.value if upper else dot.value - interval.low, 0.0)


def _layout(shown: Sequence[_Dot], name: str, mark: float | None) -> Json:
    intervals = [dot.finding.interval for dot in shown]
    ends = [dot.value for dot in shown]
    ends += [end for interval in intervals if isinstance(interval, Interval) for end in (interval.low, interval.high)]
    is_error = name.startswith("mean abs")
    low, high = min([0.0, *ends]), max(ends) if is_error else 1.0
    air = 0.03 * (high - low)
    axis: dict[str, Json] = {"title": {"text": name + (" (lower is better)" if is_error else "")}}
    axis |= {"range": [low - air, high + air], "zeroline": True, "fixedrange": True}
    line: Json = {
        "type": "line",
        "yref": "paper",
        "x0": mark,
        "x1": mark,
        "y0": 0,
        "y1": 1,
        "line": {"dash": "dot", "width": 2},
    }
    return {
        "xaxis": axis,
        "yaxis": {
            "tickvals": list(range(len(shown))),
            "ticktext": [_label(dot.line, 28) for dot in shown],
            "range": [len(shown) - 0.5, -0.5],
            "fixedrange": True,
            "automargin": True,
            "zeroline": False,
            "showgrid": False,
        },
        "shapes": [] if mark is None else [line],
        "margin": {"l": 8, "r": 16, "t": 8, "b": 48},
        "showlegend": False,
        "hovermode": "closest",
    }


def _mark_of(agreement: Agreement, name: str) -> float | None:
    """Where a rater without any insight stands, for the dotted line: 0 is drawn for kappa anyway."""
    chance = agreement.chance
    if isinstance(chance, Undefined) or isinstance(chance.value, Undefined) or chance.name != name:
        return None
    return chance.value


def inert_label(text: str) -> str:
    """Text from outside for plotly, which reads tags in every label."""
    return _plain(make_inert(text))


def error_bars(findings: Sequence[Finding], values: Sequence[float]) -> Json:
    """Arms from values to the ends of their intervals; none where there is no interval."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [_reach(one, value, upper=True) for one, value in zip(findings, values, strict=True)],
        "arrayminus": [_reach(one, value, upper=False) for one, value in zip(findings, values, strict=True)],
        "thickness": 2,
        "width": 5,
    }


def _reach(found: Finding, value: float, *, upper: bool) -> float | None:
    interval = found.interval
    if isinstance(interval, Undefined):
        return None
    # A percentile interval need not hold its point; an arm cannot be negative.
    return max(interval.high - value if upper else value - interval.low, 0.0)
