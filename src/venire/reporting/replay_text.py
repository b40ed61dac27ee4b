"""A replay on the terminal: the frontier, the run's own design and what to take from it."""

from venire.domain.frontier import Replay
from venire.reporting.replay_rows import (
    advice,
    cells_of,
    reference_name,
    shown_rows,
    titles,
)
from venire.reporting.text import make_inert


def replay_text(replay: Replay) -> str:
    """The frontier, the run's own design and what to take from it."""
    lines = []
    for frontier in replay.frontiers:
        where = "" if frontier.category is None else f"Category {make_inert(frontier.category)}: "
        lines.append(
            f"{where}{len(frontier.rows):,} designs, {frontier.n_subjects:,} subjects with {reference_name(replay)}"
        )
        rows = shown_rows(frontier)
        cells = [cells_of(row, replay) for row in rows]
        widths = [max(len(line[column]) for line in [titles(replay), *cells]) for column in range(len(titles(replay)))]
        for line in [titles(replay), *cells]:
            padded = [cell.rjust(width) for cell, width in zip(line[:-1], widths[:-1], strict=True)]
            lines.append("  " + "  ".join([*padded, make_inert(line[-1])]).rstrip())
        lines += ["", *advice(frontier, replay), ""]
    return "\n".join([*lines, *(f"- {make_inert(note)}" for note in replay.notes)])
