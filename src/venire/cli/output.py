"""Where results go: data to stdout, as text for people or as one JSON document."""

import shutil
import sys
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from venire.reporting.report import Report

WIDTH_WITHOUT_TERMINAL = 110


def print_report(report: "Report", *, told: Collection[str] = (), as_json: bool) -> None:
    """Print the summary of a run.

    Args:
        told: warnings that were said before anything was asked; for people they are not said twice.
    """
    if as_json:
        from venire.reporting.json_report import report_json

        typer.echo(report_json(report))
        return
    from venire.reporting.terminal import render_terminal

    is_terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if is_terminal else WIDTH_WITHOUT_TERMINAL
    report = replace(report, warnings=tuple(warning for warning in report.warnings if warning not in told))
    typer.echo(render_terminal(report, width=width, colour=is_terminal))
