"""How a plan is shown before anything is asked: calls, tokens and the most that it can cost."""

import json
from collections.abc import Sequence

from venire.domain.finding import Undefined
from venire.planning.estimate import CHARACTERS_PER_TOKEN, Estimate


def plan_text(plan: Estimate, warnings: Sequence[str]) -> str:
    """The plan as a table for the terminal."""
    width = max([5, *(len(judge.judge_id) for judge in plan.judges)])
    heading = f"{'judge':<{width}}  {'calls':>8}  {'stored':>8}  {'input tokens':>13}  {'output ≤':>10}  cost at most"
    lines = [
        f"{judge.judge_id:<{width}}  {judge.n_calls:>8,}  {judge.n_answered:>8,}  {judge.input_tokens:>13,}  "
        f"{judge.output_tokens_at_most:>10,}  {_usd(judge.usd_at_most)}"
        for judge in plan.judges
    ]
    n_calls = sum(judge.n_calls for judge in plan.judges)
    n_left = n_calls - sum(judge.n_answered for judge in plan.judges)
    lines.append(
        f"In all {n_calls:,} calls, {n_left:,} of them still to be asked; cost at most {_usd(plan.usd_at_most)}."
    )
    lines.append(
        f"Input tokens are estimated at {CHARACTERS_PER_TOKEN:g} characters each; output at most max_tokens each. "
        "Nothing was asked."
    )
    return "\n".join([heading, *lines, *(f"warning: {warning}" for warning in warnings)])


def plan_json(plan: Estimate, warnings: Sequence[str]) -> str:
    """The plan as one JSON document; an unknown price is null with its reason."""
    judges = [
        {
            "judge": judge.judge_id,
            "n_calls": judge.n_calls,
            "n_stored": judge.n_answered,
            "input_tokens": judge.input_tokens,
            "output_tokens_at_most": judge.output_tokens_at_most,
            **_usd_fields(judge.usd_at_most),
        }
        for judge in plan.judges
    ]
    document = {"judges": judges, **_usd_fields(plan.usd_at_most), "warnings": list(warnings)}
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def _usd(amount: float | Undefined) -> str:
    return f"unknown ({amount.reason})" if isinstance(amount, Undefined) else f"${amount:.4f}"


def _usd_fields(amount: float | Undefined) -> dict[str, float | str | None]:
    if isinstance(amount, Undefined):
        return {"usd_at_most": None, "usd_unknown_reason": amount.reason}
    return {"usd_at_most": amount}
