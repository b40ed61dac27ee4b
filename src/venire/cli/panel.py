"""`venire panel`: whether the panel is worth its judges, and which."""

from typing import Annotated

import typer

from venire.cli.arguments import RUN_FOLDER


def panel(
    folder: RUN_FOLDER,
    *,
    criterion: Annotated[str | None, typer.Option(help="Of several criteria, the one to look at.")] = None,
    by_category: Annotated[bool, typer.Option("--by-category", help="Also each category of items.")] = False,
    seed: Annotated[int, typer.Option(help="Of resamples and folds.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Show whether the panel is worth its judges, and which of them. No judge is asked.

    Every judge, every pair, the panel beside its best member, without each member, and at every size; on all subjects,
    by difficulty and by category. Writes panel.json and panel.html into the run folder.
    """
    from venire.cli.derived import write_beside
    from venire.domain.identity import CriterionId
    from venire.reporting.health_json import health_document
    from venire.reporting.health_page import health_page
    from venire.reporting.health_text import health_text
    from venire.runs import read_collected
    from venire.tuning.panel_health import measure_health

    health = measure_health(
        read_collected(folder),
        criterion_id=None if criterion is None else CriterionId(criterion),
        by_category=by_category,
        seed=seed,
    )
    document = health_document(health)
    typer.echo(document if as_json else health_text(health), nl=not as_json)
    write_beside(folder, {"panel.json": document, "panel.html": health_page(health)})
