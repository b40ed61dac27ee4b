"""`venire verdicts`: what the stored judgments of a run come to, under its own rule or another."""

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
    from venire.deriving import derive_verdicts
    from venire.opened import opened_run
    from venire.reporting.verdict_table import verdict_counts, verdict_table
    from venire.store.results import verdict_record
    from venire.store.verdict_text import verdicts_csv, verdicts_json

    if as_json and as_csv:
        raise typer.BadParameter("choose --json or --csv")
    with opened_run(folder, rule=_rule(aggregate)) as (design, store):
        derived = derive_verdicts(store, design)
    verdicts, items = derived.aggregated.decided, {item.id: item for item in derived.items}
    if as_csv or as_json:
        write = verdicts_csv(verdicts, items) if as_csv else verdicts_json(design.aggregation.rule, verdicts, items)
        for text in write:
            typer.echo(text, nl=False)
        return
    records = [verdict_record(verdict, items.get(verdict.subject.item_id)) for verdict in verdicts]
    typer.echo(verdict_table(records))
    typer.echo(f"Rule {design.aggregation.rule}: {verdict_counts(records)}", err=True)


def _rule(name: str | None) -> RuleName | None:
    if name is None:
        return None
    for rule in RULES:
        if rule == name:
            return rule
    raise typer.BadParameter(f"{name!r} is not a rule; choose one of {', '.join(RULES)}", param_hint="--aggregate")
