"""Headroom: what a provider says is left of its limits, in an answer or in a refusal."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What is left of one limit. Nothing here says whether it is counted by the second, the minute or the day."""

    limit: int | None = None
    """The most there can be; None: not told."""
    left: int
    reset_s: float | None = None
    """Seconds until all of it is there again; None: not told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateHeadroom:
    """What one answer said of the limits that it was counted against."""

    requests: Allowance | None = None
    tokens: Allowance | None = None
