"""Response headers tell what is left of a limit, in two dialects; what cannot be read is not told."""

from datetime import UTC, datetime

import pytest

from venire.domain.headroom import Allowance, RateHeadroom
from venire.providers.rate_headers import read_headroom

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_openai_tells_requests_and_tokens() -> None:
    headers = {
        "X-RateLimit-Limit-Requests": "60",
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-reset-requests": "1s",
        "x-ratelimit-limit-tokens": "150000",
        "x-ratelimit-remaining-tokens": "149984",
        "x-ratelimit-reset-tokens": "6m0s",
    }

    assert read_headroom(headers, NOW) == RateHeadroom(
        requests=Allowance(limit=60, left=59, reset_s=1.0), tokens=Allowance(limit=150000, left=149984, reset_s=360.0)
    )


def test_anthropic_tells_a_time() -> None:
    headers = {
        "anthropic-ratelimit-requests-limit": "1000",
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2026-01-01T00:00:30Z",
    }

    assert read_headroom(headers, NOW) == RateHeadroom(requests=Allowance(limit=1000, left=0, reset_s=30.0))


@pytest.mark.parametrize(
    ("reset", "seconds"),
    [("120ms", 0.12), ("1h2m3s", 3723.0), ("7", 7.0), ("soon", None), ("", None), ("2025-12-31T00:00:00Z", 0.0)],
)
def test_a_reset_is_a_span_a_number_or_a_time(reset: str, seconds: float | None) -> None:
    headers = {"x-ratelimit-remaining-requests": "3", "x-ratelimit-reset-requests": reset}

    assert read_headroom(headers, NOW) == RateHeadroom(requests=Allowance(left=3, reset_s=seconds))


@pytest.mark.parametrize("headers", [{}, {"Retry-After": "7"}, {"x-ratelimit-remaining-requests": "many"}])
def test_nothing_told_is_nothing_known(headers: dict[str, str]) -> None:
    assert read_headroom(headers, NOW) is None
