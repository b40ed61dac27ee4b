"""`venire judge`: ask the panel of a design about items."""

import os
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from venire.api import Run
    from venire.inputs import Inputs

ITEMS = Annotated[Path, typer.Argument(help="The items: JSONL, JSON, CSV (also .gz) or Parquet.", show_default=False)]
DESIGN = Annotated[Path, typer.Option("--design", help="The design file (YAML).", show_default=False)]


def judge(
    items: ITEMS,
    *,
    design: DESIGN,
    out: Annotated[Path | None, typer.Option(help="The run folder; the same one again resumes.")] = None,
    annotations: Annotated[Path | None, typer.Option(help="People's labels, one a line.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show calls, tokens and price; ask nothing.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Judge only the first N items.")] = None,
    skip_bad_items: Annotated[bool, typer.Option("--skip-bad-items", help="Go on without bad items.")] = False,
    max_failures: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Exit 1 if a larger share of judgments failed.")
    ] = 0.1,
    confirm_above_usd: Annotated[
        float | None, typer.Option(min=0.0, help="Ask before the run if it may cost more, or at an unknown price.")
    ] = None,
    budget_usd: Annotated[
        float | None, typer.Option(min=0.0, help="End before this run's requests cost more; exit 1.")
    ] = None,
    retry_failures: Annotated[
        bool, typer.Option("--retry-failures", help="Ask only calls again that failed before.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Go on without being asked.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Ask a panel of judges about items, decide, and report.

    Every answer is stored in the run folder before it counts: stop at any time, run the same command again,
    and only what has no answer yet is asked. Exit 0: done; 1: calls left unasked or too many failures;
    2: a mistake, which the message names.
    """
    from venire.inputs import load_inputs

    inputs = load_inputs(items, design, annotations or (), skip_bad_items=skip_bad_items, limit=limit)
    if dry_run:
        _show_plan(inputs, out, as_json=as_json)
        return
    if out is None:
        raise typer.BadParameter("name the run folder: --out DIR", param_hint="--out")
    if confirm_above_usd is not None and not yes:
        from venire.cli.consent import ask_consent

        if not ask_consent(inputs, out, confirm_above_usd):
            typer.echo("Nothing was asked.", err=True)
            raise typer.Exit(1)
    told: list[str] = []
    run, spent = _ask(inputs, out, told.append, budget_usd=budget_usd, only_failures=retry_failures)
    _show_run(run, told, as_json=as_json)
    raise typer.Exit(_exit_code(run, max_failures, f"{spent} of the budget of ${budget_usd or 0:g}"))


def _ask(
    inputs: "Inputs",
    out: Path,
    remember: Callable[[str], None],
    *,
    budget_usd: float | None,
    only_failures: bool,
) -> "tuple[Run, str]":
    """The run, and what was spent on it in words."""
    from venire.api import judge_inputs
    from venire.cli.progress import Progress
    from venire.cli.stopping import stop_on_interrupt
    from venire.planning.calls import count_calls
    from venire.pricing import prices_of
    from venire.reporting.text import one_line
    from venire.seating import Asking

    progress = Progress(sum(count_calls(inputs.items, inputs.design).values()), prices_of(inputs.design))

    def warn(warning: str) -> None:
        remember(warning)
        typer.echo(f"warning: {one_line(warning)}", err=True)

    with stop_on_interrupt() as stop:
        try:
            asking = Asking(listen=progress, stop=stop, budget_usd=budget_usd, only_failures=only_failures)
            return judge_inputs(inputs, out=out, asking=asking, warn=warn), progress.money()
        finally:
            progress.finish()


def _show_run(run: "Run", told: Collection[str], *, as_json: bool) -> None:
    from venire.cli.output import print_report

    print_report(run.report, told=told, as_json=as_json)
    if run.folder is not None:
        typer.echo(
            f"\nRun folder: {run.folder} (report.html, results/verdicts.jsonl, results/verdicts.parquet)", err=True
        )


def _exit_code(run: "Run", max_failures: float, spent: str) -> int:
    decision = run.decision
    if decision.n_unasked and run.ended == "out_of_budget":
        typer.echo(
            f"The next request could exceed the budget: {spent} by this command, and {decision.n_unasked} calls are "
            "left. Everything answered is stored; the same command goes on, with this budget anew or another.",
            err=True,
        )
        return 1
    if decision.n_unasked:
        typer.echo(f"{decision.n_unasked} planned calls were left unasked; run the same command to go on.", err=True)
        return 1
    if not decision.n_judgments:
        return 0
    share = decision.n_failed / decision.n_judgments
    if share > max_failures:
        typer.echo(
            f"{decision.n_failed} of {decision.n_judgments} judgments failed ({share:.1%}), more than "
            f"--max-failures {max_failures:g} allows.",
            err=True,
        )
        return 1
    return 0


def _show_plan(inputs: "Inputs", out: Path | None, *, as_json: bool) -> None:
    from venire.cli.plan import plan_json, plan_text
    from venire.pipeline import check
    from venire.runs import estimate

    warnings = check(inputs.items, inputs.design)
    unset = sorted({judge.api_key_env for judge in inputs.design.judges if judge.api_key_env} - set(os.environ))
    keys = [f"The environment variable {name!r}, which holds a judge's key, is not set." for name in unset]
    warnings = (*inputs.notes, *warnings, *keys)
    plan = estimate(inputs.items, inputs.design, out)
    typer.echo(plan_json(plan, warnings) if as_json else plan_text(plan, warnings))
