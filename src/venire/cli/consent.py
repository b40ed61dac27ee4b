"""Consent: a run that may cost more than somebody is ready to pay unasked is asked about first."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from venire.errors import UsageError

if TYPE_CHECKING:
    from venire.inputs import Inputs


def ask_consent(inputs: "Inputs", out: Path, above_usd: float) -> bool:
    """Whether to go on: yes where the run will stay below the limit, else as the person at the terminal says.

    The upper end of the estimated range counts; a cost that is not known counts as above every limit.

    Raises:
        UsageError: nobody can be asked, because this is no terminal.
    """
    from venire.cli.plan import cost_in_words
    from venire.pipeline import check
    from venire.runs import estimate

    check(inputs.items, inputs.design)
    plan = estimate(inputs.items, inputs.design, out)
    if plan.usd.high <= above_usd and not plan.n_unpriced:
        return True
    words = f"This run's {cost_in_words(plan)}; --confirm-above-usd is {above_usd:g}"
    if not sys.stdin.isatty():
        raise UsageError(f"{words}, and nobody can be asked here. Add --yes to go on; nothing was asked.")
    typer.echo(f"{words}.", err=True)
    return typer.confirm("Go on?", err=True)
