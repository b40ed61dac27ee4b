"""`venire verdicts`: what the stored judgments of a run come to, under its own rule or another."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from venire.cli.arguments import RUN_FOLDER
from venire.domain.design import RULES, RuleName

if TYPE_CHECKING:
    from venire.domain.identity import Json


def verdicts(
    folder: RUN_FOLDER,
    *,
    aggregate: Annotated[str | None, typer.Option(metavar="RULE", help=f"One of {', '.join(RULES)}.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV on stdout.")] = False,
) -> None:
    """Print a run's verdicts. No judge is asked: another rule is derived from the same judgments."""
    from venire.runs import read_run
    from venire.store.results import verdict_record, verdicts_csv

    if as_json and as_csv:
        raise typer.BadParameter("choose --json or --csv")
    run = read_run(folder, rule=_rule(aggregate))
    items = {item.id: item for item in run.items}
    records = [verdict_record(verdict, items.get(verdict.subject.item_id)) for verdict in run.decision.verdicts]
    if as_csv:
        typer.echo(verdicts_csv(records), nl=False)
    elif as_json:
        document = {"rule": run.design.aggregation.rule, "verdicts": records}
        typer.echo(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        typer.echo(_table(records))
        typer.echo(f"Rule {run.design.aggregation.rule}: {_counts(records)}", err=True)


def _rule(name: str | None) -> RuleName | None:
    if name is None:
        return None
    for rule in RULES:
        if rule == name:
            return rule
    raise typer.BadParameter(f"{name!r} is not a rule; choose one of {', '.join(RULES)}", param_hint="--aggregate")


def _table(records: list["dict[str, Json]"]) -> str:
    rows = [("item", "system", "criterion", "verdict", "support", "votes", "missing")]
    for record in records:
        support = record["support"]
        rows.append(
            (
                str(record["item"]),
                " / ".join(str(system) for system in _sequence(record["systems"]) if system is not None),
                str(record["criterion"]),
                _words(record),
                f"{support:.2f}" if isinstance(support, float) else "–",
                f"{record['n_counted']}/{record['n_seated']}",
                ", ".join(f"{n} {reason}" for reason, n in _mapping(record["missing"]).items()),
            )
        )
    widths = [min(40, max(len(row[column]) for row in rows)) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.replace("\n", " ").ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _words(record: "dict[str, Json]") -> str:
    match record["outcome"]:
        case "decided":
            value = record["winner"] if record.get("winner") is not None else record["value"]
            return f"{value:.3g}" if isinstance(value, float) else str(value)
        case "shared":
            return f"shared: {record['value']}"
        case _:
            return f"undecided: {record['reason']}"


def _counts(records: list["dict[str, Json]"]) -> str:
    n_of: dict[str, int] = {}
    for record in records:
        n_of[str(record["outcome"])] = n_of.get(str(record["outcome"]), 0) + 1
    return ", ".join(f"{n} {outcome}" for outcome, n in sorted(n_of.items()))


def _sequence(value: "Json") -> list["Json"]:
    return list(value) if isinstance(value, list | tuple) else []


def _mapping(value: "Json") -> "dict[str, Json]":
    return dict(value) if isinstance(value, dict) else {}
