"""The command `venire`: its groups, its exit codes, and the one place where an error becomes a message."""

import contextlib
import gc
import io
import os
import sys
from typing import Annotated

import typer

from venire.cli.audit import audit
from venire.cli.check import check
from venire.cli.compare import compare
from venire.cli.cost import cost
from venire.cli.export import export
from venire.cli.gate import gate
from venire.cli.import_ import import_
from venire.cli.judge import judge
from venire.cli.panel import panel
from venire.cli.rank import rank
from venire.cli.read import read
from venire.cli.replay import replay
from venire.cli.report import report
from venire.cli.reread import reread
from venire.cli.show import show
from venire.cli.stress import stress
from venire.cli.verdicts import verdicts
from venire.errors import UsageError

app = typer.Typer(
    name="venire",
    help="Judge LLM outputs with panels of LLM judges: collect judgments once, derive everything from them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(rich_help_panel="Ask")(judge)
app.command("import", rich_help_panel="Ask")(import_)
app.command(rich_help_panel="Decide")(verdicts)
app.command(rich_help_panel="Decide")(rank)
app.command(rich_help_panel="Decide")(show)
app.command(rich_help_panel="Decide")(cost)
app.command(rich_help_panel="Trust")(audit)
app.command(rich_help_panel="Trust")(panel)
app.command(rich_help_panel="Trust")(compare)
app.command(rich_help_panel="Trust")(gate)
app.command(rich_help_panel="Trust")(report)
app.command(rich_help_panel="Decide")(export)
app.command(rich_help_panel="Improve")(replay)
app.command(rich_help_panel="Improve")(stress)
app.command(rich_help_panel="Look")(read)
app.command(rich_help_panel="Look")(reread)
app.command(rich_help_panel="Look")(check)


def _print_version(value: bool) -> None:  # noqa: FBT001 - a typer callback
    if value:
        from venire._version import __version__

        typer.echo(f"venire {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Judge LLM outputs with panels of LLM judges: collect judgments once, derive everything from them."""


def run() -> None:
    """Run the command: exit 0 done, 1 something was left undone, 2 a mistake that the message names."""
    _calm_threads()
    _collect_seldom()
    _show_everything()
    try:
        app()
        sys.stdout.flush()
    except UsageError as error:
        from venire.reporting.text import make_inert

        # An endpoint's own words may be in it.
        typer.echo(f"venire: {make_inert(str(error))}", err=True)
        sys.exit(2)
    except OSError as error:
        # Files have their own errors; what is left is where the output goes.
        _give_up_output()
        _say(f"venire: the output could not be written: {error.strerror or error}")
        sys.exit(2)
    except KeyboardInterrupt:
        typer.echo("venire: stopped; what was answered is stored. Run the same command again to go on.", err=True)
        sys.exit(1)


def _collect_seldom() -> None:
    # Runs are large and hold no rings: looking through a million values for some takes a fifth of the time.
    gc.set_threshold(200_000, 20, 100)


def _show_everything() -> None:
    # A terminal or pipe may know fewer characters than judges write: those are shown as escapes, not as a crash.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _give_up_output() -> None:
    # Else Python would try to write the rest once more when it ends, and fail once more.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        typer.echo(text, err=True)


def _calm_threads() -> None:
    # Embedded judges share the cores with numpy. Threads that spin while they wait slow both down many times
    # over (two contended ones: 40 times, measured), and these settings are read when the libraries load.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
