"""Estimates: how many calls and tokens a plan needs and what it costs, before a cent is spent."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from venire.domain.call import Call, Usage
from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import CallId, JudgeId
from venire.domain.panel import MATERIAL_PROVIDERS
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
    n_calls = dict.fromkeys((judge.id for judge in design.judges), 0)
    n_answered, characters, n_output = dict(n_calls), dict(n_calls), dict(n_calls)
    for call in calls:
        judge = design.judge(call.judge_id)
        n_calls[judge.id] += 1
        if call.id in answered:
            n_answered[judge.id] += 1
        elif judge.provider not in MATERIAL_PROVIDERS:
            n_output[judge.id] += call.request.max_tokens
            if call.sample % judge.samples_per_request == 0:
                characters[judge.id] += sum(len(message.content) for message in call.request.messages)
                characters[judge.id] += len(call.request.format.schema)
    judges = []
    for judge in design.judges:
        tokens = round(characters[judge.id] / CHARACTERS_PER_TOKEN)
        usage = Usage(input_tokens=tokens, output_tokens=n_output[judge.id])
        judges.append(
            JudgeEstimate(
                judge_id=judge.id,
                n_calls=n_calls[judge.id],
                n_answered=n_answered[judge.id],
                input_tokens=tokens,
                output_tokens_at_most=n_output[judge.id],
                usd_at_most=cost_of(usage, prices[judge.id]),
            )
        )
    return Estimate(judges=tuple(judges))
