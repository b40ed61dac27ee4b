"""The report for the terminal: short enough to be read after every run."""

from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from venire.domain.best_of import BestOfMeasure
from venire.domain.finding import Undefined
from venire.reporting.report import CriterionReport, Report
from venire.reporting.terminal_tables import print_judges, system_table
from venire.reporting.text import (
    count,
    make_inert,
    show_cost,
    show_figure,
    show_latency,
    show_number,
    show_percent,
    show_share,
)

if TYPE_CHECKING:
    from rich.console import Console

MOST_SYSTEMS = 12
"""More systems than this are left to the page, which has room for them."""


def render_terminal(report: Report, *, width: int = 100, colour: bool) -> str:
    """Write the report as lines for a terminal of this width; with colour, with ANSI escapes."""
    from rich.console import Console

    out = StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},  # the result depends on the arguments alone, not on NO_COLOR, COLUMNS or TERM
    )
    for line in _header(report):
        console.print(line)
    print_judges(console, report)
    console.print()
    for criterion in report.criteria:
        _print_outcomes(console, criterion, is_one_of_many=len(report.criteria) > 1)
    if report.best_of_n is not None:
        _print_best_of_n(console, report.best_of_n)
    _print_remarks(console, "Notes", report.notes)
    _print_remarks(console, "Warnings", report.warnings)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _header(report: Report) -> Iterator[str]:
    asked, decision, counts = report.asked, report.decision, report.counts
    yield f"{report.title} · venire {report.venire_version}"
    orders = f", orders {asked.orders}" if asked.protocol != "pointwise" else ""
    yield (
        f"Asked: {asked.protocol}{orders}, {count(counts.n_subjects, 'subject')}; "
        f"{counts.n_calls_settled:,} of {count(counts.n_calls_planned, 'call')} done"
    )
    yield (
        f"Decided by: {decision.rule}, denominator {decision.denominator}, quorum {decision.quorum}, "
        f"tie {make_inert(decision.tie)}"
    )
    yield f"Cost: {show_cost(report.cost.usd_known, report.cost.n_unpriced, report.cost.unpriced_tokens)}"
    panel = report.panel_latency
    if panel.n_subjects:
        yield f"Latency of the panel, its slowest member's: {show_latency(panel.p50_s, panel.p95_s)} (p50 / p95)"


def _print_outcomes(console: "Console", criterion: CriterionReport, *, is_one_of_many: bool) -> None:
    outcomes = criterion.outcomes
    about = f"Verdicts on {make_inert(criterion.id)}" if is_one_of_many else "Verdicts"
    words = [
        f"{outcomes.n_decided:,} of {outcomes.n_subjects:,} decided "
        f"({show_percent(outcomes.n_decided, outcomes.n_subjects)})"
    ]
    if outcomes.decided:
        words.append(", ".join(f"{make_inert(tally.name)} {tally.n:,}" for tally in outcomes.decided))
    if not isinstance(outcomes.mean, Undefined):
        words.append(f"mean {show_number(outcomes.mean)}")
    if outcomes.n_shared:
        words.append(f"{outcomes.n_shared:,} shared")
    console.print(f"{about}: {'; '.join(words)}")
    if outcomes.undecided:
        reasons = ", ".join(f"{make_inert(tally.name)} {tally.n:,}" for tally in outcomes.undecided)
        console.print(f"  undecided {outcomes.n_undecided:,}: {reasons}")
    if 0 < len(criterion.systems) <= MOST_SYSTEMS:
        console.print(system_table(criterion))
    elif criterion.systems:
        console.print(f"  {count(len(criterion.systems), 'system')}: their table is in the page and in the JSON report")


def _print_best_of_n(console: "Console", best: BestOfMeasure) -> None:
    words = [f"{best.n_decided:,} of {count(best.n_items, 'item')} decided"]
    more = {"shared": best.n_shared, "tied at the top": best.n_tied, "with a response without a score": best.n_unscored}
    words += [f"{n:,} {what}" for what, n in more.items() if n]
    console.print(f"Best of n, tie {best.how.tie}: {'; '.join(words)}")
    if isinstance(best.left_out, Undefined) or isinstance(best.wrong, Undefined):
        return
    told = [f"{show_figure(best.left_out)} with such items left out (n {best.left_out.n:,})"]
    told.append(f"{show_figure(best.wrong)} with them counted wrong (n {best.wrong.n:,})")
    chance = "" if isinstance(best.chance, Undefined) else f"; chance {show_share(best.chance)}"
    ordered = told if best.how.missing == "left_out" else told[::-1]
    console.print(f"  accuracy {'; '.join(ordered)}{chance}")


def _print_remarks(console: "Console", title: str, remarks: Sequence[str]) -> None:
    from rich.table import Table
    from rich.text import Text

    if not remarks:
        return
    listed = Table.grid(padding=(0, 1, 0, 0))
    for remark in remarks:
        listed.add_row(Text("-"), Text(make_inert(remark)))
    console.print()
    console.print(title, style="bold")
    console.print(listed)
