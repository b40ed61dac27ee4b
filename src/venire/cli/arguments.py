"""Arguments that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

RUN_FOLDER = Annotated[
    Path, typer.Argument(metavar="DIR", help="A run folder made by venire judge --out.", show_default=False)
]
