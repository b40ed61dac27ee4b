"""A run opened in its folder, to derive from it; no judge is asked."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from venire.designs.read import read_design
from venire.domain.aggregation import RuleName
from venire.domain.design import Design
from venire.ports import Store
from venire.store.folder import open_existing
from venire.store.sqlite import open_sqlite_store


@contextmanager
def opened_run(folder: Path, *, rule: RuleName | None = None) -> Iterator[tuple[Design, Store]]:
    """The run's design, perhaps with another rule, and its store; also while judges are still being asked.

    Raises:
        RunFolderError: there is no run in this folder, or it cannot be read.
        DesignError: its design cannot be read.
    """
    run = open_existing(folder)
    design = read_design(run.design)
    if rule is not None:
        design = replace(design, aggregation=replace(design.aggregation, rule=rule))
    with closing(open_sqlite_store(run.store, read_only=True)) as store:
        yield design, store
