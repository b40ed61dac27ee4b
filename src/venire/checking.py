"""Checking a run folder: everything that is stored is derived again and compared."""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from venire.ballots.read import READER_VERSION
from venire.designs.read import read_design
from venire.domain.design import Design
from venire.errors import UsageError
from venire.pipeline import decide
from venire.store.folder import RunFolder, open_existing
from venire.store.inspection import Damage, inspect_store
from venire.store.results import verdict_record
from venire.store.sqlite import SqliteStore, open_sqlite_store
from venire.stored_draws import stored_draws

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


def check_run(folder: Path) -> Checked:
    """Check a run folder; nothing in it is changed.

    Raises:
        RunFolderError: the folder is no run folder at all.
    """
    run = open_existing(folder)
    inspected = inspect_store(run.store)
    damages, notes = list(inspected.damages), list[str]()
    n_read_again = 0
    design = _design(run, damages)
    if inspected.is_older:
        notes.append("The store was written by an earlier venire; venire judge or venire reread brings it up to date.")
    elif damages or design is None:
        notes.append("The store or the design is damaged: judgments and results were not derived again.")
    else:
        with closing(open_sqlite_store(run.store, read_only=True)) as store:
            n_read_again = _read_again(store, design, damages, notes)
            notes += _compare_results(run, store, design)
    return Checked(n_rows=inspected.n_rows, n_read_again=n_read_again, damages=tuple(damages), notes=tuple(notes))


def _design(run: RunFolder, damages: list[Damage]) -> Design | None:
    try:
        return read_design(run.design)
    except UsageError as error:
        damages.append(Damage(table="design.yaml", row=0, id="", message=str(error)))
        return None


def _read_again(store: SqliteStore, design: Design, damages: list[Damage], notes: list[str]) -> int:
    n_read = n_older = 0
    for draw in stored_draws(store, design):
        again = {judgment.criterion_id: judgment for judgment in draw.after}
        for judgment in draw.before:
            n_read += 1
            if judgment.reader_version != READER_VERSION:
                n_older += 1
            elif again.get(judgment.criterion_id) != judgment:
                message = f"judge {judgment.judge_id!r} on {judgment.criterion_id!r}: its completion says otherwise"
                damages.append(Damage(table="judgments", row=0, id=judgment.subject.item_id, message=message))
    if n_older:
        notes.append(
            f"{n_older} judgments were read by another version of the reader than {READER_VERSION}; "
            "venire reread reads them again."
        )
    return n_read


def _compare_results(run: RunFolder, store: SqliteStore, design: Design) -> Iterator[str]:
    if not run.verdicts_jsonl.exists():
        yield "results/verdicts.jsonl is not there: the run has not ended yet."
        return
    decision = decide(store, design)
    by_id = {item.id: item for item in decision.items}
    derived = [verdict_record(verdict, by_id.get(verdict.subject.item_id)) for verdict in decision.verdicts]
    try:
        with run.verdicts_jsonl.open(encoding="utf-8") as lines:
            written = [json.loads(line) for line in lines]
    except (OSError, ValueError) as error:
        yield f"results/verdicts.jsonl cannot be read ({error}); run venire judge again to write it anew."
        return
    if written != json.loads(json.dumps(derived)):
        yield "results/verdicts.jsonl is not what the store gives now; venire judge or venire reread writes it anew."
