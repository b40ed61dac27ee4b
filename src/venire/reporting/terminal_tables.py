"""The tables of the terminal's report: judges in one table where it fits, else behaviour and agreement apart."""

from typing import TYPE_CHECKING, Literal

from venire.domain.finding import Undefined
from venire.reporting.report import CriterionReport, JudgeRow, Report
from venire.reporting.rows import (
    FIGURE_TITLES,
    MeasuredCriterion,
    RaterLine,
    conduct_cells,
    figures_of,
    measured,
    measures_of,
    order_raters,
)
from venire.reporting.text import Figure, make_inert, shorten, show_interval, show_number, show_value

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_CONDUCT_TITLES = ("family", "calls", "failed", "p50 / p95", "cost")
_REMARKS = {"best single judge": " *", "baseline": " (baseline)", "does not vote": " (no vote)", "": ""}

# Top, head, head's rule, middle, row's rule, foot's rule, foot, bottom: rules below the head and between sections.
_RULES_ONLY = "    \n    \n ── \n    \n ── \n ── \n    \n    \n"

Layout = Literal["inline", "stacked", "agreement"]
"""inline: behaviour and agreement in one row; stacked: the same with intervals below the figures; agreement alone."""


class Footnotes:
    """Reasons that a cell has no room for, numbered from 1."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def mark(self, reason: str) -> str:
        """The number of this reason, in brackets."""
        return f"({self._numbers.setdefault(reason, len(self._numbers) + 1)})"

    def lines(self) -> list[str]:
        """All reasons with their numbers."""
        return [f"({number}) {make_inert(reason)}" for reason, number in self._numbers.items()]


def print_judges(console: "Console", report: Report) -> None:
    """Print the judges, the panel and the baselines, and below them what the marks mean."""
    from rich.measure import Measurement

    criteria = measured(report)
    layouts: tuple[Layout, ...] = ("inline", "stacked") if len(criteria) == 1 else ()
    for layout in layouts:
        notes = Footnotes()
        table = _agreement_table(report, criteria[0], notes, layout)
        if Measurement.get(console, console.options.update(width=10_000), table).maximum <= console.width:
            _print_with_notes(console, [table], notes, report)
            return
    notes = Footnotes()
    apart = [_agreement_table(report, criterion, notes, "agreement") for criterion in criteria]
    _print_with_notes(console, [_conduct_table(report), *apart], notes, report)


def system_table(criterion: CriterionReport) -> "Table":
    """What was decided on each system."""
    from rich.text import Text

    table = _new_table("")
    first = criterion.systems[0].outcomes
    has_mean = any(not isinstance(row.outcomes.mean, Undefined) for row in criterion.systems)
    has_shared = any(row.outcomes.n_shared for row in criterion.systems)
    labels = [shorten(tally.name, 16) for tally in first.decided]
    titles = [*labels, *(["mean", "decided"] if has_mean else []), *(["shared"] if has_shared else []), "undecided"]
    table.add_column("system")
    for title in titles:
        table.add_column(Text(title), justify="right")
    for row in criterion.systems:
        outcomes = row.outcomes
        cells = [f"{tally.n:,}" for tally in outcomes.decided]
        if has_mean:
            mean = "none" if isinstance(outcomes.mean, Undefined) else show_number(outcomes.mean)
            cells += [mean, f"{outcomes.n_decided:,}"]
        cells += [f"{outcomes.n_shared:,}"] if has_shared else []
        name = "(not named)" if row.system is None else shorten(row.system)
        table.add_row(*(Text(cell) for cell in (name, *cells, f"{outcomes.n_undecided:,}")))
    return table


def _print_with_notes(console: "Console", tables: list["Table"], notes: Footnotes, report: Report) -> None:
    for table in tables:
        console.print(table)
    if any(criterion.agreement.best_single is not None for criterion in measured(report)):
        console.print("* best single judge", style="dim")
    for line in notes.lines():
        console.print(line, style="dim")


def _new_table(title: str) -> "Table":
    from rich.box import Box
    from rich.table import Table
    from rich.text import Text

    return Table(
        box=Box(_RULES_ONLY),
        title=Text(title, style="bold") if title else None,
        title_justify="left",
        pad_edge=False,
        padding=(0, 1, 0, 0),
        header_style="bold",
    )


def _conduct_table(report: Report) -> "Table":
    from rich.text import Text

    table = _new_table("")
    table.add_column("judge", no_wrap=True)
    _add_conduct_columns(table)
    voting = [judge for judge in report.judges if judge.votes]
    beside = [judge for judge in report.judges if not judge.votes]
    for judge in (*voting, *beside):
        if beside and judge is beside[0]:
            table.add_section()
        remark = "" if judge.votes else "baseline" if judge.is_baseline else "does not vote"
        style = "" if judge.votes else "dim"
        cells = (shorten(judge.id) + _REMARKS[remark], *_conduct_of(judge, report))
        table.add_row(*(Text(cell, style=style) for cell in cells))
    return table


def _agreement_table(report: Report, criterion: MeasuredCriterion, notes: Footnotes, layout: Layout) -> "Table":
    from rich.text import Text

    has_conduct = layout != "agreement"
    measures = measures_of(criterion.agreement)
    table = _new_table(f"Criterion {shorten(criterion.id, 64)}" if len(report.criteria) > 1 else "")
    table.add_column("judge", no_wrap=True)
    if has_conduct:
        _add_conduct_columns(table)
    for title in ("with panel", *(FIGURE_TITLES[measure] for measure in measures)):
        table.add_column(f"{title}\n[95%]" if layout == "stacked" else f"{title} [95%]", no_wrap=True)
    described: dict[str, JudgeRow] = {judge.id: judge for judge in report.judges}
    ordered = order_raters(criterion.agreement, report.judges)
    lines = [line for line in ordered if measures or line.standing != "panel"]  # without gold its row is empty
    for number, line in enumerate(lines):
        if number and line.standing != lines[number - 1].standing:
            table.add_section()
        cells = [shorten(line.rater.rater) + _REMARKS[line.remark]]
        if has_conduct:
            is_panel = line.standing == "panel"
            cells += [""] * len(_CONDUCT_TITLES) if is_panel else _conduct_of(described[line.rater.rater], report)
        cells += [_cell(figure, line, notes, layout) for figure in figures_of(line.rater, measures)]
        style = {"votes": "", "panel": "bold", "beside": "dim"}[line.standing]
        table.add_row(*(Text(cell, style=style) for cell in cells))
    return table


def _add_conduct_columns(table: "Table") -> None:
    for title in _CONDUCT_TITLES:
        table.add_column(title, justify="left" if title == "family" else "right", no_wrap=title != "cost")


def _conduct_of(judge: JudgeRow, report: Report) -> list[str]:
    words = conduct_cells(judge, report)
    return [shorten(words.family, 12), words.calls, words.failed, words.latency, words.cost]


def _cell(figure: Figure, line: RaterLine, notes: Footnotes, layout: Layout) -> str:
    if isinstance(figure, Undefined):
        is_own_column = line.standing == "panel"  # the panel does not agree with itself: no reason is needed
        return "" if is_own_column else f"undefined {notes.mark(figure.reason)}"
    if isinstance(figure.value, Undefined):
        return f"undefined {notes.mark(figure.value.reason)}"
    if isinstance(figure.interval, Undefined):
        return f"{show_value(figure)} {notes.mark(f'no interval: {figure.interval.reason}')}"
    apart = "\n" if layout == "stacked" else " "
    return f"{show_value(figure)}{apart}{show_interval(figure.interval, figure.name)}"
