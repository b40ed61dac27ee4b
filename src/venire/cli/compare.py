"""`venire compare`: what changed between two runs."""

from pathlib import Path
from typing import Annotated

import typer


def compare(
    before: Annotated[Path, typer.Argument(help="The folder of the earlier run.", show_default=False)],
    after: Annotated[Path, typer.Argument(help="The folder of the later run.", show_default=False)],
    *,
    criterion: Annotated[str | None, typer.Option(help="Of several criteria, the one to look at.")] = None,
    seed: Annotated[int, typer.Option(help="Of the resamples.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Show what changed between two runs over the same items. No judge is asked.

    Every figure is taken over the subjects that count in both runs, and its difference is resampled in pairs.
    """
    from venire.domain.identity import CriterionId
    from venire.reporting.change_text import change_document, change_text
    from venire.runs import read_collected
    from venire.tuning.change import compare_runs, gauge_run

    wanted = None if criterion is None else CriterionId(criterion)
    runs = [gauge_run(read_collected(folder), wanted) for folder in (before, after)]
    change = compare_runs(runs[0], runs[1], seed=seed)
    typer.echo(change_document(change) if as_json else change_text(change), nl=not as_json)
