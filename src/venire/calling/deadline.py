"""Deadlines: all requests of a judge have the same time, so one timer watches over all that are under way."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(slots=True, kw_only=True, eq=False)
class _Watched:
    """One task that has a deadline."""

    task: "asyncio.Task[object]"
    until: float
    n_cancelled: int
    """How often it had been cancelled before."""
    is_over: bool = False


class Deadline:
    """Does what `asyncio.timeout` does, which makes a timer for each request and takes it back: 8 of the 140
    microseconds that one takes beside its HTTP (decisions/speed.md)."""

    def __init__(self, seconds: float) -> None:
        """Set up; used in one event loop."""
        self._seconds = seconds
        self._under_way: dict[_Watched, None] = {}  # the oldest first
        self._timer: asyncio.TimerHandle | None = None

    async def keep(self, work: Awaitable[T]) -> T:
        """The result of the work, which is done in this task.

        Raises:
            TimeoutError: it was not done in time, and was cancelled.
        """
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None, "a coroutine runs in a task"
        watched = _Watched(task=task, until=loop.time() + self._seconds, n_cancelled=task.cancelling())
        self._under_way[watched] = None
        if self._timer is None:
            self._timer = loop.call_at(watched.until, self._look)
        try:
            return await work
        except asyncio.CancelledError as error:
            if watched.is_over and task.cancelling() <= watched.n_cancelled + 1:
                raise TimeoutError from error
            raise  # somebody else cancelled it
        finally:
            self._under_way.pop(watched, None)
            if watched.is_over:
                task.uncancel()

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None
        for watched in list(self._under_way):
            if watched.until > loop.time():
                self._timer = loop.call_at(watched.until, self._look)
                return
            watched.is_over = True
            del self._under_way[watched]
            watched.task.cancel()
