"""An audit as sections of a page, and as a page of its own."""

from collections.abc import Sequence

from venire.domain.audit import Audit, RaterAudit
from venire.domain.finding import Finding
from venire.domain.identity import Json
from venire.reporting.audit_rows import (
    DELTA_TITLES,
    PART_TITLES,
    RATE_TITLES,
    delta_rows,
    part_rows,
    people_sentences,
    rate_rows,
    rate_sentences,
    rater_rows,
    rater_titles,
    spread_sentences,
    support_sentences,
)
from venire.reporting.charts import Chart, error_bars, inert_label
from venire.reporting.page import PageSection, PageTable, render_page
from venire.reporting.text import shorten

_ROW, _EDGES = 26, 90


def audit_page(audit: Audit) -> str:
    """The page."""
    return render_page(
        title="Audit",
        lead=f"Criterion {audit.criterion_id}: {audit.gold_is}. No judge was asked.",
        sections=audit_sections(audit),
        notes=audit.warnings,
    )


def audit_sections(audit: Audit, *, prefix: str = "") -> list[PageSection]:
    """The parts of the page; `prefix` stands before each heading."""
    sections = [
        PageSection(
            heading=f"{prefix}Judges, rules and people against gold",
            paragraphs=(f"{audit.gold_is[0].upper()}{audit.gold_is[1:]}.", *people_sentences(audit)),
            chart=_plot_raters(audit),
            table=PageTable(
                caption="Every rater",
                columns=rater_titles(audit),
                rows=tuple(rater_rows(audit)),
                emphasised=frozenset({0} if audit.raters else ()),
                wordy=frozenset({1}),
            ),
        ),
        PageSection(
            heading=f"{prefix}Pass rates, corrected for the panel's errors",
            paragraphs=tuple(rate_sentences(audit)),
            table=PageTable(caption="By system", columns=RATE_TITLES, rows=tuple(rate_rows(audit))),
        ),
        PageSection(
            heading=f"{prefix}How judges lean",
            paragraphs=(*(lean.sentence for lean in audit.leans), *spread_sentences(audit)),
            table=PageTable(
                caption="Score of a system by a judge minus that of gold",
                columns=DELTA_TITLES,
                rows=tuple(delta_rows(audit)),
                wordy=frozenset({1, 5}),
            ),
        ),
    ]
    parts = tuple(part_rows(audit))
    if parts or support_sentences(audit):
        titles = (PART_TITLES[0], rater_titles(audit)[2], *PART_TITLES[2:])
        sections.append(
            PageSection(
                heading=f"{prefix}Where the panel is weak",
                paragraphs=tuple(support_sentences(audit)),
                table=PageTable(caption="By category and by difficulty", columns=titles, rows=parts),
            )
        )
    return [section for section in sections if section.paragraphs or (section.table and section.table.rows)]


def _plot_raters(audit: Audit) -> Chart | None:
    told = [
        (one, found, found.value)
        for one in audit.raters
        if isinstance(found := one.figure, Finding) and isinstance(found.value, float)
    ]
    if not told:
        return None
    ceiling = audit.people.ceiling
    mark = ceiling.value if isinstance(ceiling, Finding) and isinstance(ceiling.value, float) else None
    colours = {"panel": "panel", "judge": "votes", "rule": "c4", "person": "c2"}
    return Chart(
        title=f"{rater_titles(audit)[2].capitalize()} against gold, 95% intervals"
        + ("; dotted: the human ceiling" if mark is not None else ""),
        figure={
            "data": [
                _trace([(row, *one) for row, one in enumerate(told) if one[0].kind == kind], kind, colour)
                for kind, colour in colours.items()
                if any(one.kind == kind for one, _, _ in told)
            ],
            "layout": {
                "xaxis": {"title": {"text": rater_titles(audit)[2]}, "fixedrange": True},
                "yaxis": {
                    "tickvals": list(range(len(told))),
                    "ticktext": [inert_label(shorten(one.name, 28)) for one, _, _ in told],
                    "range": [len(told) - 0.5, -0.5],
                    "fixedrange": True,
                    "automargin": True,
                    "zeroline": False,
                    "showgrid": False,
                },
                "shapes": []
                if mark is None
                else [
                    {
                        "type": "line",
                        "yref": "paper",
                        "x0": mark,
                        "x1": mark,
                        "y0": 0,
                        "y1": 1,
                        "line": {"dash": "dot", "width": 2},
                    }
                ],
                "margin": {"l": 8, "r": 16, "t": 8, "b": 48},
                "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
                "hovermode": "closest",
            },
            "short_labels": [inert_label(shorten(one.name, 13)) for one, _, _ in told],
        },
        height=_ROW * len(told) + _EDGES + 30,
    )


def _trace(rows: Sequence[tuple[int, RaterAudit, Finding, float]], kind: str, colour: str) -> Json:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": kind,
        "meta": colour,
        "x": [value for _, _, _, value in rows],
        "y": [row for row, _, _, _ in rows],
        "hovertext": [f"{inert_label(one.name)}: {value:.3f}" for _, one, _, value in rows],
        "hoverinfo": "text",
        "marker": {"size": 10, "symbol": "diamond" if kind == "panel" else "circle", "line": {"width": 1}},
        "error_x": error_bars([found for _, _, found, _ in rows], [value for _, _, _, value in rows]),
    }
