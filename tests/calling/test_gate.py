"""Judges that share a key share its limits, one after another; a refusal now and then slows nobody else down."""

import asyncio
from dataclasses import replace

from venire.calling.keys import share_gates
from venire.calling.retry import RetryPolicy
from venire.domain.call import Completion
from venire.domain.headroom import Allowance, RateHeadroom
from venire.domain.panel import Judge
from venire.errors import ProviderError

from .makers import Asked, ask_all, failing, make_calls, make_judge, panel_of, reply


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def policy(self) -> RetryPolicy:
        return RetryPolicy(sleep=self._sleep, clock=lambda: self.now)

    async def _sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


def _limited(judge: Judge, requests: int) -> Judge:
    return replace(judge, requests_per_minute=requests)


def test_a_declared_limit_spreads_the_requests_over_minutes() -> None:
    clock, provider = Clock(), Asked()
    told = asyncio.run(ask_all(make_calls(25), panel_of((_limited(make_judge(), 10), provider)), policy=clock.policy()))

    assert len(told) == 25
    assert 120.0 <= clock.now < 130.0  # 10 at once, 10 a minute later, 5 after two


def test_judges_of_one_key_share_its_limit_and_take_turns() -> None:
    clock, first, second = Clock(), Asked(), Asked()
    seats = ((_limited(make_judge("a"), 10), first), (make_judge("b"), second))
    calls = [*make_calls(10, "a"), *make_calls(10, "b")]

    told = asyncio.run(ask_all(calls, panel_of(*seats), policy=clock.policy()))

    assert 60.0 <= clock.now < 65.0
    early = [one.call.judge_id for one in told[:10]]
    assert min(early.count("a"), early.count("b")) >= 3  # type: ignore[arg-type]


def test_other_keys_are_not_held_up() -> None:
    a, b = make_judge("a"), replace(make_judge("b"), api_key_env="OTHER_KEY")
    same = make_judge("c")

    gates = share_gates([a, b, same], RetryPolicy(), lambda: False)

    assert gates[a.id] is gates[same.id]
    assert gates[a.id] is not gates[b.id]


def test_what_headers_tell_is_waited_for() -> None:
    clock = Clock()
    headroom = RateHeadroom(requests=Allowance(limit=10, left=0, reset_s=10.0))

    async def answer(_request: object, _samples: object) -> object:
        return replace(reply("x"), headroom=headroom)

    told = asyncio.run(
        ask_all(make_calls(3), panel_of((make_judge(slots=1), Asked(answer))), policy=clock.policy())  # type: ignore[arg-type]
    )

    assert len(told) == 3
    assert clock.now >= 2.0  # one a second at the pace told


def test_one_refusal_does_not_stop_the_others() -> None:
    refusal = ProviderError("rate_limit", "busy", retry_after_s=50.0)
    clock, provider = Clock(), failing(refusal)

    told = asyncio.run(ask_all(make_calls(30), panel_of((make_judge(), provider)), policy=clock.policy()))

    assert all(isinstance(one.result, Completion) for one in told)
    assert len(provider.requests) == 31


def test_refusals_in_a_row_let_the_whole_key_rest() -> None:
    refusal = ProviderError("rate_limit", "busy", retry_after_s=7.0)
    clock, provider = Clock(), failing(*[refusal] * 8)

    told = asyncio.run(ask_all(make_calls(30), panel_of((make_judge(slots=8), provider)), policy=clock.policy()))

    assert all(isinstance(one.result, Completion) for one in told)
    assert clock.now >= 7.0
