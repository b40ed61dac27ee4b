"""Panel health as a page: who errs with whom as a heat map, judges with their intervals, and the tables."""

from collections.abc import Mapping, Sequence
from html import escape

from venire.domain.finding import Finding, Undefined
from venire.domain.health import PanelHealth, PartHealth
from venire.domain.identity import Json
from venire.reporting.charts import Chart
from venire.reporting.health_rows import SIZE_TITLES, judge_cells, judge_titles, size_cells, summary_of
from venire.reporting.page import PageSection, PageTable, render_page
from venire.reporting.text import make_inert, shorten

ROW_HEIGHT = 24


def health_page(health: PanelHealth) -> str:
    """The page."""
    held = f"{_measure(health)} with {_reference(health)}"
    lead = f"Criterion {health.criterion_id}, rule {health.rule}, {held}. No judge was asked."
    sections = health_sections(health)
    return render_page(title="Panel health", lead=lead, sections=sections, notes=(*health.warnings, *health.notes))


def health_sections(health: PanelHealth, *, prefix: str = "") -> list[PageSection]:
    """The parts of the page; `prefix` stands before each heading."""
    first = health.parts[0]
    sections = [
        PageSection(
            heading=f"{prefix}The judges",
            paragraphs=tuple(summary_of(first, health)),
            chart=_plot_judges(first, health),
            table=PageTable(
                caption="Every judge; * the best single one",
                columns=judge_titles(health),
                rows=tuple(judge_cells(judge, first) for judge in first.judges),
            ),
        ),
        PageSection(
            heading=f"{prefix}Who errs with whom",
            paragraphs=(_what_correlates(health),),
            chart=_plot_pairs(first),
        ),
    ]
    if first.sizes:
        sections.append(
            PageSection(
                heading=f"{prefix}The best panel of each size",
                paragraphs=("Chosen on four fifths of the groups, measured on the rest; in sample it is flattered.",),
                table=PageTable(
                    caption="By size", columns=SIZE_TITLES, rows=tuple(size_cells(first)), wordy=frozenset({4})
                ),
            )
        )
    sections += [
        PageSection(
            heading=f"{prefix}Part: {part.name}",
            paragraphs=(f"{part.n_subjects:,} subjects.", *summary_of(part, health)),
        )
        for part in health.parts[1:]
    ]
    return sections


def _measure(health: PanelHealth) -> str:
    return health.measure.replace("_", " ")


def _reference(health: PanelHealth) -> str:
    return "gold" if health.against == "gold" else "the panel's own verdicts (a proxy: there is no gold)"


def _what_correlates(health: PanelHealth) -> str:
    if health.against == "gold":
        return "Correlation of errors against gold, pair by pair: 1 is the same errors, 0 independent ones."
    return "There is no gold: correlation of disagreement with what the others decide without the two, a proxy."


def _plot_judges(part: PartHealth, health: PanelHealth) -> Chart | None:
    rows = [(judge.judge_id, judge.figure, "votes" if judge.votes else "beside") for judge in part.judges]
    told: list[tuple[str, Finding | Undefined, str]] = [*rows, ("panel", part.panel, "panel")]
    dots = [
        (name, found, kind)
        for name, found, kind in told
        if isinstance(found, Finding) and isinstance(found.value, float)
    ]
    if not dots:
        return None
    names = [name for name, _, _ in dots]
    return Chart(
        title=f"{_measure(health).capitalize()} with {_reference(health)}, 95% intervals",
        figure={
            "data": [
                _dots([(row, dot[1]) for row, dot in enumerate(dots) if dot[2] == kind], kind)
                for kind in ("votes", "beside", "panel")
                if any(dot[2] == kind for dot in dots)
            ],
            "layout": {
                "xaxis": {"title": {"text": _measure(health)}, "zeroline": True},
                "yaxis": _names_axis(names) | {"range": [len(dots) - 0.5, -0.5]},
                "margin": {"l": 8, "r": 16, "t": 8, "b": 48},
                "showlegend": False,
                "hovermode": "closest",
            },
            "short_labels": [_label(name, 13) for name in names],
        },
        height=ROW_HEIGHT * len(dots) + 90,
    )


def _dots(dots: Sequence[tuple[int, Finding]], kind: str) -> Mapping[str, Json]:
    values = [found.value if isinstance(found.value, float) else 0.0 for _, found in dots]
    ends = [found.interval for _, found in dots]
    return {
        "type": "scatter",
        "mode": "markers",
        "meta": kind,
        "x": values,
        "y": [row for row, _ in dots],
        "hovertext": [f"{_label(found.about, 40)}<br>n = {found.n:,}" for _, found in dots],
        "hoverinfo": "text+x",
        "marker": {"size": 10, "symbol": "diamond" if kind == "panel" else "circle", "line": {"width": 1}},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [
                None if isinstance(end, Undefined) else max(end.high - value, 0.0)
                for end, value in zip(ends, values, strict=True)
            ],
            "arrayminus": [
                None if isinstance(end, Undefined) else max(value - end.low, 0.0)
                for end, value in zip(ends, values, strict=True)
            ],
            "thickness": 2,
            "width": 4,
        },
    }


def _plot_pairs(part: PartHealth) -> Chart | None:
    names = list(dict.fromkeys(name for pair in part.pairs for name in (pair.first, pair.second)))
    if len(names) < 2:
        return None
    labels = {name: _label(name, 28) for name in names}
    told = [(pair, pair.error_correlation) for pair in part.pairs if isinstance(pair.error_correlation, float)]
    # Both ways round, so that a judge's whole row can be read.
    squares = [(pair.first, pair.second, value) for pair, value in told]
    squares += [(second, first, value) for first, second, value in squares]
    size = max(6, min(34, 620 // len(names)))
    return Chart(
        title="Correlation of errors; red: the same errors, blue: opposite ones",
        figure={
            "data": [
                {
                    "type": "scatter",
                    "mode": "markers+text" if len(names) <= 14 else "markers",
                    "x": [labels[one] for one, _, _ in squares],
                    "y": [labels[other] for _, other, _ in squares],
                    "text": [f"{value:.2f}" for _, _, value in squares],
                    "textfont": {"size": 10, "color": "#1b1f24"},
                    "hovertext": [f"{labels[one]}<br>{labels[other]}<br>{value:.3f}" for one, other, value in squares],
                    "hoverinfo": "text",
                    "marker": {
                        "symbol": "square",
                        "size": size,
                        "color": [value for _, _, value in squares],
                        "cmin": -1,
                        "cmax": 1,
                        "colorscale": [[0, "#2f6fb3"], [0.5, "#f2f2f2"], [1, "#d9694a"]],
                    },
                }
            ],
            "layout": {
                "xaxis": _categories(list(labels.values())) | {"tickangle": -45},
                "yaxis": _categories(list(labels.values())) | {"autorange": "reversed"},
                "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
                "showlegend": False,
                "hovermode": "closest",
            },
        },
        height=max(260, (size + 2) * len(names) + 170),
    )


def _categories(names: list[str]) -> dict[str, Json]:
    return {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": names,
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
    }


def _names_axis(names: Sequence[str]) -> dict[str, Json]:
    return {
        "tickvals": list(range(len(names))),
        "ticktext": [_label(name, 28) for name in names],
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
    }


def _label(text: str, n_characters: int) -> str:
    return escape(make_inert(shorten(text, n_characters)), quote=False)
