"""Whatever judges do, nothing that was planned is lost, told twice or paid twice."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from venire.calling.ask import Answered, StopFlag
from venire.calling.events import CallEvent
from venire.domain.call import Call, Completion, Reply, Request
from venire.errors import JudgeUnavailable, ProviderError

from .makers import Asked, LateStore, Panel, make_call, make_judge, panel_of, reply, run_all, words_of

OUTCOMES = ("answer", "answer", "answer", "short", "hollow", "server", "rate_limit", "timeout", "not_recorded")
AGAINST_THE_JUDGE = ("bad_request", "auth", "not_found", "quota", "connection")

calls_of_a_plan = st.lists(
    st.builds(
        make_call,
        st.sampled_from(["v", "w", "x", "y", "z"]),
        st.sampled_from(["a", "b"]),
        item=st.sampled_from(["i", "j"]),
        sample=st.integers(0, 2),
    ),
    max_size=25,
)


class Moody(Asked):
    """A provider that goes through a list of outcomes, and then answers; it notes which draws it answered."""

    def __init__(self, outcomes: Sequence[str]) -> None:
        super().__init__(self._behave)
        self.answered: list[tuple[str, int]] = []
        self._outcomes = list(outcomes)

    async def _behave(self, request: Request, samples: Sequence[int]) -> Reply:
        outcome = self._outcomes.pop(0) if self._outcomes else "answer"
        await asyncio.sleep(0)
        if outcome not in ("answer", "short", "hollow"):
            raise ProviderError(outcome, f"it was {outcome}")  # type: ignore[arg-type]
        draws = {"answer": samples, "short": samples[:1], "hollow": ()}[outcome]
        self.answered += [(words_of(request), sample) for sample in draws]
        return reply(*(f"{words_of(request)}/{sample}" for sample in draws))


def panel_with(provider: Moody) -> Panel:
    """Both judges share the provider, so that the same draw may be asked for by either."""
    return panel_of((make_judge("a", slots=3, draws=2), provider), (make_judge("b", slots=1), provider))


def seen(told: Sequence[Answered]) -> Counter[int]:
    return Counter(id(one.call) for one in told)


@settings(deadline=None)
@given(calls_of_a_plan, st.lists(st.sampled_from(OUTCOMES), max_size=40))
def test_every_call_is_told_exactly_once(calls: list[Call], outcomes: list[str]) -> None:
    store, events = LateStore(), list[CallEvent]()

    told = run_all(calls, panel_with(Moody(outcomes)), store, listen=events.append)

    assert seen(told) == Counter(id(call) for call in calls)
    assert {one.call.id for one in told if isinstance(one.result, Completion)} <= store.durable
    assert sum(event.n_calls for event in events if event.kind != "retried") == len(told)


@settings(deadline=None)
@given(calls_of_a_plan, st.lists(st.sampled_from(OUTCOMES), max_size=40))
def test_every_draw_is_answered_at_most_once_and_gets_its_own_words(calls: list[Call], outcomes: list[str]) -> None:
    provider = Moody(outcomes)

    told = run_all(calls, panel_with(provider))

    assert max(Counter(provider.answered).values(), default=1) == 1
    for one in told:
        if isinstance(one.result, Completion):
            assert one.result.call_id == one.call.id
            assert one.result.choice.text == f"{words_of(one.call.request)}/{one.call.sample}"


@settings(deadline=None)
@given(calls_of_a_plan, st.lists(st.sampled_from(OUTCOMES + AGAINST_THE_JUDGE), max_size=40), st.integers(0, 20))
def test_a_run_that_ended_anyhow_is_completed_by_running_it_again(
    calls: list[Call], outcomes: list[str], stop_after: int
) -> None:
    store, provider, stop = LateStore(), Moody(outcomes), StopFlag()
    told: list[Answered] = []

    def listen(event: CallEvent) -> None:
        stop.requested = len(provider.requests) >= stop_after

    with suppress(JudgeUnavailable):
        run_all(calls, panel_with(provider), store, stop=stop, listen=listen, told=told)
    provider._outcomes.clear()
    again = run_all(calls, panel_with(provider), store)

    assert max(seen(told).values(), default=1) == 1
    assert all(isinstance(one.result, Completion) for one in again)
    assert seen(again) == Counter(id(call) for call in calls)
    assert sorted(provider.answered) == sorted({(words_of(call.request), call.sample) for call in calls})
