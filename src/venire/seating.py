"""Seating a panel: every judge with its provider, opened before anything is asked and closed after it."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from venire.calling.ask import StopFlag
from venire.calling.events import Listener, ignore
from venire.calling.retry import RetryPolicy
from venire.datasets.recordings import read_recordings
from venire.domain.design import Design
from venire.domain.identity import JudgeId
from venire.domain.panel import Judge
from venire.errors import UsageError
from venire.ports import Provider
from venire.providers.opening import open_provider

Panel = Mapping[JudgeId, tuple[Judge, Provider]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How to ask, apart from what: everything here may change without changing an answer."""

    providers: Mapping[JudgeId, Provider] | None = None
    """Providers for some judges, instead of those that the design names (for tests and own endpoints)."""
    environment: Mapping[str, str] | None = field(default=None, repr=False)
    """Where API keys are looked up; None: the process's environment."""
    listen: Listener = ignore
    stop: StopFlag | None = None
    retry: RetryPolicy | None = None
    budget_usd: float | None = None
    """What the requests of this run may cost; None: not limited."""
    only_failures: bool = False
    """Ask only calls again that failed; those that were never asked are left."""


@asynccontextmanager
async def seated(design: Design, asking: Asking) -> AsyncIterator[Panel]:
    """The panel of a design; a missing key, model or extra is an error here, before any call.

    What is opened here is closed at the end, also when a later judge cannot be opened. Providers that were given
    belong to whoever gave them.

    Raises:
        UsageError: a provider was given for a judge that the design does not have.
        JudgeUnavailable: a judge cannot be opened.
    """
    given = asking.providers or {}
    unknown = sorted(set(given) - {judge.id for judge in design.judges})
    if unknown:
        raise UsageError(
            f"providers names {unknown!r}, but the design's judges are {[str(judge.id) for judge in design.judges]!r}"
        )
    panel: dict[JudgeId, tuple[Judge, Provider]] = {}
    async with AsyncExitStack() as stack:
        for judge in design.judges:
            provider = given.get(judge.id)
            if provider is None:
                provider = await asyncio.to_thread(_open, judge, design, asking)
                stack.push_async_callback(_close, provider)
            panel[judge.id] = (judge, provider)
        yield panel


def _open(judge: Judge, design: Design, asking: Asking) -> Provider:
    path = judge.parameter("path")
    recordings = None
    if judge.provider == "recorded" and isinstance(path, str):
        recordings = read_recordings(Path(path), rubric=design.rubric, protocol=design.protocol)
    environment = os.environ if asking.environment is None else asking.environment
    return open_provider(judge, environment=environment, recordings=recordings)


async def _close(provider: Provider) -> None:
    # Every answer is stored by now; an error here would only hide the one that ended the run.
    with contextlib.suppress(Exception):
        await provider.close()
