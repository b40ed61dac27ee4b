"""What an API's headers say is left of its limits: OpenAI's names, which many use, and Anthropic's; pure.

OpenAI: https://platform.openai.com/docs/guides/rate-limits ("Rate limits in headers").
Anthropic: https://platform.claude.com/docs/en/api/rate-limits ("Response headers").
"""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from venire.domain.headroom import Allowance, RateHeadroom

_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def headroom_in(headers: Mapping[str, str], now: datetime) -> RateHeadroom | None:
    """Read what is left of requests and tokens; None where the answer says nothing of either."""
    told = {name: value for key, value in headers.items() if "ratelimit" in (name := key.casefold())}
    if not told:
        return None
    requests = _openai(told, "requests") or _anthropic(told, "requests", now)
    tokens = _openai(told, "tokens") or _anthropic(told, "tokens", now)
    return None if requests is None and tokens is None else RateHeadroom(requests=requests, tokens=tokens)


def _openai(told: Mapping[str, str], what: str) -> Allowance | None:
    left = _count(told.get(f"x-ratelimit-remaining-{what}"))
    if left is None:
        return None
    limit = _count(told.get(f"x-ratelimit-limit-{what}"))
    return Allowance(limit=limit, left=left, reset_s=_duration(told.get(f"x-ratelimit-reset-{what}", "")))


def _anthropic(told: Mapping[str, str], what: str, now: datetime) -> Allowance | None:
    left = _count(told.get(f"anthropic-ratelimit-{what}-remaining"))
    if left is None:
        return None
    limit = _count(told.get(f"anthropic-ratelimit-{what}-limit"))
    return Allowance(limit=limit, left=left, reset_s=_until(told.get(f"anthropic-ratelimit-{what}-reset", ""), now))


def _count(value: str | None) -> int | None:
    """A number of requests or tokens; none below 0 (some endpoints count into debt)."""
    try:
        number = float(value or "")
    except ValueError:
        return None
    return max(0, int(number)) if math.isfinite(number) else None


def _duration(value: str) -> float | None:
    """Seconds in "6m0s", "1h2m3.5s", "20ms" or a bare number."""
    parts = _PART.findall(value.strip())
    if parts and "".join(number + unit for number, unit in parts) == value.strip():
        return sum(float(number) * _SECONDS[unit] for number, unit in parts)
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _until(value: str, now: datetime) -> float | None:
    """Seconds until a moment as RFC 3339 writes it."""
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
