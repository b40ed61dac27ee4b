"""The folder of one run: which file lies where, and how files are put there whole."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from venire.errors import RunFolderError

STORE = "store.sqlite"
"""The file that makes a folder a run folder."""

VERDICTS_JSONL = "results/verdicts.jsonl"
VERDICTS_PARQUET = "results/verdicts.parquet"
REPORT_JSON = "results/report.json"
REPORT_HTML = "report.html"
FULL_REPORT_HTML = "full-report.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFolder:
    """Where the files of a run are; `create` or `open_existing` makes one."""

    path: Path

    @property
    def design(self) -> Path:
        """The design as it was run."""
        return self.path / "design.yaml"

    @property
    def store(self) -> Path:
        """The facts."""
        return self.path / STORE

    @property
    def verdicts_jsonl(self) -> Path:
        """One verdict a line."""
        return self.path / VERDICTS_JSONL

    @property
    def verdicts_parquet(self) -> Path:
        """The same as a table with a type for each column."""
        return self.path / VERDICTS_PARQUET

    @property
    def report_json(self) -> Path:
        """Every figure of the report."""
        return self.path / REPORT_JSON

    @property
    def report_html(self) -> Path:
        """The report for people."""
        return self.path / REPORT_HTML

    def write_text(self, name: str, text: str) -> Path:
        """Write a file of the folder, whole or not at all; `name` is relative to it.

        Lone surrogates, which no file can hold, are written as `\\udcxx`: what JSON calls them too.

        Raises:
            RunFolderError: it cannot be written; what was there before is still there.
        """
        with self.replacing(name) as draft:
            draft.write_bytes(text.encode("utf-8", "backslashreplace"))
        return self.path / name

    @contextmanager
    def replacing(self, name: str) -> Iterator[Path]:
        """A path to write to, which takes the place of the file `name` when the block ends well.

        Raises:
            RunFolderError: it cannot be written; what was there before is still there.
        """
        target = self.path / name
        draft = target.with_name(f".{target.name}.{os.getpid()}.draft")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            yield draft
            _sync(draft)
            draft.replace(target)
            if os.name == "posix":  # elsewhere folders cannot be synced
                _sync(target.parent)
        except OSError as error:
            raise RunFolderError(
                f"The file {str(target)!r} cannot be written: {_reason(error)}. "
                "Check the space on the disk and the permissions of the run folder; what was there before is unchanged."
            ) from error
        finally:
            if draft.exists():
                draft.unlink()


def create(path: Path) -> RunFolder:
    """Make a run folder, or take one that is there already.

    Raises:
        RunFolderError: a file is in the way, the folder holds other things, or it cannot be written.
    """
    folder = RunFolder(path=path)
    try:
        if path.exists() and not path.is_dir():
            raise RunFolderError(f"{str(path)!r} is a file; a run needs a folder. Name another, or move the file away.")
        path.mkdir(parents=True, exist_ok=True)
        names = sorted(entry.name for entry in path.iterdir())
        if names and STORE not in names:
            shown = ", ".join(repr(name) for name in names[:3]) + (", …" if len(names) > 3 else "")
            raise RunFolderError(
                f"The folder {str(path)!r} holds other things ({shown}) and is no run folder, which has a {STORE!r}. "
                "Name a new or an empty folder."
            )
        with folder.store.open("ab"):  # marks the folder from the first moment; an empty file is an empty store
            pass
    except (OSError, ValueError) as error:
        raise RunFolderError(
            f"The run folder {str(path)!r} cannot be made or written: {_reason(error)}. "
            "Check its permissions, or name a folder where you may write."
        ) from error
    return folder


def open_existing(path: Path) -> RunFolder:
    """The run folder at a path.

    Raises:
        RunFolderError: there is none.
    """
    folder = RunFolder(path=path)
    try:
        is_there, is_run = path.exists(), folder.store.is_file()
    except (OSError, ValueError) as error:
        raise RunFolderError(
            f"The run folder {str(path)!r} cannot be read: {_reason(error)}. Check its permissions."
        ) from error
    if not is_there:
        raise RunFolderError(f"There is no folder {str(path)!r}; name the folder of a run (`venire judge` makes one).")
    if not is_run:
        raise RunFolderError(
            f"{str(path)!r} is not a run folder: there is no {STORE!r} in it. "
            "Name the folder of a run (`venire judge` makes one)."
        )
    return folder


def _reason(error: OSError | ValueError) -> str:
    strerror = error.strerror if isinstance(error, OSError) else None
    return strerror or str(error)


def _sync(path: Path) -> None:
    # Windows syncs only what is open for writing.
    descriptor = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
