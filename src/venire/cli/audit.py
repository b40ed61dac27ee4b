"""`venire audit`: how far a run's judges, rules and people agree, and what that is worth."""

from pathlib import Path
from typing import Annotated

import typer

from venire.cli.arguments import RUN_FOLDER


def audit(
    folder: RUN_FOLDER,
    *,
    annotations: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="People's labels, beside those that the run holds.", show_default=False),
    ] = None,
    criterion: Annotated[str | None, typer.Option(help="Of several criteria, the one to look at.")] = None,
    epsilon: Annotated[
        float, typer.Option(help="Of the alternative annotator test: 0.2 experts, 0.15 skilled, 0.1 crowd workers.")
    ] = 0.2,
    seed: Annotated[int, typer.Option(help="Of the resamples.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Hold the panel, every judge, every rule and every person to gold and to one another. No judge is asked.

    The human ceiling, who may stand in for a person, pass rates corrected for the panel's errors, how judges lean, and
    where the panel is weak. Writes audit.json and audit.html into the run folder.
    """
    from venire.cli.derived import write_beside
    from venire.domain.identity import CriterionId
    from venire.reporting.audit_page import audit_page
    from venire.reporting.audit_text import audit_document, audit_text
    from venire.runs import read_collected, read_lengths
    from venire.tuning.audit import audit_run

    collected = read_collected(folder, annotations=annotations)
    found = audit_run(
        collected,
        criterion_id=None if criterion is None else CriterionId(criterion),
        lengths=read_lengths(folder, collected),
        epsilon=epsilon,
        seed=seed,
    )
    document = audit_document(found)
    typer.echo(document if as_json else audit_text(found), nl=not as_json)
    write_beside(folder, {"audit.json": document, "audit.html": audit_page(found)})
