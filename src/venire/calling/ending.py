"""Endings: why a run sends nothing further, while everything under way is still finished and kept."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from venire.calling.purse import Purse

WhyEnded = Literal["all_told", "stopped", "out_of_budget"]
"""all_told: what became of every call is known; stopped: somebody wanted it to end early; out_of_budget: the next
request could have exceeded the budget. In both of these calls are left unasked."""


@dataclass(slots=True)
class StopFlag:
    """Set `requested` to end early: calls under way are finished and stored, no further one is sent."""

    requested: bool = False


class Ending:
    """Whether the run is ending: somebody wants it to, the money is spent, or an error has to be told."""

    def __init__(self, stop: StopFlag, purse: Purse | None = None) -> None:
        self._stop = stop
        self._purse = purse
        self._error: Exception | None = None

    def is_near(self) -> bool:
        """Whether no further request may be sent."""
        return self._stop.requested or self._error is not None or self._is_out_of_budget()

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

    def why(self) -> WhyEnded:
        """Why the run ended, when no error did it."""
        if self._is_out_of_budget():
            return "out_of_budget"
        return "stopped" if self._stop.requested else "all_told"

    def _is_out_of_budget(self) -> bool:
        return self._purse is not None and self._purse.is_empty
