"""Usage as OpenAI-compatible endpoints report it, and the two ways in which they count a cache."""

import math

from venire.domain.call import Usage
from venire.domain.identity import Json

_READ, _STORED = "cache_read_input_tokens", "cache_creation_input_tokens"
"""Anthropic's names, which some gateways keep."""


def count_in(holder: Json, name: str) -> int | None:
    """The count under this name, or None where there is none that can be one."""
    value = holder.get(name) if isinstance(holder, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def read_usage(usage: Json) -> Usage:
    """The tokens of a chat completion, whichever way its cache is counted; None where a count cannot be one."""
    if not isinstance(usage, dict):
        return Usage()
    details = usage.get("prompt_tokens_details")
    # DeepSeek and gateways in front of Anthropic report the same figures under names of their own.
    cached = _first_count((details, "cached_tokens"), (usage, "prompt_cache_hit_tokens"), (usage, _READ))
    stored = _first_count((details, "cache_write_tokens"), (usage, _STORED))
    n_input, n_output = count_in(usage, "prompt_tokens"), count_in(usage, "completion_tokens")
    thought = count_in(usage.get("completion_tokens_details"), "reasoning_tokens")
    total, aside = count_in(usage, "total_tokens"), (cached or 0) + (stored or 0)
    outputs = (n_output or 0, (n_output or 0) + (thought or 0))
    if n_input is not None and aside and _is_beside(total, n_input, aside, outputs):
        n_input += aside
    beyond_input = 0 if total is None or n_input is None else total - n_input
    return Usage(
        input_tokens=n_input,
        output_tokens=_with_thoughts(n_output, thought or 0, beyond_input),
        cached_input_tokens=cached,
        cache_write_input_tokens=stored,
        reasoning_tokens=thought,
        reported_usd=_usd(usage.get("cost")),
    )


def _with_thoughts(n_output: int | None, thought: int, beyond_input: int) -> int | None:
    """All output tokens: some endpoints (xAI's, Gemini's) leave hidden reasoning out of completion_tokens."""
    if n_output is None:
        return None
    # What the total holds beyond the input was written; and a part cannot be larger than the whole.
    return max(n_output, beyond_input) if thought <= n_output else max(n_output + thought, beyond_input)


def _first_count(*places: tuple[Json, str]) -> int | None:
    return next((count for holder, name in places if (count := count_in(holder, name)) is not None), None)


def _is_beside(total: int | None, n_input: int, aside: int, outputs: tuple[int, int]) -> bool:
    """Whether cached tokens are counted beside the prompt's, as Anthropic does, and not among them, as OpenAI does.

    Args:
        outputs: what the reply took, hidden reasoning counted in it or beside it.
    """
    # A part cannot be larger than the whole; else the total tells which of the sums it is.
    return aside > n_input or total in [n_input + aside + n_output for n_output in outputs]


def _usd(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value >= 0 else None
