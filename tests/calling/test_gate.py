"""Judges that share a key go through one gate: its limits, its width, its rests, and each judge in turn."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from venire.calling.gate import N_REFUSALS_TO_REST
from venire.calling.keys import share_gates
from venire.calling.retry import RetryPolicy
from venire.domain.call import Reply, Request
from venire.domain.headroom import Allowance, RateHeadroom
from venire.domain.identity import JudgeId
from venire.domain.panel import Judge
from venire.errors import ProviderError

from .makers import Asked, echo, make_calls, make_judge, n_completions, panel_of, run_all, words_of


class Time:
    """Seconds that pass only where somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def policy(self) -> RetryPolicy:
        return RetryPolicy(sleep=self.sleep, clock=lambda: self.now)

    async def sleep(self, seconds: float) -> None:
        until = self.now + seconds
        await asyncio.sleep(0.001)
        self.now = max(self.now, until)


def noting(time: Time) -> tuple[Asked, list[float]]:
    sent: list[float] = []

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        sent.append(time.now)
        return await echo(request, samples)

    return Asked(answer), sent


def test_a_declared_limit_of_requests_holds_in_every_minute() -> None:
    time = Time()
    provider, sent = noting(time)
    judge = replace(make_judge(slots=10), requests_per_minute=5)

    told = run_all(make_calls(13), panel_of((judge, provider)), policy=time.policy())

    assert n_completions(told) == 13
    assert all(later - earlier >= 59.99 for earlier, later in zip(sent, sent[5:], strict=False))


def test_a_declared_limit_of_tokens_is_kept_by_what_was_really_used() -> None:
    time = Time()
    provider, sent = noting(time)
    judge = replace(make_judge(slots=1), tokens_per_minute=33)  # 10 + 1 are used; 10 are estimated

    run_all(make_calls(6), panel_of((judge, provider)), policy=time.policy())

    assert [round(at / 60) for at in sent] == [0, 0, 0, 1, 1, 1]


def test_judges_with_one_key_share_its_limit_and_none_starves() -> None:
    time = Time()
    provider, sent = noting(time)
    ann, bob = (replace(make_judge(name, slots=8), requests_per_minute=10) for name in ("a", "b"))
    calls = [*make_calls(40, "a"), *make_calls(5, "b")]

    told = run_all(calls, panel_of((ann, provider), (bob, provider)), policy=time.policy())

    assert max(sum(at <= other < at + 59.99 for other in sent) for at in sent) == 10
    assert n_completions(told[:20]) == 20
    assert sum(one.call.judge_id == "b" for one in told[:20]) == 5


def other_host(judge: Judge) -> Judge:
    return replace(judge, base_url="http://elsewhere.test/v1")


def other_key(judge: Judge) -> Judge:
    return replace(judge, api_key_env="ANOTHER_KEY")


@pytest.mark.parametrize("change", [other_host, other_key])
def test_another_host_or_key_is_another_gate(change: object) -> None:
    assert callable(change)
    gates = share_gates([make_judge("a"), make_judge("b"), change(make_judge("c"))], RetryPolicy(), lambda: False)

    assert gates[JudgeId("a")] is gates[JudgeId("b")]
    assert gates[JudgeId("c")] is not gates[JudgeId("a")]


def test_what_a_provider_says_is_left_is_not_exceeded() -> None:
    time, sent = Time(), list[float]()

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        sent.append(time.now)
        told = RateHeadroom(requests=Allowance(limit=60, left=0, reset_s=60.0))
        return replace(await echo(request, samples), headroom=told)

    run_all(make_calls(5), panel_of((make_judge(slots=4), Asked(answer))), policy=time.policy())

    assert sent[0] == 0.0
    assert sent[-1] >= 3.0


def test_a_single_refusal_lets_the_others_go_on() -> None:
    order: list[str] = []

    async def sleep(seconds: float) -> None:
        while len(order) < 9:
            await asyncio.sleep(0.001)

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        order.append(words_of(request))
        if len(order) == 2:
            raise ProviderError("rate_limit", "busy", retry_after_s=1.0)
        return await echo(request, samples)

    told = run_all(make_calls(9), panel_of((make_judge(slots=3), Asked(answer))), policy=RetryPolicy(sleep=sleep))

    assert (n_completions(told), order[-1]) == (9, "a1")


def test_when_all_are_refused_everybody_rests_for_as_long_as_was_asked() -> None:
    time, sent = Time(), list[float]()

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        sent.append(time.now)
        await asyncio.sleep(0)
        if 1 < len(sent) <= 1 + N_REFUSALS_TO_REST:
            raise ProviderError("rate_limit", "busy", retry_after_s=9.0)
        return await echo(request, samples)

    panel = panel_of((make_judge("a", slots=2), Asked(answer)), (make_judge("b", slots=2), Asked(answer)))
    told = run_all([*make_calls(9, "a"), *make_calls(9, "b")], panel, policy=time.policy())

    assert n_completions(told) == 18
    assert all(at >= 9.0 for at in sent[1 + N_REFUSALS_TO_REST :][2:])


@pytest.mark.parametrize("error", [("rate_limit", 429), ("server", 529)])
def test_an_endpoint_with_little_room_is_asked_with_little_more(error: tuple[str, int]) -> None:
    time, n_refused = Time(), 0

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        nonlocal n_refused
        if provider.n_in_flight > 5:
            n_refused += 1
            raise ProviderError(error[0], "busy", status=error[1])  # type: ignore[arg-type]
        await asyncio.sleep(0.001)
        return await echo(request, samples)

    provider = Asked(answer)
    told = run_all(make_calls(1000), panel_of((make_judge(slots=50), provider)), policy=time.policy())

    assert n_completions(told) == 1000
    assert n_refused < 400


def test_a_sleep_that_breaks_while_all_rest_ends_the_run() -> None:
    async def sleep(seconds: float) -> None:
        if len(provider.requests) > N_REFUSALS_TO_REST:
            raise ValueError("the clock is broken")
        await asyncio.sleep(0.001)

    provider = Asked()
    provider = Asked(lambda _request, _samples: refuse())
    with pytest.raises(ValueError, match="broken"):
        run_all(make_calls(9), panel_of((make_judge(slots=3), provider)), policy=RetryPolicy(sleep=sleep))


async def refuse() -> Reply:
    await asyncio.sleep(0)
    raise ProviderError("rate_limit", "busy")
