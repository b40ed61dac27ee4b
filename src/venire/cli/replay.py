"""`venire replay`: what another design would have given and cost, from the stored judgments."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from venire.cli.arguments import RUN_FOLDER

if TYPE_CHECKING:
    from venire.tuning.variants import Wanted

T = TypeVar("T", bound=str)
ORDERS: tuple[Literal["AB", "BA", "both"], ...] = ("AB", "BA", "both")


def replay(
    folder: RUN_FOLDER,
    *,
    judges: Annotated[list[str] | None, typer.Option(help="A panel: ids with commas; may be repeated.")] = None,
    max_size: Annotated[int | None, typer.Option(min=1, help="The largest panel that is tried.")] = None,
    samples: Annotated[str | None, typer.Option(help="How many draws count, such as 1,2,8.")] = None,
    orders: Annotated[str | None, typer.Option(help="AB, BA, both, or several with commas.")] = None,
    rules: Annotated[str | None, typer.Option(help="Rules with commas; by default all that fit.")] = None,
    criterion: Annotated[str | None, typer.Option(help="Of several criteria, the one to look at.")] = None,
    by_category: Annotated[bool, typer.Option("--by-category", help="Also each category of items.")] = False,
    prices: Annotated[Path | None, typer.Option(help="A YAML file of prices that goes before all others.")] = None,
    batch: Annotated[bool, typer.Option("--batch", help="As if sent through batch APIs, at batch rates.")] = False,
    usd_per_call: Annotated[list[str] | None, typer.Option(help="JUDGE=USD for a call; may be repeated.")] = None,
    seed: Annotated[int, typer.Option(help="Of resamples and folds.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print every design as one JSON document.")] = False,
) -> None:
    """Show what other panels, samples, orders and rules would have given, and cost. No judge is asked.

    Writes replay.json and replay.html, with the frontier plotted, into the run folder.
    """
    from venire.cli.derived import write_beside
    from venire.designs.prices import read_prices
    from venire.domain.identity import CriterionId, JudgeId
    from venire.reporting.replay_json import replay_document
    from venire.reporting.replay_page import replay_page
    from venire.reporting.replay_text import replay_text
    from venire.runs import read_collected
    from venire.tuning.replay import replay as replay_run

    wanted = _wanted(judges, max_size, samples, orders, rules)
    own_prices = {JudgeId(name): usd for name, usd in map(_price, usd_per_call or [])}
    table = None if prices is None else read_prices(prices)
    result = replay_run(
        read_collected(folder, table=table, batch=batch),
        wanted,
        criterion_id=None if criterion is None else CriterionId(criterion),
        by_category=by_category,
        usd_per_call=own_prices,
        seed=seed,
    )
    document = replay_document(result)
    typer.echo(document if as_json else replay_text(result), nl=not as_json)
    write_beside(folder, {"replay.json": document, "replay.html": replay_page(result)})


def _wanted(
    judges: list[str] | None, max_size: int | None, samples: str | None, orders: str | None, rules: str | None
) -> "Wanted":
    from venire.domain.aggregation import RULES
    from venire.domain.identity import JudgeId
    from venire.tuning.variants import Wanted

    return Wanted(
        panels=None if judges is None else tuple(tuple(map(JudgeId, _words(panel))) for panel in judges),
        max_size=max_size,
        samples=None if samples is None else tuple(map(_whole, _words(samples))),
        orders=None
        if orders is None
        else tuple(_one_of(word, ("AB", "BA", "both"), "--orders") for word in _words(orders)),
        rules=None if rules is None else tuple(_one_of(word, RULES, "--rules") for word in _words(rules)),
    )


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _whole(word: str) -> int:
    if not word.isdigit():
        raise typer.BadParameter(f"{word!r} is no whole number; write such as 1,2,8", param_hint="--samples")
    return int(word)


def _one_of(word: str, known: "tuple[T, ...]", option: str) -> "T":
    for one in known:
        if one == word:
            return one
    raise typer.BadParameter(f"{word!r} is not one of {', '.join(known)}", param_hint=option)


def _price(written: str) -> tuple[str, float]:
    name, mark, usd = written.rpartition("=")
    try:
        price = float(usd)
    except ValueError:
        price = -1.0
    if not mark or not name or not 0 <= price < float("inf"):
        raise typer.BadParameter(f"{written!r}; write JUDGE=USD, such as mini=0.0004", param_hint="--usd-per-call")
    return name, price
