"""Short ways to write calls, panels, providers that are a function, and stores with a weakness."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future

from venire.calling.ask import Answered, StopFlag, ask_round
from venire.calling.events import Listener, ignore
from venire.calling.losses import MayGoOn
from venire.calling.purse import Purse
from venire.calling.retry import RetryPolicy
from venire.calling.session import Session
from venire.domain.call import AnswerFormat, Call, Choice, Completion, Exchange, Reply, Request, Usage
from venire.domain.identity import CallId, ItemId, JudgeId
from venire.domain.item import Message, Subject
from venire.domain.panel import Judge
from venire.errors import ErrorKind, ProviderError
from venire.ports import Completions, Provider
from venire.store.memory import MemoryStore

Panel = Mapping[JudgeId, tuple[Judge, Provider]]
Answer = Callable[[Request, Sequence[int]], Awaitable[Reply]]


class Asked:
    """A provider that is one async function; it counts."""

    def __init__(self, answer: Answer | None = None) -> None:
        self._answer = answer or echo
        self.requests: list[tuple[str, tuple[int, ...]]] = []
        """The words and sample numbers of every request, in the order sent."""
        self.n_in_flight = self.most_in_flight = 0

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        self.requests.append((words_of(request), tuple(samples)))
        self.n_in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.n_in_flight)
        try:
            return await self._answer(request, samples)
        finally:
            self.n_in_flight -= 1

    async def close(self) -> None:
        pass


class LateStore(MemoryStore):
    """A store whose rows are durable, and can be read, a moment after they were handed over."""

    def __init__(self) -> None:
        super().__init__()
        self.durable: set[CallId] = set()

    def record(self, exchanges: Sequence[Exchange]) -> Future[None]:
        kept = tuple(exchanges)
        done: Future[None] = Future()
        done.set_running_or_notify_cancel()

        def commit() -> None:
            super(LateStore, self).record(kept)
            self.durable.update(completion.call_id for one in kept for completion in one.completions)
            done.set_result(None)

        asyncio.get_running_loop().call_later(0.002, commit)
        return done


def words_of(request: Request) -> str:
    return request.messages[0].content


async def echo(request: Request, samples: Sequence[int]) -> Reply:
    await asyncio.sleep(0)
    return reply(*(f"{words_of(request)}/{sample}" for sample in samples))


def reply(*texts: str, usage: Usage | None = None) -> Reply:
    choices = tuple(Choice(text=text, finish_reason="stop") for text in texts)
    return Reply(choices=choices, usage=usage or Usage(input_tokens=10, output_tokens=1), raw="{}")


def failing(*errors: ErrorKind | ProviderError) -> Asked:
    """A provider that fails in these ways, one request after another, and then answers."""
    left = list(errors)

    async def answer(request: Request, samples: Sequence[int]) -> Reply:
        if left:
            error = left.pop(0)
            raise error if isinstance(error, ProviderError) else ProviderError(error, f"it was {error}")
        return await echo(request, samples)

    return Asked(answer)


def make_call(words: str, judge: str = "a", *, item: str | None = None, sample: int = 0) -> Call:
    request = Request(
        provider="openai",
        model="m",
        base_url=None,
        messages=(Message(role="user", content=words),),
        temperature=None,
        max_tokens=10,
        format=AnswerFormat(kind="text"),
    )
    subject = Subject(item_id=ItemId(item or words), responses=(0,))
    return Call(request=request, judge_id=JudgeId(judge), subject=subject, shown=(0,), sample=sample)


def make_calls(n: int, judge: str = "a") -> list[Call]:
    return [make_call(f"{judge}{i}", judge) for i in range(n)]


def make_judge(judge_id: str = "a", *, slots: int = 4, draws: int = 1, timeout_s: float = 5.0) -> Judge:
    return Judge(
        id=JudgeId(judge_id),
        provider="openai",
        model="m",
        base_url="http://judge.test/v1",
        api_key_env="JUDGE_KEY",
        samples=draws,
        samples_per_request=draws,
        max_concurrency=slots,
        timeout_s=timeout_s,
    )


def panel_of(*seats: tuple[Judge, Provider]) -> Panel:
    return {judge.id: (judge, provider) for judge, provider in seats}


def no_waits(waits: list[float] | None = None) -> RetryPolicy:
    """The usual patience, without its time; the waits are noted."""

    async def sleep(seconds: float) -> None:
        if waits is not None:
            waits.append(seconds)
        await asyncio.sleep(0)

    return RetryPolicy(sleep=sleep)


async def ask_all(
    calls: Iterable[Call],
    panel: Panel,
    store: Completions | None = None,
    *,
    policy: RetryPolicy | None = None,
    stop: StopFlag | None = None,
    listen: Listener = ignore,
    told: list[Answered] | None = None,
    purse: Purse | None = None,
    may_go_on: MayGoOn | None = None,
) -> list[Answered]:
    """What was told of each call, in the order told."""
    heard = [] if told is None else told
    kept = MemoryStore() if store is None else store
    session = Session(
        panel, kept, listen=listen, policy=policy or no_waits(), stop=stop, purse=purse, may_go_on=may_go_on
    )
    try:
        await ask_round(calls, session, heard.append)
    finally:
        await session.close()
    return heard


def never(_: frozenset[JudgeId]) -> bool:
    """A run that has no purpose without any of its judges."""
    return False


def run_all(calls: Iterable[Call], panel: Panel, store: Completions | None = None, **options: object) -> list[Answered]:
    return asyncio.run(asyncio.wait_for(ask_all(calls, panel, store, **options), 20))  # type: ignore[arg-type]


def n_completions(told: Iterable[Answered]) -> int:
    return sum(isinstance(one.result, Completion) for one in told)
