"""A judge that keeps failing is left alone, tried with one request, and in the end given up; its calls fail at once."""

import asyncio

import pytest

from venire.calling.ask import Answered
from venire.calling.events import CallEvent
from venire.calling.retry import RetryPolicy
from venire.domain.call import ExchangeError, Reply, Request
from venire.errors import ErrorKind, ProviderError

from .makers import Asked, ask_all, echo, make_calls, make_judge, no_waits, panel_of


def _goes_down(after: int, until: int, kind: ErrorKind = "server") -> Asked:
    """A provider that answers, then fails from one request on until another."""
    n = 0

    async def answer(request: Request, samples: object) -> Reply:
        nonlocal n
        n += 1
        if after < n <= until:
            raise ProviderError(kind, "down")
        return await echo(request, samples)  # type: ignore[arg-type]

    return Asked(answer)


def _run(provider: Asked, n_calls: int, policy: RetryPolicy) -> tuple[list[Answered], list[CallEvent]]:
    events: list[CallEvent] = []
    told = asyncio.run(
        ask_all(
            make_calls(n_calls), panel_of((make_judge(slots=8), provider)), policy=policy, listen=events.append,
            may_go_on=lambda _lost: True,
        )
    )  # fmt: skip
    return told, events


@pytest.mark.parametrize("kind", ["server", "connection", "timeout", "bad_reply"])
def test_a_server_that_died_is_given_up_and_no_call_is_lost(kind: ErrorKind) -> None:
    provider = _goes_down(5, 10**6, kind)
    told, events = _run(provider, 300, no_waits())

    failed = [one for one in told if isinstance(one.result, ExchangeError)]
    assert (len(told), len(failed)) == (300, 295)
    assert len(provider.requests) < 100, "not every call may try for itself"
    assert [event.kind for event in events].count("stopped") == 1


def test_a_server_that_comes_back_answers_everything() -> None:
    provider = _goes_down(5, 20)
    told, events = _run(provider, 100, no_waits())

    assert not [one for one in told if isinstance(one.result, ExchangeError)]
    assert "paused" in {event.kind for event in events}
    assert "stopped" not in {event.kind for event in events}


def test_pauses_grow() -> None:
    waits: list[float] = []
    _run(_goes_down(5, 10**6), 60, no_waits(waits))

    policy = RetryPolicy()
    pauses = [policy.first_pause_s * 2.0**n for n in range(policy.n_pauses)]
    assert [min(pause, policy.longest_pause_s) for pause in pauses] == [w for w in waits if w in set(pauses) | {60.0}]


def test_refusals_because_of_traffic_are_a_sign_of_life() -> None:
    told, events = _run(_goes_down(5, 60, "rate_limit"), 100, no_waits())

    assert "paused" not in {event.kind for event in events}
    assert len(told) == 100
