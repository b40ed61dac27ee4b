"""Estimates: how many calls and tokens a plan needs and what it costs, before a cent is spent."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from venire.domain.call import Call, Usage
from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import CallId, JudgeId, RequestId
from venire.domain.panel import MATERIAL_PROVIDERS, Judge
from venire.domain.price import Price, cost_of

CHARACTERS_PER_TOKEN = 4.0
"""A rule of thumb for English text and current tokenisers; code and other scripts need more tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeEstimate:
    """What one judge will be asked."""

    judge_id: JudgeId
    n_calls: int
    n_answered: int
    """Calls whose answer is stored already: they cost nothing."""
    input_tokens: int
    """Estimated from the characters of the prompts still to be sent; input shared by several draws counted once."""
    output_tokens_at_most: int
    """The calls still to be sent times max_tokens."""
    usd_at_most: float | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What the whole plan will take."""

    judges: tuple[JudgeEstimate, ...]

    @property
    def usd_at_most(self) -> float | Undefined:
        """The sum, unknown as soon as one judge's price is."""
        unknown = [str(judge.judge_id) for judge in self.judges if isinstance(judge.usd_at_most, Undefined)]
        if unknown:
            return Undefined(f"the price of {', '.join(unknown)} is not known")
        return sum(judge.usd_at_most for judge in self.judges if not isinstance(judge.usd_at_most, Undefined))


def estimate_plan(
    calls: Iterable[Call],
    design: Design,
    prices: Mapping[JudgeId, Price | Undefined],
    answered: Collection[CallId] = frozenset(),
) -> Estimate:
    """Sum up a plan: calls, tokens and the most that it can cost at these prices."""
    sums = {judge.id: _Sum() for judge in design.judges}
    for call in calls:
        _add(sums[call.judge_id], call, design.judge(call.judge_id), is_answered=call.id in answered)
    return Estimate(judges=tuple(_estimate(judge.id, sums[judge.id], prices[judge.id]) for judge in design.judges))


@dataclass(slots=True)
class _Sum:
    """What has been counted for one judge."""

    n_calls: int = 0
    n_answered: int = 0
    characters: int = 0
    n_output: int = 0
    last_sent: tuple[RequestId, int] | None = None
    """The request whose input was counted last, and which of its exchanges: draws of one exchange share it."""


def _add(to: _Sum, call: Call, judge: Judge, *, is_answered: bool) -> None:
    to.n_calls += 1
    if is_answered:
        to.n_answered += 1
        return
    if judge.provider in MATERIAL_PROVIDERS:
        return
    to.n_output += call.request.max_tokens
    exchange = (call.request.id, call.sample // judge.samples_per_request)
    if exchange != to.last_sent:
        to.last_sent = exchange
        to.characters += sum(len(message.content) for message in call.request.messages)
        to.characters += len(call.request.format.schema)


def _estimate(judge_id: JudgeId, counted: _Sum, price: Price | Undefined) -> JudgeEstimate:
    tokens = round(counted.characters / CHARACTERS_PER_TOKEN)
    usage = Usage(input_tokens=tokens, output_tokens=counted.n_output)
    is_done = counted.n_answered == counted.n_calls  # what is not sent costs nothing, whatever its price
    return JudgeEstimate(
        judge_id=judge_id,
        n_calls=counted.n_calls,
        n_answered=counted.n_answered,
        input_tokens=tokens,
        output_tokens_at_most=counted.n_output,
        usd_at_most=0.0 if is_done else cost_of(usage, price),
    )
