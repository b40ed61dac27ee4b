"""How a plan is shown before anything is asked: calls, tokens, what they will cost and the most that they can."""

import json
from collections.abc import Sequence

from venire.domain.finding import Undefined
from venire.planning.estimate import Estimate, JudgeEstimate
from venire.planning.tokens import INPUT_ASSUMED, OUTPUT_ASSUMED, Amount
from venire.reporting.text import count, one_line, show_usd

_TITLES = ("judge", "calls", "stored", "input tokens", "output tokens", "cost", "at most")


def plan_text(plan: Estimate, warnings: Sequence[str]) -> str:
    """The plan as a table for the terminal."""
    rows = [_TITLES, *(_cells(judge) for judge in plan.judges)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]
    n_calls = sum(judge.n_calls for judge in plan.judges)
    n_left = sum(judge.n_left for judge in plan.judges)
    lines += ["", f"In all {count(n_calls, 'call')}, {n_left:,} of them still to be asked; {cost_in_words(plan)}."]
    lines += [f"  {one_line(judge.judge_id)}: {_why(judge)}" for judge in plan.judges]
    lines.append(_explain(plan))
    return "\n".join([*lines, "Nothing was asked.", *(f"warning: {one_line(warning)}" for warning in warnings)])


def cost_in_words(plan: Estimate) -> str:
    """What the plan will cost: the range, the most, and what is not known."""
    usd, unknown = plan.usd, ""
    if plan.n_unpriced:
        unknown = f"unknown for {count(plan.n_unpriced, 'call')} (about {count(plan.unpriced_tokens, 'token')})"
        if not usd.at_most:
            return f"cost {unknown}"
    known = f"cost about {_range(usd)}, at most {show_usd(usd.at_most)}"
    return f"{known} + {unknown}" if unknown else known


def plan_json(plan: Estimate, warnings: Sequence[str]) -> str:
    """The plan as one JSON document; an unknown price is null with its reason."""
    judges = [
        {
            "judge": judge.judge_id,
            "n_calls": judge.n_calls,
            "n_stored": judge.n_answered,
            "input_tokens": _amount(judge.input_tokens, whole=True),
            "output_tokens": _amount(judge.output_tokens, whole=True),
            **_usd_fields(judge.usd),
            "basis": judge.basis,
        }
        for judge in plan.judges
    ]
    document = {
        "judges": judges,
        "usd": _amount(plan.usd),
        "unpriced": {"n_calls": plan.n_unpriced, "tokens": plan.unpriced_tokens},
        "reask": plan.reask,
        "warnings": list(warnings),
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def _cells(judge: JudgeEstimate) -> tuple[str, ...]:
    tokens = (f"{judge.input_tokens.expected:,.0f}", f"{judge.output_tokens.expected:,.0f}")
    usd = judge.usd
    cost = ("unknown", "unknown") if isinstance(usd, Undefined) else (_range(usd), show_usd(usd.at_most))
    return (one_line(judge.judge_id), f"{judge.n_calls:,}", f"{judge.n_answered:,}", *tokens, *cost)


def _range(usd: Amount) -> str:
    expected, low, high = (show_usd(amount) for amount in (usd.expected, usd.low, usd.high))
    return expected if low == high else f"{expected} ({low} to {high})"


def _why(judge: JudgeEstimate) -> str:
    return f"{judge.basis}; {one_line(judge.usd.reason)}" if isinstance(judge.usd, Undefined) else judge.basis


def _explain(plan: Estimate) -> str:
    again = f" and {count(plan.reask, 'time')} asked again" if plan.reask else ""
    return (
        f"Assumed where nothing is stored: {INPUT_ASSUMED}; {OUTPUT_ASSUMED}; no ballot has to be asked for again. "
        f"At most: a token for each byte, replies of max_tokens, every ballot unread{again}. A request whose answer is "
        "lost on the way and that is sent again comes on top; --budget-usd holds against that, too."
    )


def _amount(amount: Amount, *, whole: bool = False) -> dict[str, float]:
    figures = {"low": amount.low, "expected": amount.expected, "high": amount.high, "at_most": amount.at_most}
    return {name: round(figure) for name, figure in figures.items()} if whole else figures


def _usd_fields(usd: Amount | Undefined) -> dict[str, dict[str, float] | str | None]:
    if isinstance(usd, Undefined):
        return {"usd": None, "usd_unknown_reason": usd.reason}
    return {"usd": _amount(usd), "usd_unknown_reason": None}
