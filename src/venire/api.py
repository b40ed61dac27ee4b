"""The library's front door: judge items with a panel, from plain code, a notebook or a server."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from venire.calling.ask import StopFlag
from venire.calling.ending import WhyEnded
from venire.calling.events import CallEvent, Listener, ignore
from venire.decision import Decision
from venire.designs.write import design_yaml
from venire.domain.annotation import Annotation
from venire.domain.design import Design
from venire.domain.identity import JudgeId
from venire.domain.item import Item
from venire.domain.verdict import Verdict
from venire.errors import UsageError
from venire.inputs import Inputs, load_inputs
from venire.pipeline import ask_panel, check, decide, report_on, write_results
from venire.ports import Provider, Store
from venire.pricing import check_budget
from venire.reporting.report import Report
from venire.seating import Asking, seated
from venire.store.folder import create, open_existing
from venire.store.memory import MemoryStore
from venire.store.sqlite import open_sqlite_store

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Run:
    """What judging came to."""

    decision: Decision
    report: Report
    """The same figures as the summary on the terminal."""
    folder: Path | None
    """Where the run is kept; None: only in memory, and gone with the process."""
    ended: WhyEnded = "all_told"
    """Why nothing further was asked: everything had been, somebody wanted an end, or the budget was spent."""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The panel's decision on every subject and criterion."""
        return self.decision.verdicts

    def __repr__(self) -> str:
        # Short: asyncio writes a task's result out when it ends (CPython 3.11), and notebooks show it.
        return f"Run({len(self.verdicts)} verdicts on {len(self.decision.items)} items, folder={str(self.folder)!r})"


def judge(
    items: Path | str | Iterable[Item],
    design: Path | str | Design,
    *,
    out: Path | str | None = None,
    annotations: Path | str | Iterable[Annotation] = (),
    limit: int | None = None,
    skip_bad_items: bool = False,
    providers: Mapping[str, Provider] | None = None,
    environment: Mapping[str, str] | None = None,
    listen: Listener = ignore,
    warn: Callable[[str], None] = lambda _: None,
    stop: StopFlag | None = None,
    budget_usd: float | None = None,
    retry_failures: bool = False,
    seed: int = 0,
) -> Run:
    """Judge items with the panel of a design. Also works where an event loop is running already.

    Args:
        items: a JSONL or CSV file, or the items themselves.
        design: a design file, or the design itself.
        out: the run folder. Running again with the same folder asks only what has no answer yet.
        annotations: a file of people's labels, or the labels themselves; gold inside an item file counts too.
        limit: judge only the first so many items.
        skip_bad_items: go on without items of the file that cannot be read; the run's warnings count them.
        providers: a provider for some judges by id, in place of the one that the design names; they are not closed.
        environment: where API keys are looked up; by default the process's environment.
        listen: told of every answered, failed and retried call.
        warn: told every warning before anything is asked; the report holds them, too.
        stop: set its `requested` to end early; calls under way are finished and kept.
        budget_usd: what this run's requests may cost; it ends before it would exceed that, and keeps everything.
        retry_failures: ask only calls again that failed before, and leave those that were never asked.
        seed: for the bootstrap intervals.

    Raises:
        UsageError: a mistake in design, items, keys or addresses; nothing already answered is lost.
    """
    stop = stop or StopFlag()
    judging = ajudge(
        items,
        design,
        out=out,
        annotations=annotations,
        limit=limit,
        skip_bad_items=skip_bad_items,
        providers=providers,
        environment=environment,
        listen=listen,
        warn=warn,
        stop=stop,
        budget_usd=budget_usd,
        retry_failures=retry_failures,
        seed=seed,
    )
    return _run_anywhere(judging, stop)


async def ajudge(
    items: Path | str | Iterable[Item],
    design: Path | str | Design,
    *,
    out: Path | str | None = None,
    annotations: Path | str | Iterable[Annotation] = (),
    limit: int | None = None,
    skip_bad_items: bool = False,
    providers: Mapping[str, Provider] | None = None,
    environment: Mapping[str, str] | None = None,
    listen: Listener = ignore,
    warn: Callable[[str], None] = lambda _: None,
    stop: StopFlag | None = None,
    budget_usd: float | None = None,
    retry_failures: bool = False,
    seed: int = 0,
) -> Run:
    """The async twin of `judge`, with the same arguments; nothing in it blocks the event loop."""
    inputs = await asyncio.to_thread(
        load_inputs, items, design, annotations, skip_bad_items=skip_bad_items, limit=limit
    )
    asking = Asking(
        providers=_by_id(providers),
        environment=environment,
        listen=listen,
        stop=stop or StopFlag(),
        budget_usd=budget_usd,
        only_failures=retry_failures,
    )
    return await _judge(inputs, out, asking, warn, seed)


def judge_inputs(inputs: Inputs, *, out: Path | None, asking: Asking, warn: Callable[[str], None]) -> Run:
    """As `judge`, for inputs that have been read already."""
    stop = asking.stop or StopFlag()
    return _run_anywhere(_judge(inputs, out, replace(asking, stop=stop), warn, seed=0), stop)


