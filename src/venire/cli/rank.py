"""`venire rank`: standings of the systems that a run judged."""

from pathlib import Path
from typing import Annotated

import typer

from venire.cli.arguments import RUN_FOLDER


def rank(
    folder: RUN_FOLDER,
    *,
    criterion: Annotated[str | None, typer.Option(help="Of several criteria, the one to look at.")] = None,
    reference: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A JSON object of system and score to hold them to.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the resamples.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Rank the systems by the panel's verdicts, and by every judge alone. No judge is asked.

    Battles: Bradley-Terry strengths and win rates. Responses judged alone: pass rate or mean. Every place has the ranks
    that it takes in 95 % of the resamples. Writes rank.json and rank.html into the run folder.
    """
    from venire.cli.derived import write_beside
    from venire.datasets.reference import read_reference
    from venire.domain.identity import CriterionId
    from venire.reporting.standings_page import standings_page
    from venire.reporting.standings_text import standings_document, standings_text
    from venire.runs import read_collected
    from venire.tuning.ranked import rank_run

    ranking = rank_run(
        read_collected(folder),
        criterion_id=None if criterion is None else CriterionId(criterion),
        reference=None if reference is None else read_reference(reference),
        reference_name=str(reference),
        seed=seed,
    )
    document = standings_document(ranking)
    typer.echo(document if as_json else standings_text(ranking), nl=not as_json)
    write_beside(folder, {"rank.json": document, "rank.html": standings_page(ranking)})
