"""`venire gate`: whether a run meets what is required of it."""

from pathlib import Path
from typing import Annotated

import typer

from venire.cli.arguments import RUN_FOLDER


def gate(
    folder: RUN_FOLDER,
    *,
    require: Annotated[
        list[str],
        typer.Option(metavar="REQUIREMENT", help="Such as 'kappa>=0.6', 'kappa.low>=0.5' or 'failures<=2%'."),
    ],
    baseline: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A run to compare with: 'kappa.change.low>=-0.05'.", show_default=False),
    ] = None,
    criterion: Annotated[str | None, typer.Option(help="Of several criteria, the one to look at.")] = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write JUnit XML.", show_default=False)] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a summary for a pull request.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the resamples.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Pass (exit 0) or fail (exit 1) a run by its figures. No judge is asked.

    A figure without a value fails. Unless required otherwise, at most a tenth may be failures or undecided, and nothing
    may be left unasked or, beside a baseline, have dropped out.
    """
    from venire.cli.derived import write_file
    from venire.domain.gate import parse_requirement
    from venire.domain.identity import CriterionId
    from venire.metaeval.gate import check_gate
    from venire.reporting.gate_text import gate_document, gate_junit, gate_markdown, gate_text
    from venire.runs import read_collected
    from venire.tuning.change import compare_runs, gauge_run

    requirements = [parse_requirement(text) for text in require]
    wanted = None if criterion is None else CriterionId(criterion)
    run = gauge_run(read_collected(folder), wanted)
    change = None
    if baseline is not None:
        change = compare_runs(gauge_run(read_collected(baseline), wanted), run, seed=seed)
    result = check_gate(requirements, run.findings(seed=seed), criterion_id=run.criterion_id, change=change)
    typer.echo(gate_document(result) if as_json else gate_text(result), nl=not as_json)
    for path, text in ((junit, gate_junit(result)), (markdown, gate_markdown(result))):
        if path is not None:
            write_file(path, text)
    if not result.holds:
        raise typer.Exit(1)
