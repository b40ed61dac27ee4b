"""Slots: the batches that wait for a judge, and the tasks, as many as it has slots, that ask them one after another."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable

from venire.calling.batches import Batch
from venire.calling.seat import Seat


class Slots:
    """One judge's slots. A task for each slot and not for each batch: most of the cost of a task is making it."""

    def __init__(self, seat: Seat, group: asyncio.TaskGroup, ask: Callable[[Seat, Batch], Awaitable[None]]) -> None:
        """Set up; nothing is asked yet.

        Args:
            seat: the judge.
            group: where the tasks run.
            ask: asks one batch; it raises nothing.
        """
        self._seat = seat
        self._group = group
        self._ask = ask
        self._waiting: deque[Batch] = deque()
        self._n_busy = self._n_starting = 0
        seat.when_opened(self._fill)

    def add(self, batches: Iterable[Batch]) -> None:
        """Ask these when a slot is free."""
        self._waiting.extend(batches)
        self._fill()

    def _fill(self) -> None:
        while self._n_busy < self._seat.n_open and self._n_starting < len(self._waiting):
            self._n_busy += 1
            self._n_starting += 1
            self._group.create_task(self._work())

    async def _work(self) -> None:
        # What is to be asked is taken when it can be: so it goes out in the order in which it came.
        self._n_starting -= 1
        try:
            while self._waiting:
                await self._ask(self._seat, self._waiting.popleft())
        finally:
            self._n_busy -= 1
