"""The library's front door: judge items with a panel, from plain code, a notebook or a server."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from venire.calling.ask import StopFlag
from venire.calling.events import Listener, ignore
from venire.domain.annotation import Annotation
from venire.domain.design import Design
from venire.domain.identity import ItemId, JudgeId
from venire.domain.item import Item
from venire.domain.verdict import Verdict
from venire.pipeline import Asking, Decision, ask_panel, check, decide, write_results
from venire.ports import Provider, Store
from venire.reporting.report import Report

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What judging came to."""

    decision: Decision
    folder: Path | None
    """Where the run is kept; None: only in memory, and gone with the process."""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The panel's decision on every subject and criterion."""
        return self.decision.verdicts

    @property
    def report(self) -> Report:
        """The same figures as the summary on the terminal."""
        return self.decision.report


def judge(
    items: Path | str | Sequence[Item],
    design: Path | str | Design,
    *,
    out: Path | str | None = None,
    annotations: Path | str | Sequence[Annotation] = (),
    **options: Any,
) -> Run:
    """Judge items with the panel of a design. Also works where an event loop is running already.

    Args:
        items: a JSONL or CSV file, or the items themselves.
        design: a design file, or the design itself.
        out: the run folder. Running again with the same folder asks only what has no answer yet.
        annotations: a file of people's labels, or the labels themselves; gold inside an item file counts too.
        options: as for `ajudge`.

    Raises:
        UsageError: a mistake in design, items, keys or addresses; nothing already answered is lost.
    """
    return _run_anywhere(ajudge(items, design, out=out, annotations=annotations, **options))


async def ajudge(
    items: Path | str | Sequence[Item],
    design: Path | str | Design,
    *,
    out: Path | str | None = None,
    annotations: Path | str | Sequence[Annotation] = (),
    providers: Mapping[str, Provider] | None = None,
    environment: Mapping[str, str] | None = None,
    listen: Listener = ignore,
    stop: StopFlag | None = None,
    seed: int = 0,
) -> Run:
    """The async twin of `judge`.

    Args:
        items: as for `judge`.
        design: as for `judge`.
        out: as for `judge`.
        annotations: as for `judge`.
        providers: a provider for some judges by id, in place of the one that the design names.
        environment: where API keys are looked up; by default the process's environment.
        listen: told of every answered, failed and retried call.
        stop: set its `requested` to end early; calls under way are finished and kept.
        seed: for the bootstrap intervals.
    """
    inputs = load_inputs(items, design, annotations)
    warnings = check(inputs.items, inputs.design)
    asking = Asking(
        providers=None if providers is None else {JudgeId(name): given for name, given in providers.items()},
        environment=environment,
        listen=listen,
        stop=stop,
    )
    with closing(_open_store(out, inputs)) as store:
        await ask_panel(inputs.items, inputs.design, store, asking)
        decision = await asyncio.to_thread(decide, store, inputs.design, seed=seed, warnings=warnings)
    if out is not None:
        from venire.store.folder import open_existing

        write_results(open_existing(Path(out)), decision, inputs.design)
    return Run(decision=decision, folder=None if out is None else Path(out))


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Items, design and annotations, read and checked."""

    items: Sequence[Item]
    design: Design
    annotations: Sequence[Annotation]
    notes: tuple[str, ...] = field(default=())
    """What the reader of the files noticed."""


def load_inputs(
    items: Path | str | Sequence[Item],
    design: Path | str | Design,
    annotations: Path | str | Sequence[Annotation] = (),
    *,
    skip_bad_items: bool = False,
    limit: int | None = None,
) -> Inputs:
    """Read what is given as files; every bad row is listed before anything is asked."""
    from venire.datasets.annotations import read_annotations
    from venire.datasets.items import read_items
    from venire.designs.read import read_design

    plan = design if isinstance(design, Design) else read_design(Path(design))
    people: list[Annotation] = []
    notes: list[str] = []
    left_out: frozenset[ItemId] = frozenset()
    if isinstance(items, Path | str):
        read = read_items(Path(items), protocol=plan.protocol, rubric=plan.rubric, skip_bad=skip_bad_items, limit=limit)
        items = read.items
        people += read.annotations
        left_out = read.left_out
        notes += read.notes
        if read.problems:
            notes.append(f"{len(read.problems)} problems: the bad items were left out. The first: {read.problems[0]}")
    if isinstance(annotations, Path | str):
        by_id = {item.id: item for item in items}
        annotations = read_annotations(
            Path(annotations), by_id, protocol=plan.protocol, rubric=plan.rubric, left_out=left_out
        )
    return Inputs(items=items, design=plan, annotations=(*people, *annotations), notes=tuple(notes))


def _open_store(out: Path | str | None, inputs: Inputs) -> Store:
    from venire.store.memory import MemoryStore

    store: Store
    if out is None:
        store = MemoryStore()
    else:
        from venire.designs.write import design_yaml
        from venire.store.folder import create
        from venire.store.sqlite import open_sqlite_store

        folder = create(Path(out))
        store = open_sqlite_store(folder.store)
        folder.write_text("design.yaml", design_yaml(inputs.design))
    store.keep_items(inputs.items)
    store.keep_annotations(inputs.annotations)
    return store


def _run_anywhere(coroutine: Coroutine[Any, Any, T]) -> T:
    # asyncio.run refuses to start inside a running loop (notebooks, servers): a thread of its own has none.
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    with ThreadPoolExecutor(1, thread_name_prefix="venire-judge") as thread:
        return thread.submit(asyncio.run, coroutine).result()


__all__ = ["Inputs", "Run", "ajudge", "judge", "load_inputs"]
