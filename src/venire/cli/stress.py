"""`venire stress`: what broken judges would do to a panel, rule by rule."""

from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from venire.cli.arguments import RUN_FOLDER

if TYPE_CHECKING:
    from venire.stressing import StressChoice

T = TypeVar("T", bound=str)
WHO: tuple[Literal["independent", "fixed"], ...] = ("independent", "fixed")
OVER: tuple[Literal["criteria", "responses"], ...] = ("criteria", "responses")


def stress(
    folder: RUN_FOLDER,
    *,
    corruption: Annotated[
        list[str] | None,
        typer.Option(help="zeros, inverted, bimodal-random, cauchy-far or unbiased-noise; may be repeated."),
    ] = None,
    rates: Annotated[str, typer.Option(help="Shares of broken votes, with commas.")] = "0,0.1,0.2,0.3,0.4,0.5",
    repeats: Annotated[
        int | None, typer.Option(min=1, help="Draws of each corruption. [default: 20, fewer on large runs]")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of all draws.")] = 0,
    who: Annotated[
        str, typer.Option(help="independent: each vote by chance; fixed: the same judges throughout.")
    ] = WHO[0],
    judges: Annotated[str | None, typer.Option(help="The panel: ids with commas; by default all that vote.")] = None,
    criterion: Annotated[list[str] | None, typer.Option(help="A criterion of the vector; may be repeated.")] = None,
    over: Annotated[str, typer.Option(help="A vector holds the criteria, or the responses of an item.")] = OVER[0],
    trim: Annotated[float, typer.Option(help="Of the trimmed mean, at each end.")] = 0.2,
    bimodal_low: Annotated[float, typer.Option(help="Position on the scale: 0 is its lowest end.")] = 0.0,
    bimodal_high: Annotated[float, typer.Option(help="Position on the scale: 1 is its highest end.")] = 1.0,
    cauchy_location: Annotated[float, typer.Option(help="Ranges above the scale's middle.")] = 10.0,
    cauchy_scale: Annotated[float, typer.Option(help="Ranges; 0: all at one far point.")] = 10.0,
    noise_sd: Annotated[float, typer.Option(help="Ranges.")] = 0.25,
    as_json: Annotated[bool, typer.Option("--json", help="Print every figure as one JSON document.")] = False,
) -> None:
    """Show what broken judges would do to a panel: the error of every rule, with and without range checking.

    No judge is asked and nothing stored is changed. Writes stress.json and stress.html, with the plots, into the run
    folder.
    """
    from venire.cli.derived import write_beside
    from venire.domain.stress import CORRUPTIONS, StressPlan
    from venire.reporting.stress_json import stress_document
    from venire.reporting.stress_page import stress_page
    from venire.reporting.stress_text import stress_text
    from venire.runs import read_collected
    from venire.stressing import stress_run

    plan = StressPlan(
        corruptions=tuple(_one_of(name, CORRUPTIONS, "--corruption") for name in corruption or CORRUPTIONS),
        rates=tuple(_rate(word) for word in _words(rates)),
        n_repeats=repeats,
        seed=seed,
        who=_one_of(who, WHO, "--who"),
        trim=trim,
        bimodal_low=bimodal_low,
        bimodal_high=bimodal_high,
        cauchy_location=cauchy_location,
        cauchy_scale=cauchy_scale,
        noise_sd=noise_sd,
    )
    result = stress_run(read_collected(folder), plan, _choice(judges, criterion, over))
    document = stress_document(result)
    typer.echo(document if as_json else stress_text(result), nl=not as_json)
    write_beside(folder, {"stress.json": document, "stress.html": stress_page(result)})


def _choice(judges: str | None, criterion: list[str] | None, over: str) -> "StressChoice":
    from venire.domain.identity import CriterionId, JudgeId
    from venire.stressing import StressChoice

    return StressChoice(
        judges=() if judges is None else tuple(map(JudgeId, _words(judges))),
        criteria=tuple(map(CriterionId, criterion or ())),
        over=_one_of(over, OVER, "--over"),
    )


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _rate(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise typer.BadParameter(f"{word!r} is no number; write such as 0,0.1,0.3", param_hint="--rates") from None


def _one_of(word: str, known: "tuple[T, ...]", option: str) -> "T":
    for one in known:
        if one == word:
            return one
    raise typer.BadParameter(f"{word!r} is not one of {', '.join(known)}", param_hint=option)
