"""Checking a run folder: everything that is stored is derived again and compared."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from venire.ballots.read import READER_VERSION
from venire.designs.read import read_design
from venire.domain.design import Design
from venire.domain.judgment import Failure, Judgment
from venire.errors import RunFolderError, UsageError
from venire.results_check import compare_results
from venire.store.folder import RunFolder, open_existing
from venire.store.inspection import Damage, Inspected, inspect_store
from venire.store.lock import writer_of
from venire.store.sqlite import SqliteStore, open_sqlite_store
from venire.stored_draws import DrawReader, StoredDraw, stored_draws

MOST_SHOWN = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a run folder holds, and what is wrong with it."""

    n_rows: Mapping[str, int]
    """By table of the store: rows that could be read."""
    n_read_again: int
    """Judgments that were derived again from their completions."""
    damages: tuple[Damage, ...]
    notes: tuple[str, ...]
    """What is out of date or could not be compared, but is no damage."""
    writer: str
    """Who is writing the folder now; empty where nobody is."""


def check_run(folder: Path) -> Checked:
    """Check a run folder; nothing in it is changed.

    Raises:
        RunFolderError: the folder is no run folder at all, or its last rows cannot be read where it lies.
    """
    run = open_existing(folder)
    writer = writer_of(run.store)
    inspected = inspect_store(run.store)
    damages = list(inspected.damages)
    notes = [*_notes_of_store(inspected, writer)]
    n_read_again = 0
    if inspected.n_rows:
        design = _design(run, damages)
        if design is not None:
            n_read_again = _derive_again(run, design, damages, notes)
    return Checked(
        n_rows=inspected.n_rows,
        n_read_again=n_read_again,
        damages=tuple(damages),
        notes=tuple(notes),
        writer=writer,
    )


def _notes_of_store(inspected: Inspected, writer: str) -> Iterator[str]:
    if writer:
        yield f"{writer} is writing it now; what it adds meanwhile is not checked."
    if not inspected.n_rows and not inspected.damages:
        yield "The store is empty: nothing has been collected yet."
    if inspected.is_older:
        yield "The store was written by an earlier venire; venire judge or venire reread brings it up to date."
    if inspected.n_unread:
        yield (
            f"{inspected.n_unread} answers have no judgment: the run was broken off, or its items were changed since; "
            "venire judge reads those that the plan still holds, without asking again."
        )


def _design(run: RunFolder, damages: list[Damage]) -> Design | None:
    try:
        return read_design(run.design)
    except UsageError as error:
        damages.append(Damage(table="design.yaml", row=0, id="", message=str(error)))
        return None


def _derive_again(run: RunFolder, design: Design, damages: list[Damage], notes: list[str]) -> int:
    reading = _ReadingAgain(design, damages)
    try:
        with closing(open_sqlite_store(run.store, read_only=True)) as store:
            for draw in stored_draws(store, design):
                reading.take(draw)
            notes += reading.notes()
            if damages:
                notes.append("The run is damaged: its results were not compared with the store.")
            else:
                notes += _other_judgments(store, design)
                notes += compare_results(run, store, design)
    except RunFolderError as error:
        notes.append(f"The store is damaged: not everything could be derived again. {error}")
    return reading.n_read


def _other_judgments(store: SqliteStore, design: Design) -> Iterator[str]:
    n_others = store.n_judgments() - sum(1 for _ in store.judgments(design.asking_id))
    if n_others:
        yield (
            f"{n_others} judgments belong to other designs than design.yaml, or to items that the run no longer has; "
            "they were not derived again."
        )


class _ReadingAgain:
    """Compares stored judgments with what the present reader makes of their completions."""

    def __init__(self, design: Design, damages: list[Damage]) -> None:
        self._reader = DrawReader(design)
        self._damages = damages
        self._n_older = 0
        self._n_answered_later = 0
        self.n_read = 0

    def take(self, draw: StoredDraw) -> None:
        """Compare one draw."""
        try:
            again = {judgment.criterion_id: judgment for judgment in self._reader.read(draw)}
        except (LookupError, ValueError) as error:
            self._damage(draw.before[0], f"names what the design or the item does not have ({error!r})")
            return
        for judgment in draw.before:
            self.n_read += 1
            if again.get(judgment.criterion_id) == judgment:
                continue
            if judgment.reader_version != READER_VERSION:
                self._n_older += 1
            elif _says_no_reply(judgment):
                self._n_answered_later += 1
            else:
                self._damage(judgment, "its completion says otherwise")

    def notes(self) -> Iterator[str]:
        """What is no damage, but not up to date."""
        if self._n_older:
            yield (
                f"{self._n_older} judgments were read by another version of the reader than {READER_VERSION}; "
                "venire reread reads them again."
            )
        if self._n_answered_later:
            yield (
                f"{self._n_answered_later} judgments say that no reply came, and a later one is stored; "
                "venire judge or venire reread reads it."
            )

    def _damage(self, judgment: Judgment, message: str) -> None:
        what = f"judge {judgment.judge_id!r} on {judgment.criterion_id!r}: {message}"
        self._damages.append(Damage(table="judgments", row=0, id=judgment.subject.item_id, message=what))


def _says_no_reply(judgment: Judgment) -> bool:
    outcome = judgment.outcome
    return isinstance(outcome, Failure) and outcome.reason in ("timeout", "provider_error")
