"""Panel health on the terminal: warnings first, then the judges, the panel, sizes and parts."""

from collections.abc import Sequence

from venire.domain.health import PanelHealth
from venire.reporting.health_rows import SIZE_TITLES, judge_cells, judge_titles, size_cells, summary_of
from venire.reporting.text import make_inert


def health_text(health: PanelHealth) -> str:
    """The whole, as text."""
    lines = [f"! {make_inert(warning)}" for warning in health.warnings]
    first = health.parts[0]
    lines += ["", *_table([judge_titles(health), *(judge_cells(judge, first) for judge in first.judges)])]
    if first.best_single is not None:
        lines.append("* best single judge")
    lines += ["", *(make_inert(line) for line in summary_of(first, health))]
    if first.sizes:
        lines += ["", "Best panel of each size, chosen without the groups it is measured on:"]
        lines += _table([SIZE_TITLES, *size_cells(first)])
    for part in health.parts[1:]:
        lines += ["", f"{make_inert(part.name)}: {part.n_subjects:,} subjects"]
        lines += [f"  {make_inert(line)}" for line in summary_of(part, health)]
    lines += ["", *(f"- {make_inert(note)}" for note in health.notes)]
    return "\n".join(lines).strip("\n")


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns in line; the first to the left, the last as it is, all others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            make_inert(cell).ljust(width) if number == 0 or number == len(row) - 1 else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