async def _judge(inputs: Inputs, out: Path | str | None, asking: Asking, warn: Callable[[str], None], seed: int) -> Run:
    stopped: list[str] = []
    heard = replace(asking, listen=lambda event: _hear(event, asking.listen, stopped))
    async with _collected(inputs, out, heard, warn) as (store, warnings, ended):
        decision = await asyncio.to_thread(decide, store, inputs.design)
        report = await asyncio.to_thread(
            report_on, decision, store, inputs.design, seed=seed, warnings=(*inputs.notes, *warnings, *stopped)
        )
    if out is not None:
        await asyncio.to_thread(write_results, open_existing(Path(out)), decision, report, inputs.design)
    return Run(decision=decision, report=report, folder=None if out is None else Path(out), ended=ended)


def collect(
    items: Path | str | Iterable[Item],
    design: Path | str | Design,
    *,
    out: Path | str,
    annotations: Path | str | Iterable[Annotation] = (),
    limit: int | None = None,
    skip_bad_items: bool = False,
    providers: Mapping[str, Provider] | None = None,
    environment: Mapping[str, str] | None = None,
    listen: Listener = ignore,
    warn: Callable[[str], None] = lambda _: None,
    stop: StopFlag | None = None,
) -> Path:
    """Ask and keep every judgment in a run folder, and decide nothing; memory does not grow with the calls.

    Everything else is derived from the folder later: `venire verdicts`, `venire show`, or `judge` with the same
    folder, which then asks nothing. The arguments are those of `judge`; returns the folder.
    """
    stop = stop or StopFlag()
    asking = Asking(providers=_by_id(providers), environment=environment, listen=listen, stop=stop)

    async def collecting() -> Path:
        inputs = await asyncio.to_thread(
            load_inputs, items, design, annotations, skip_bad_items=skip_bad_items, limit=limit
        )
        async with _collected(inputs, out, asking, warn):
            return Path(out)

    return _run_anywhere(collecting(), stop)


def _hear(event: CallEvent, listen: Listener, stopped: list[str]) -> None:
    if event.kind == "stopped":
        stopped.append(f"Judge {event.judge_id} was asked nothing further: {event.message}")
    listen(event)


@asynccontextmanager
async def _collected(
    inputs: Inputs, out: Path | str | None, asking: Asking, warn: Callable[[str], None]
) -> AsyncIterator[tuple[Store, tuple[str, ...], WhyEnded]]:
    """The store with all judgments, the plan's warnings, and why asking ended.

    A run that cannot start leaves the folder as it was.
    """
    if asking.only_failures and out is None:
        raise UsageError("retry_failures asks again what failed in a run folder; name the folder with out.")
    warnings = await asyncio.to_thread(check, inputs.items, inputs.design)
    if asking.budget_usd is not None:
        await asyncio.to_thread(check_budget, asking.budget_usd, inputs.design)
    for warning in (*inputs.notes, *warnings):
        warn(warning)
    async with seated(inputs.design, asking) as panel:
        store = await asyncio.to_thread(_open_store, out)
        # While the first requests are under way, which do not need them: the start of a run is then a tenth shorter.
        keeping = asyncio.create_task(asyncio.to_thread(_keep_inputs, store, inputs, out, asking.stop))
        try:
            if asking.only_failures:
                await keeping
            ended = await ask_panel(inputs.items, inputs.design, store, panel, asking)
            await keeping
            yield store, warnings, ended
        finally:
            await asyncio.wait([keeping])
            await asyncio.to_thread(store.close)


def _open_store(out: Path | str | None) -> Store:
    return MemoryStore() if out is None else open_sqlite_store(create(Path(out)).store)


def _keep_inputs(store: Store, inputs: Inputs, out: Path | str | None, stop: StopFlag | None) -> None:
    try:
        if out is not None:
            open_existing(Path(out)).write_text("design.yaml", design_yaml(inputs.design))
        store.keep_items(inputs.items)
        store.keep_annotations(inputs.annotations)
    except BaseException:
        if stop is not None:  # a run whose items cannot be kept asks nothing further
            stop.requested = True
        raise


def _by_id(providers: Mapping[str, Provider] | None) -> Mapping[JudgeId, Provider] | None:
    return None if providers is None else {JudgeId(name): given for name, given in providers.items()}


def _run_anywhere(coroutine: Coroutine[Any, Any, T], stop: StopFlag) -> T:
    # A second loop refuses to start inside a running one (notebooks, servers): a thread of its own has none.
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(coroutine)
    with ThreadPoolExecutor(1, thread_name_prefix="venire-judge") as thread:
        judging = thread.submit(_run, coroutine)
        try:
            return judging.result()
        except BaseException:
            # An interrupt reaches this thread alone: the other must be told, or it would judge to the end.
            stop.requested = True
            raise


def _run(coroutine: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        return runner.run(coroutine)


def _new_loop() -> asyncio.AbstractEventLoop:
    # For our own loop alone: whoever awaits `ajudge` keeps theirs. uvloop does not exist for Windows.
    try:
        from uvloop import new_event_loop
    except ImportError:
        return asyncio.new_event_loop()
    return new_event_loop()


__all__ = ["Inputs", "Run", "ajudge", "collect", "judge", "judge_inputs", "load_inputs"]
