"""Why a run sends nothing further."""

import asyncio

import pytest

from venire.calling.ending import Ending, StopFlag


def test_a_run_ends_when_somebody_wants_it_to() -> None:
    flag = StopFlag()
    ending = Ending(flag)
    assert not ending.is_near()

    flag.requested = True

    assert ending.is_near()
    ending.raise_error()


def test_the_first_error_is_the_one_that_is_raised() -> None:
    ending = Ending(StopFlag())
    for words in ("first", "second"):
        with ending.on_error():
            raise ValueError(words)

    assert ending.is_near()
    with pytest.raises(ValueError, match="first"):
        ending.raise_error()


@pytest.mark.parametrize("kind", [asyncio.CancelledError, KeyboardInterrupt, SystemExit])
def test_cancellation_and_exit_pass_through(kind: type[BaseException]) -> None:
    with pytest.raises(kind), Ending(StopFlag()).on_error():
        raise kind
