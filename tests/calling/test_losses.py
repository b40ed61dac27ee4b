"""A judge that refuses to be asked stops; the run goes on while it has a purpose."""

from collections.abc import Sequence

import pytest

from venire.calling.events import CallEvent
from venire.domain.call import ExchangeError, Reply, Request
from venire.domain.identity import JudgeId
from venire.errors import ErrorKind, JudgeUnavailable, ProviderError

from .makers import Asked, echo, failing, make_calls, make_judge, n_completions, panel_of, run_all


def refusing(kind: ErrorKind, after: int = 0) -> Asked:
    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        if len(provider.requests) > after:
            raise ProviderError(kind, "refused", status=401)
        return await echo(request, samples)

    provider = Asked(answer)
    return provider


@pytest.mark.parametrize("kind", ["auth", "quota", "not_found", "connection", "unsupported"])
def test_the_run_goes_on_without_a_judge_that_refuses_its_first_request(kind: ErrorKind) -> None:
    good, bad, events = Asked(), refusing(kind), list[CallEvent]()
    panel = panel_of((make_judge("a"), good), (make_judge("b"), bad))

    told = run_all([*make_calls(30, "a"), *make_calls(30, "b")], panel, listen=events.append)

    assert (len(good.requests), len(bad.requests), n_completions(told), len(told)) == (30, 1, 30, 60)
    assert {one.result.kind for one in told if isinstance(one.result, ExchangeError)} == {kind}
    assert [(event.judge_id, event.message) for event in events if event.kind == "stopped"] == [("b", "refused")]


def test_few_calls_that_are_all_refused_stop_that_judge_alone() -> None:
    bad, events = refusing("bad_request"), list[CallEvent]()
    panel = panel_of((make_judge("a"), Asked()), (make_judge("b"), bad))

    told = run_all([*make_calls(2, "a"), *make_calls(2, "b")], panel, listen=events.append)

    assert (n_completions(told), len(told)) == (2, 4)
    assert [event.judge_id for event in events if event.kind == "stopped"] == ["b"]


@pytest.mark.parametrize("after", [0, 5])
@pytest.mark.parametrize("kind", ["auth", "quota"])
def test_a_single_judge_that_refuses_ends_the_run(kind: ErrorKind, after: int) -> None:
    provider = refusing(kind, after)

    with pytest.raises(JudgeUnavailable, match="Judge 'a' cannot be asked: refused"):
        run_all(make_calls(50), panel_of((make_judge(slots=1), provider)))

    assert len(provider.requests) == after + 1


def test_the_last_judge_that_refuses_ends_the_run() -> None:
    lost: list[frozenset[JudgeId]] = []

    def may_go_on(judges: frozenset[JudgeId]) -> bool:
        lost.append(judges)
        return len(judges) < 2

    panel = panel_of((make_judge("a"), failing("auth")), (make_judge("b"), failing("quota")))
    with pytest.raises(JudgeUnavailable):
        run_all([*make_calls(9, "a"), *make_calls(9, "b")], panel, may_go_on=may_go_on)

    assert [len(judges) for judges in lost] == [1, 2]
