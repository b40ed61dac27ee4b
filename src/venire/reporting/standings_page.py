"""Standings as a page: places with intervals, and a bump chart of every judge's own order beside the panel's."""

from collections.abc import Mapping

from venire.domain.finding import Finding, Undefined
from venire.domain.identity import Json
from venire.domain.standing import Ranking, Standing
from venire.reporting.charts import Chart, error_bars, inert_label
from venire.reporting.page import PageSection, PageTable, render_page
from venire.reporting.standings_rows import RATER_TITLES, cells_of, rater_cells, sentences_of, titles_of
from venire.reporting.text import shorten

_ROW, _EDGES = 30, 90
_COLOURS = 8
MOST_RATERS = 24
"""Columns of the bump chart; more cannot be followed."""


def standings_page(ranking: Ranking) -> str:
    """The page."""
    return render_page(
        title="Standings",
        lead=f"Criterion {ranking.criterion_id}. No judge was asked.",
        sections=standings_sections(ranking),
        notes=ranking.notes,
    )


def standings_sections(ranking: Ranking, *, prefix: str = "") -> list[PageSection]:
    """The parts of the page; `prefix` stands before each heading."""
    return [
        PageSection(
            heading=f"{prefix}Standings of the systems",
            paragraphs=tuple(sentences_of(ranking)),
            chart=_plot_places(ranking),
            table=PageTable(
                caption="Best first",
                columns=titles_of(ranking),
                rows=tuple(cells_of(row, ranking) for row in ranking.standings),
            ),
        ),
        PageSection(
            heading=f"{prefix}The order by every judge",
            paragraphs=("Lines that cross are systems on whose order the judges differ.",),
            chart=_plot_orders(ranking),
            table=PageTable(
                caption="Every judge's own order",
                columns=RATER_TITLES,
                rows=tuple(rater_cells(rater) for rater in ranking.raters),
                wordy=frozenset({3}),
            ),
        ),
    ]


def _figure(row: Standing, ranking: Ranking) -> Finding | Undefined:
    return row.strength if ranking.by == "strength" else row.score


def _plot_places(ranking: Ranking) -> Chart | None:
    told = [
        (row, found, found.value)
        for row in ranking.standings
        if isinstance(found := _figure(row, ranking), Finding) and isinstance(found.value, float)
    ]
    if not told:
        return None
    name = "strength, 400 points are odds of ten" if ranking.by == "strength" else ranking.score_name.replace("_", " ")
    labels = [inert_label(shorten(row.system, 28)) for row, _, _ in told]
    trace: Mapping[str, Json] = {
        "type": "scatter",
        "mode": "markers",
        "meta": "votes",
        "x": [value for _, _, value in told],
        "y": list(range(len(told))),
        "hovertext": [" · ".join(map(inert_label, cells_of(row, ranking))) for row, _, _ in told],
        "hoverinfo": "text",
        "marker": {"size": 11, "line": {"width": 2}},
        "error_x": error_bars([found for _, found, _ in told], [value for _, _, value in told]),
    }
    return Chart(
        title=f"{name[0].upper()}{name[1:]}, with 95% intervals",
        figure={
            "data": [trace],
            "layout": {
                "xaxis": {"title": {"text": name}, "zeroline": False, "fixedrange": True},
                "yaxis": _names(labels),
                "margin": {"l": 8, "r": 16, "t": 8, "b": 48},
                "showlegend": False,
                "hovermode": "closest",
            },
            "short_labels": [inert_label(shorten(row.system, 13)) for row, _, _ in told],
        },
        height=_ROW * len(told) + _EDGES,
    )


def _plot_orders(ranking: Ranking) -> Chart | None:
    """Ranks by the panel, then by every rater, closest to the panel first."""
    raters = [rater for rater in ranking.raters if len(rater.scores) > 1]
    raters.sort(key=lambda rater: -2.0 if isinstance(rater.tau, Undefined) else -rater.tau)
    raters = raters[:MOST_RATERS]
    if not raters:
        return None
    names = ["panel", *(shorten(rater.rater, 16) for rater in raters)]
    by_rater = [_ranks(dict(rater.scores)) for rater in raters]
    traces: list[Json] = []
    for number, row in enumerate(ranking.standings):
        places = [
            (0, float(row.rank)),
            *((1 + n, ranks[row.system]) for n, ranks in enumerate(by_rater) if row.system in ranks),
        ]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": inert_label(shorten(row.system, 20)),
                "meta": f"c{number % _COLOURS}",
                "x": [place for place, _ in places],
                "y": [rank for _, rank in places],
                "hovertext": [
                    f"{inert_label(row.system)}: {rank:g} by {inert_label(names[place])}" for place, rank in places
                ],
                "hoverinfo": "text",
                "line": {"width": 2.5, "dash": ("solid", "dash", "dot")[number // _COLOURS % 3]},
                "marker": {"size": 9, "line": {"width": 0}},
            }
        )
    n = len(ranking.standings)
    return Chart(
        title="Rank of every system by the panel and by every judge; 1 is best",
        figure={
            "data": traces,
            "layout": {
                "xaxis": {
                    "tickvals": list(range(len(names))),
                    "ticktext": [inert_label(name) for name in names],
                    "tickangle": -45,
                    "fixedrange": True,
                    "zeroline": False,
                    "automargin": True,
                },
                "yaxis": {"range": [n + 0.5, 0.5], "dtick": max(1, n // 10), "fixedrange": True, "zeroline": False},
                "margin": {"l": 40, "r": 8, "t": 8, "b": 96},
                "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
                "hovermode": "closest",
            },
        },
        height=_ROW * n + 260,
    )


def _ranks(scores: Mapping[str, float]) -> dict[str, float]:
    return {name: 1.0 + sum(other > score for other in scores.values()) for name, score in scores.items()}


def _names(labels: list[str]) -> Json:
    return {
        "tickvals": list(range(len(labels))),
        "ticktext": labels,
        "range": [len(labels) - 0.5, -0.5],
        "fixedrange": True,
        "automargin": True,
        "zeroline": False,
        "showgrid": False,
    }
