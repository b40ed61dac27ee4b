"""Reading again: the present reader on the completions that a run has stored; nobody is asked."""

from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from venire.ballots.read import READER_VERSION
from venire.designs.read import read_design
from venire.domain.judgment import Abstention, Failure, Judgment, Label
from venire.pipeline import decide, report_on, write_results
from venire.store.folder import open_existing
from venire.store.sqlite import open_sqlite_store
from venire.stored_draws import DrawReader, stored_draws

AT_ONCE = 500
"""Draws whose judgments are written together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Judgments that came out otherwise."""

    before: str
    """label, abstention, or the reason of a failure."""
    after: str
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reread:
    """What reading again came to."""

    n_judgments: int
    """Judgments of answered calls: all of them were read again."""
    n_changed: int
    """Those whose outcome is another now."""
    changes: tuple[Change, ...]
    reader_version: int
    n_to_ask_again: int
    """Ballots that could not be read and that the design lets be asked for again: `venire judge` would."""


def reread(folder: Path) -> Reread:
    """Read every stored completion of a run again, keep what comes out, and write the results anew.

    Raises:
        RunFolderError: the folder is no run, or another process is writing it.
    """
    run = open_existing(folder)
    design = read_design(run.design)
    changes: Counter[tuple[str, str]] = Counter()
    n_judgments = 0
    with closing(open_sqlite_store(run.store)) as store:
        draws, reader = stored_draws(store, design), DrawReader(design)
        while chunk := list(islice(draws, AT_ONCE)):
            kept: list[Judgment] = []
            for draw in chunk:
                kept += (after := reader.read(draw))
                changes.update(
                    (_kind(old), _kind(new))
                    for old, new in zip(_in_order(draw.before), _in_order(after), strict=False)
                    if old.outcome != new.outcome
                )
            n_judgments += len(kept)
            store.keep(design.asking_id, kept).result()
        decision = decide(store, design)
        report = report_on(decision, store, design)
    write_results(run, decision, report, design)
    return Reread(
        n_judgments=n_judgments,
        n_changed=changes.total(),
        changes=tuple(Change(before=old, after=new, n=n) for (old, new), n in sorted(changes.items())),
        reader_version=READER_VERSION,
        n_to_ask_again=decision.n_unasked,
    )


def _in_order(judgments: tuple[Judgment, ...]) -> list[Judgment]:
    return sorted(judgments, key=lambda judgment: judgment.criterion_id)


def _kind(judgment: Judgment) -> str:
    match judgment.outcome:
        case Label():
            return "label"
        case Abstention():
            return "abstention"
        case Failure(reason=reason):
            return reason
