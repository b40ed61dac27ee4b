"""Recording: an exchange is durable before it counts; what ends in one turn of the event loop is stored together."""

import asyncio
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from venire.domain.call import Exchange
from venire.ports import Completions


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An exchange, and who waits until it is durable."""

    exchange: Exchange
    waiter: "asyncio.Future[None]"


class Recorder:
    """Gives exchanges to a store and waits for them in one event loop.

    `asyncio.wrap_future` would wake the loop for each: after a commit of fifty the writer would write to the loop's
    socket fifty times, and each time let go of the interpreter's lock and wait for it again. Nor has each exchange a
    write of its own: those that end in the same turn of the loop share one.
    """

    def __init__(self, store: Completions) -> None:
        """Set up, inside the event loop in which it will be used."""
        self._store = store
        self._loop = asyncio.get_running_loop()
        self._held: list[_Waiting] = []
        self._done: deque[tuple[Sequence[_Waiting], Future[None]]] = deque()
        self._is_woken = False

    async def record(self, exchange: Exchange) -> None:
        """Return when the exchange is durable; raises what went wrong. Cancelling has no effect on the write."""
        waiter: asyncio.Future[None] = self._loop.create_future()
        self._held.append(_Waiting(exchange, waiter))
        if len(self._held) == 1:
            self._loop.call_soon(self._hand_over)
        await waiter

    def _hand_over(self) -> None:
        held, self._held = self._held, []
        self._write(held)

    def _write(self, held: Sequence[_Waiting]) -> None:
        try:
            write = self._store.record([each.exchange for each in held])
        except Exception as error:
            _fail(held, error)
        else:
            write.add_done_callback(lambda done: self._wake(held, done))

    def _wake(self, held: Sequence[_Waiting], write: Future[None]) -> None:
        # In the store's thread. The flag can be out of date only one way, which wakes the loop once in vain:
        # `_tell` takes it back before it looks.
        self._done.append((held, write))
        if not self._is_woken and not self._loop.is_closed():
            self._is_woken = True
            self._loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        self._is_woken = False
        while self._done:
            held, write = self._done.popleft()
            error = write.exception()
            if error is None:
                for each in held:
                    if not each.waiter.done():
                        each.waiter.set_result(None)
            elif len(held) > 1:  # each alone, so that one that cannot be kept does not take the others with it
                for each in held:
                    self._write([each])
            else:
                _fail(held, error)


def _fail(held: Sequence[_Waiting], error: BaseException) -> None:
    for each in held:
        if not each.waiter.done():
            each.waiter.set_exception(error)
