"""`venire cost`: what a run has cost, or would have cost at other prices."""

from pathlib import Path
from typing import Annotated

import typer

from venire.cli.arguments import RUN_FOLDER


def cost(
    folder: RUN_FOLDER,
    *,
    prices: Annotated[
        Path | None, typer.Option(help="A YAML file of prices by judge id or model name; it goes before all others.")
    ] = None,
    batch: Annotated[bool, typer.Option("--batch", help="As if sent through batch APIs, at batch rates.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Show what a run has cost and how long its judges took. No judge is asked.

    Every request that was sent counts, failed ones too. A cost that is not known is counted, never taken for 0.
    """
    from venire.designs.prices import read_prices
    from venire.reporting.cost import cost_json, cost_text
    from venire.runs import cost_of_run

    table = None if prices is None else read_prices(prices)
    run = cost_of_run(folder, table=table, batch=batch)
    typer.echo(cost_json(run) if as_json else cost_text(run))
