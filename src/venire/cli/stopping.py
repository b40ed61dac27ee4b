"""Ctrl-C: the first lets calls under way finish and be stored, the second ends at once."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from venire.calling.ask import StopFlag


@contextmanager
def stop_on_interrupt() -> Iterator[StopFlag]:
    """A flag that the first interrupt (or a polite termination) sets."""
    flag = StopFlag()

    def handle(_signal: int, _frame: FrameType | None) -> None:
        if flag.requested:
            raise KeyboardInterrupt
        flag.requested = True
        # RuntimeError: the signal came while the progress was being written to the same stream.
        with suppress(OSError, RuntimeError):
            sys.stderr.write(
                "\nStopping: calls under way are finished and stored; press Ctrl-C again to end at once.\n"
            )

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield flag
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
