"""`venire check`: whether a run folder is whole."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from venire.cli.arguments import RUN_FOLDER

if TYPE_CHECKING:
    from venire.checking import Checked


def check(
    folder: RUN_FOLDER,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Derive everything in a run folder again and report damage. Nothing is changed and nobody is asked.

    Exit 0: sound; 1: damage was found, and is listed with table, row and id.
    """
    from venire.checking import check_run

    checked = check_run(folder)
    typer.echo(_document(checked) if as_json else _text(checked))
    raise typer.Exit(1 if checked.damages else 0)


def _text(checked: "Checked") -> str:
    from venire.checking import MOST_SHOWN
    from venire.reporting.text import one_line

    rows = ", ".join(f"{n:,} {table}" for table, n in checked.n_rows.items()) or "no row"
    lines = [f"Read: {rows}.", f"Judgments derived again from their completions: {checked.n_read_again:,}."]
    lines += [f"note: {one_line(note)}" for note in checked.notes]
    lines += [f"damage: {one_line(str(damage))}" for damage in checked.damages[:MOST_SHOWN]]
    if len(checked.damages) > MOST_SHOWN:
        lines.append(f"… and {len(checked.damages) - MOST_SHOWN:,} more")
    n = len(checked.damages)
    lines.append(f"{n:,} damaged. Restore a copy of the folder if you have one." if n else "Sound.")
    return "\n".join(lines)


def _document(checked: "Checked") -> str:
    document = {
        "sound": not checked.damages,
        "written_by": checked.writer or None,
        "rows": dict(checked.n_rows),
        "judgments_derived_again": checked.n_read_again,
        "damages": [
            {"table": damage.table, "row": damage.row or None, "id": damage.id or None, "message": damage.message}
            for damage in checked.damages
        ],
        "notes": list(checked.notes),
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
