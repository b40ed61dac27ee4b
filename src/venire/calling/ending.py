"""Endings: why a run sends nothing further, while everything under way is still finished and kept."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class StopFlag:
    """Set `requested` to end early: calls under way are finished and stored, no further one is sent."""

    requested: bool = False


class Ending:
    """Whether the run is ending: somebody wants it to, or an error has to be told."""

    def __init__(self, stop: StopFlag) -> None:
        self._stop = stop
        self._error: Exception | None = None

    def is_near(self) -> bool:
        """Whether no further request may be sent."""
        return self._stop.requested or self._error is not None

    @contextmanager
    def on_error(self) -> Iterator[None]:
        """Let an error of the block end the run, not the paid calls beside it; `raise_error` raises it."""
        try:
            yield
        except Exception as error:
            self._error = self._error or error

    def raise_error(self) -> None:
        """Raise the first error that ended the run, if one did."""
        if self._error is not None:
            raise self._error
