"""A judge that refuses to be asked stops; the run goes on with the others while it has a purpose."""

import asyncio

import pytest

from venire.calling.events import CallEvent
from venire.domain.call import Completion, ExchangeError
from venire.domain.identity import JudgeId
from venire.errors import JudgeUnavailable

from .makers import Asked, ask_all, failing, make_calls, make_judge, never, panel_of

CALLS = [*make_calls(20, "a"), *make_calls(20, "b")]


def test_the_others_are_asked_when_one_key_is_refused_and_it_is_told_once() -> None:
    refused, events = failing(*["auth"] * 50), list[CallEvent]()
    panel = panel_of((make_judge("a"), refused), (make_judge("b"), Asked()))

    told = asyncio.run(ask_all(CALLS, panel, listen=events.append))

    by_judge = {name: [one.result for one in told if one.call.judge_id == name] for name in ("a", "b")}
    assert all(isinstance(result, ExchangeError) and result.kind == "auth" for result in by_judge["a"])
    assert all(isinstance(result, Completion) for result in by_judge["b"])
    assert (len(by_judge["a"]), len(by_judge["b"]), len(refused.requests)) == (20, 20, 1)
    assert [(event.kind, event.judge_id) for event in events if event.kind == "stopped"] == [("stopped", "a")]


def test_a_run_without_a_purpose_ends_with_the_reason() -> None:
    refused = failing(*["auth"] * 50)
    panel = panel_of((make_judge("a"), refused), (make_judge("b"), Asked()))

    with pytest.raises(JudgeUnavailable, match="Judge 'a' cannot be asked"):
        asyncio.run(ask_all(CALLS, panel, may_go_on=never))

    assert len(refused.requests) == 1


def test_the_last_judge_takes_the_purpose_with_it() -> None:
    panel = panel_of((make_judge("a"), failing(*["auth"] * 9)), (make_judge("b"), failing(*["quota"] * 9)))

    with pytest.raises(JudgeUnavailable):
        asyncio.run(ask_all(CALLS, panel))


def test_who_may_go_is_asked_with_all_that_are_lost() -> None:
    asked: list[frozenset[JudgeId]] = []

    def may_go_on(lost: frozenset[JudgeId]) -> bool:
        asked.append(lost)
        return len(lost) < 3

    panel = panel_of(*((make_judge(name), failing(*["auth"] * 9)) for name in "ab"), (make_judge("c"), Asked()))
    asyncio.run(ask_all([*CALLS, *make_calls(3, "c")], panel, may_go_on=may_go_on))

    assert sorted(map(len, asked)) == [1, 2]
