"""`venire verdicts`: what the stored judgments of a run come to, under its own rule or another."""

import json
from typing import Annotated

import typer

from venire.cli.arguments import RUN_FOLDER
from venire.domain.aggregation import RULES, RuleName


def verdicts(
    folder: RUN_FOLDER,
    *,
    aggregate: Annotated[str | None, typer.Option(metavar="RULE", help=f"One of {', '.join(RULES)}.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV on stdout.")] = False,
) -> None:
    """Print a run's verdicts. No judge is asked: another rule is derived from the same judgments."""
    from venire.reporting.verdict_table import verdict_counts, verdict_table
    from venire.runs import read_run
    from venire.store.results import verdict_record, verdicts_csv

    if as_json and as_csv:
        raise typer.BadParameter("choose --json or --csv")
    run = read_run(folder, rule=_rule(aggregate))
    items = {item.id: item for item in run.decision.items}
    records = [verdict_record(verdict, items.get(verdict.subject.item_id)) for verdict in run.decision.verdicts]
    if as_csv:
        typer.echo(verdicts_csv(records), nl=False)
    elif as_json:
        document = {"rule": run.design.aggregation.rule, "verdicts": records}
        typer.echo(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        typer.echo(verdict_table(records))
        typer.echo(f"Rule {run.design.aggregation.rule}: {verdict_counts(records)}", err=True)


def _rule(name: str | None) -> RuleName | None:
    if name is None:
        return None
    for rule in RULES:
        if rule == name:
            return rule
    raise typer.BadParameter(f"{name!r} is not a rule; choose one of {', '.join(RULES)}", param_hint="--aggregate")
