"""Seating: what venire opened it closes, whatever went wrong, and what it was given stays open."""

import asyncio
from collections.abc import Callable, Mapping

import pytest

from venire.domain.identity import JudgeId
from venire.domain.panel import Judge
from venire.errors import JudgeUnavailable
from venire.ports import Provider
from venire.providers.scripted import Scripted
from venire.seating import Asking, seated

from .test_api import DESIGN, say


class _Stubborn(Scripted):
    async def close(self) -> None:
        """Close, and complain about it."""
        await super().close()
        raise OSError("the connection was gone already")


def _stubborn() -> _Stubborn:
    return _Stubborn(lambda _request, _sample: "{}")


def _opening(known: Mapping[str, Provider]) -> Callable[..., Provider]:
    def open_provider(judge: Judge, **_given: object) -> Provider:
        if judge.id not in known:
            raise JudgeUnavailable(f"Judge {judge.id!r} is not there")
        return known[judge.id]

    return open_provider


def _sit(asking: Asking | None = None, error: Exception | None = None) -> None:
    async def sit() -> None:
        async with seated(DESIGN, asking or Asking()):
            if error is not None:
                raise error

    asyncio.run(sit())


@pytest.mark.parametrize("make", [lambda: say("correct"), _stubborn])
def test_what_was_opened_before_a_judge_that_is_not_there_is_closed(
    make: Callable[[], Scripted], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = make()
    monkeypatch.setattr("venire.seating.open_provider", _opening({"ann": ann}))

    with pytest.raises(JudgeUnavailable, match="'bob' is not there"):
        _sit()

    assert ann.closed


def test_an_error_on_closing_does_not_hide_the_one_that_ended_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = {name: _stubborn() for name in ("ann", "bob", "cyd")}
    monkeypatch.setattr("venire.seating.open_provider", _opening(opened))

    with pytest.raises(ValueError, match="the real one"):
        _sit(error=ValueError("the real one"))

    assert all(provider.closed for provider in opened.values())


def test_only_what_was_opened_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    given, opened = say("correct"), {name: say("correct") for name in ("bob", "cyd")}
    monkeypatch.setattr("venire.seating.open_provider", _opening(opened))

    _sit(Asking(providers={JudgeId("ann"): given}))

    assert not given.closed
    assert all(provider.closed for provider in opened.values())
