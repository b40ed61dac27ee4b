"""Where the stages meet: one item is decided as the whole run is, and the event loop is never held up."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace

import pytest

import venire
from venire.domain.identity import DesignId, JudgeId
from venire.domain.judgment import Judgment
from venire.pipeline import ask_panel, decide, decide_item
from venire.ports import Provider
from venire.seating import Asking, seated
from venire.store.memory import MemoryStore

from .test_api import DESIGN, ITEMS, _hesitant, panel, say


class _Watched(Future[None]):
    def __init__(self, tell: Callable[[threading.Thread], None]) -> None:
        super().__init__()
        self.set_result(None)
        self._tell = tell

    def result(self, timeout: float | None = None) -> None:
        """Tell who waits."""
        self._tell(threading.current_thread())
        return super().result(timeout)


class _WatchedStore(MemoryStore):
    def __init__(self) -> None:
        super().__init__()
        self.waited: list[threading.Thread] = []

    def keep(self, design_id: DesignId, judgments: Sequence[Judgment]) -> Future[None]:
        """Keep, and watch who waits for it."""
        super().keep(design_id, judgments)
        return _Watched(self.waited.append)


def _asked(store: MemoryStore, design: venire.Design, providers: dict[JudgeId, Provider]) -> MemoryStore:
    asking = Asking(providers=providers)

    async def ask() -> None:
        store.keep_items(ITEMS)
        async with seated(design, asking) as seats:
            await ask_panel(ITEMS, design, store, seats, asking)

    asyncio.run(ask())
    return store


def test_nobody_waits_for_the_store_in_the_event_loop() -> None:
    store = _WatchedStore()

    _asked(store, replace(DESIGN, judges=DESIGN.judges[:1]), {JudgeId("ann"): say("correct")})

    assert store.waited
    assert threading.current_thread() not in store.waited


@pytest.mark.parametrize("tie", ["undecided", "fractional"])
@pytest.mark.parametrize("rule", ["max", "majority", "plurality", "unanimity", "mean"])
def test_an_item_is_decided_alone_as_it_is_among_all(rule: str, tie: str) -> None:
    aggregation = venire.Aggregation(rule=rule, tie=venire.TiePolicy(kind=tie))  # type: ignore[arg-type]
    design = replace(DESIGN, aggregation=aggregation)
    judges = panel("correct", "incorrect", "correct") | {"cyd": _hesitant(3)}
    store = _asked(MemoryStore(), design, {JudgeId(name): judge for name, judge in judges.items()})

    alone = [
        verdict for item in ITEMS for verdict in decide_item(store.judgments(design.asking_id, item.id), item, design)
    ]

    assert tuple(alone) == decide(store, design).verdicts
