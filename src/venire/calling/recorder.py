"""Recording: an exchange is durable before it counts, and what became durable together wakes the event loop once."""

import asyncio
from collections import deque
from concurrent.futures import Future

from venire.domain.call import Exchange
from venire.ports import Completions


class Recorder:
    """Gives exchanges to a store and waits for them in one event loop.

    `asyncio.wrap_future` would wake the loop for each: after a commit of fifty the writer would write to the loop's
    socket fifty times, and each time let go of the interpreter's lock and wait for it again.
    """

    def __init__(self, store: Completions) -> None:
        """Set up, inside the event loop in which it will be used."""
        self._store = store
        self._loop = asyncio.get_running_loop()
        self._done: deque[tuple[asyncio.Future[None], Future[None]]] = deque()
        self._is_woken = False

    async def record(self, exchange: Exchange) -> None:
        """Return when the exchange is durable; raises what went wrong. Cancelling has no effect on the write."""
        waiter: asyncio.Future[None] = self._loop.create_future()
        self._store.record([exchange]).add_done_callback(lambda write: self._wake(waiter, write))
        await waiter

    def _wake(self, waiter: asyncio.Future[None], write: Future[None]) -> None:
        # In the store's thread. The flag can be out of date only one way, which wakes the loop once in vain:
        # `_tell` takes it back before it looks.
        self._done.append((waiter, write))
        if not self._is_woken and not self._loop.is_closed():
            self._is_woken = True
            self._loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        self._is_woken = False
        while self._done:
            waiter, write = self._done.popleft()
            if waiter.done():  # cancelled: an error stays unseen, and the store raises it when it is closed
                continue
            if write.cancelled():
                waiter.cancel()
            elif (error := write.exception()) is not None:
                waiter.set_exception(error)
            else:
                waiter.set_result(None)
