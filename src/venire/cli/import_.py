"""`venire import`: make a run of judgments that were made elsewhere."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from venire.imported import Imported


def import_(
    items: Annotated[Path, typer.Argument(help="The items, in any known shape.", show_default=False)],
    judgments: Annotated[
        list[Path] | None, typer.Argument(help="The judgments; by default the same file.", show_default=False)
    ] = None,
    *,
    out: Annotated[Path, typer.Option(help="A new run folder.", show_default=False)],
    design: Annotated[Path | None, typer.Option(help="How they were asked; by default the data tell.")] = None,
    annotations: Annotated[Path | None, typer.Option(help="Further labels of people, one a line.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Take the inferred design without being asked.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Make a run of judgments that were made elsewhere. No judge is asked.

    Everything that is derived from a run works on it: verdicts, show. Where no design is given, one is told by the
    data and shown for confirmation. Exit 2: a mistake, which the message names; nothing is written then.
    """
    from venire.cli.output import print_report
    from venire.imported import read_imported
    from venire.importing import with_annotations, write_imported

    imported = with_annotations(read_imported(items, judgments or [items], design), annotations)
    for sentence in imported.noticed:
        typer.echo(f"noticed: {sentence}", err=True)
    if imported.is_inferred and not yes:
        _confirm(imported)
    run = write_imported(imported, out)
    print_report(run.report, told=imported.noticed, as_json=as_json)
    typer.echo(f"\nRun folder: {out} (report.html, results/verdicts.jsonl, results/verdicts.parquet)", err=True)


def _confirm(imported: "Imported") -> None:
    """Show the inferred design and ask; where nobody can be asked, say how to go on."""
    from venire.reporting.imported_text import design_text

    typer.echo(design_text(imported.design), err=True)
    if not sys.stdin.isatty():
        typer.echo("This design was inferred. Run the same command with --yes to take it, or with --design.", err=True)
        raise typer.Exit(2)
    if not typer.confirm("Is this how they were asked?", err=True):
        typer.echo("Nothing was written. Give the design: --design DESIGN.yaml", err=True)
        raise typer.Exit(2)
