"""The first interrupt sets a flag, the second ends; a stderr that cannot be written hinders neither."""

import io
import os
import signal
import sys

import pytest

from venire.cli.stopping import stop_on_interrupt


class BrokenStream(io.StringIO):
    """A stream whose other end is gone, or that is being written to when the signal comes."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def write(self, _text: str) -> int:
        """Fail."""
        raise self.error


def _interrupt(times: int = 1) -> None:
    for _ in range(times):
        os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("error", [BrokenPipeError(), RuntimeError("reentrant call inside <_io.BufferedWriter>")])
def test_the_first_interrupt_asks_to_stop_though_nobody_reads_it(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched, stop_on_interrupt() as stop:
        patched.setattr(sys, "stderr", BrokenStream(error))
        _interrupt()

    assert stop.requested


def test_the_second_interrupt_ends_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), stop_on_interrupt():
        _interrupt(times=2)


def test_afterwards_an_interrupt_means_what_it_meant_before() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with stop_on_interrupt():
        assert signal.getsignal(signal.SIGINT) != before[0]

    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
