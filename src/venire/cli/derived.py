"""Files that a command derives from a run, beside it."""

from collections.abc import Mapping
from pathlib import Path

import typer

from venire.errors import RunFolderError, UsageError


def write_beside(folder: Path, files: Mapping[str, str]) -> None:
    """Write files into a run folder; where it cannot be written, say so: the result has been printed already."""
    from venire.store.folder import open_existing

    run = open_existing(folder)
    try:
        for name, text in files.items():
            run.write_text(name, text)
    except RunFolderError as error:
        typer.echo(f"not written: {error}", err=True)
        return
    typer.echo(f"\nWritten into {folder}: {', '.join(files)}", err=True)


def write_file(path: Path, text: str) -> None:
    """Write a file that was asked for by name.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"{str(path)!r} could not be written: {error.strerror or error}. Name another file."
        ) from error
