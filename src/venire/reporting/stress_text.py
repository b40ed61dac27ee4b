"""A stress test on the terminal."""

from venire.domain.stress import Stress
from venire.reporting.stress_rows import (
    Rows,
    breakdown_rows,
    curve_rows,
    describe,
    explain_breakdown,
    explain_loss,
    lead_of,
    premium_rows,
    remarks,
    size_rows,
)
from venire.reporting.text import make_inert


def stress_text(stress: Stress) -> str:
    """Losses by rate for each corruption, then what robustness costs, breakdown points and panel sizes."""
    lines = [lead_of(stress), explain_loss(stress)]
    for corruption in stress.plan.corruptions:
        about = describe(corruption, stress)
        lines += ["", f"{corruption}. {about}", *_table(curve_rows(stress, corruption))]
    lines += ["", "While nothing is broken", *_table(premium_rows(stress))]
    lines += ["", explain_breakdown(stress), *_table(breakdown_rows(stress))]
    if stress.sizes:
        lines += ["", "Panels of n judges, nothing broken", *_table(size_rows(stress))]
    lines += ["", *(f"- {remark}" for remark in remarks(stress))]
    return "\n".join(make_inert(line) for line in lines)


def _table(table: Rows) -> list[str]:
    rows = [table.titles, *table.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.titles))]
    return ["  " + "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]
