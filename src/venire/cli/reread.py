"""`venire reread`: the present reader on a run's stored completions."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from venire.cli.arguments import RUN_FOLDER


def reread(
    folder: RUN_FOLDER,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Read all stored completions of a run again, with this version's reader, and write its results anew.

    No judge is asked, and nothing that was answered is changed: judgments are derived from completions.
    """
    from venire.rereading import reread as read_again

    done = read_again(folder)
    if as_json:
        typer.echo(json.dumps(asdict(done), indent=2, ensure_ascii=False))
        return
    typer.echo(
        f"{done.n_judgments:,} judgments read again by reader {done.reader_version}, {done.n_changed:,} changed."
    )
    for change in done.changes:
        typer.echo(f"  {change.n:,}: {change.before} → {change.after}")
    if done.n_to_ask_again:
        typer.echo(f"{done.n_to_ask_again:,} calls are left to ask; venire judge with this folder asks them.", err=True)
