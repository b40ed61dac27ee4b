"""What response headers say of an endpoint's rate limits.

OpenAI and those that follow it: x-ratelimit-limit-requests, -remaining-, -reset- ("1s", "6m0s", "120ms"), also for
tokens, https://platform.openai.com/docs/guides/rate-limits. Anthropic: anthropic-ratelimit-requests-limit, -remaining
and -reset (a time, RFC 3339), also for tokens, https://platform.claude.com/docs/en/api/rate-limits.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from venire.domain.headroom import Allowance, RateHeadroom

_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_LONGEST_DIGITS = 15


def read_headroom(headers: Mapping[str, str], now: datetime) -> RateHeadroom | None:
    """The limits that headers tell of; None where they tell of none. What cannot be read is not told."""
    if not any("ratelimit" in name.lower() for name in headers):
        return None
    given = {name.lower(): value.strip() for name, value in headers.items()}
    requests, tokens = (_allowance(given, what, now) for what in ("requests", "tokens"))
    return None if requests is None and tokens is None else RateHeadroom(requests=requests, tokens=tokens)


def _allowance(given: Mapping[str, str], what: str, now: datetime) -> Allowance | None:
    for limit, left, reset in (
        (f"x-ratelimit-limit-{what}", f"x-ratelimit-remaining-{what}", f"x-ratelimit-reset-{what}"),
        (
            f"anthropic-ratelimit-{what}-limit",
            f"anthropic-ratelimit-{what}-remaining",
            f"anthropic-ratelimit-{what}-reset",
        ),
    ):
        n_left = _count(given.get(left, ""))
        if n_left is not None:
            return Allowance(
                limit=_count(given.get(limit, "")), left=n_left, reset_s=_seconds(given.get(reset, ""), now)
            )
    return None


def _count(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _LONGEST_DIGITS else None


def _seconds(text: str, now: datetime) -> float | None:
    spans = _SPAN.findall(text)
    if spans and "".join(number + unit for number, unit in spans) == text:
        return sum(float(number) * _UNITS[unit] for number, unit in spans)
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        return float(text)
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    return max(0.0, (at - now).total_seconds())
