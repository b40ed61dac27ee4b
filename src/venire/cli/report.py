"""`venire report`: a run told in full, in one file."""

from pathlib import Path
from typing import Annotated

import typer

from venire.cli.arguments import RUN_FOLDER


def report(
    folder: RUN_FOLDER,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="An .html, .md or .json file; by default DIR/full-report.html."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of resamples and folds.")] = 0,
) -> None:
    """Write the full report of a run: one file that needs nothing else. No judge is asked.

    Whether to trust the panel, whether it beats its best judge and what would make it better come first; then what was
    decided, agreement, panel health, other designs, the cases to read, cost, and how each number was computed.
    """
    from venire.cli.derived import write_file
    from venire.reporting.deeper_json import full_document
    from venire.reporting.html import render_html
    from venire.reporting.markdown import full_markdown
    from venire.store.folder import FULL_REPORT_HTML
    from venire.telling import tell_run

    path = out or folder / FULL_REPORT_HTML
    forms = {".html": render_html, ".htm": render_html, ".md": full_markdown, ".json": full_document}
    if path.suffix.lower() not in forms:
        raise typer.BadParameter(f"{path.name!r} ends in none of .html, .md and .json", param_hint="--out")
    told = tell_run(folder, seed=seed)
    if forms[path.suffix.lower()] is render_html:
        text = render_html(told.report, told.design_yaml, told.deeper)
    else:
        write = full_markdown if path.suffix.lower() == ".md" else full_document
        text = write(told.report, told.deeper, told.design_yaml)
    write_file(path, text)
    for _, answers in told.deeper.answers:
        for answer in answers:
            typer.echo(f"{answer.question} {answer.headline}.")
    typer.echo(f"Written: {path}", err=True)
