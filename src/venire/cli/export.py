"""`venire export`: what a run prefers, for training."""

import json
from pathlib import Path
from typing import Annotated

import typer

from venire.cli.arguments import RUN_FOLDER


def export(
    folder: RUN_FOLDER,
    *,
    preferences: Annotated[
        bool, typer.Option("--preferences", help="Pairs of a chosen and a rejected response.", show_default=False)
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="A .jsonl or .parquet file; by default stdout.")
    ] = None,
    min_confidence: Annotated[float, typer.Option(help="Leave out what fewer of the judges stand behind.")] = 0.0,
    min_margin: Annotated[float, typer.Option(help="Leave out smaller differences.")] = 0.0,
    criterion: Annotated[str | None, typer.Option(help="Of several criteria, the one to look at.")] = None,
) -> None:
    """Write what a run prefers as training data: prompt, chosen, rejected, margin, confidence. No judge is asked."""
    from venire.cli.derived import write_file
    from venire.domain.identity import CriterionId
    from venire.exporting import export_preferences
    from venire.store.results import write_records_parquet

    if not preferences:
        raise typer.BadParameter("say what to export: --preferences")
    if out is not None and out.suffix.lower() not in {".jsonl", ".parquet"}:
        raise typer.BadParameter(f"{out.name!r} ends in neither .jsonl nor .parquet", param_hint="--out")
    records = list(
        export_preferences(
            folder,
            criterion_id=None if criterion is None else CriterionId(criterion),
            min_confidence=min_confidence,
            min_margin=min_margin,
        )
    )
    if out is not None and out.suffix.lower() == ".parquet":
        write_records_parquet(records, out)
    else:
        text = "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)
        # A lone surrogate has no UTF-8: it is written as its escape, as in the files of results.
        text = text.encode("utf-8", "backslashreplace").decode()
        typer.echo(text, nl=False) if out is None else write_file(out, text)
    typer.echo(f"{len(records):,} preferences", err=True)
