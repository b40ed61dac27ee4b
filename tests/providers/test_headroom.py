"""What headers say is left of a provider's limits."""

from datetime import UTC, datetime

import pytest

from venire.domain.headroom import Allowance, RateHeadroom
from venire.providers.headroom import headroom_in

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def openai(reset: str) -> dict[str, str]:
    return {
        "X-RateLimit-Limit-Requests": "60",
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-reset-requests": reset,
    }


@pytest.mark.parametrize(
    ("reset", "seconds"),
    [("1s", 1.0), ("6m0s", 360.0), ("1h2m3.5s", 3723.5), ("20ms", 0.02), ("7", 7.0), ("soon", None)],
)
def test_openai_s_headers_are_read(reset: str, seconds: float | None) -> None:
    told = headroom_in(openai(reset), NOW)

    assert told is not None
    assert told.requests == Allowance(limit=60, left=59, reset_s=seconds)
    assert told.tokens is None


def test_anthropic_s_headers_are_read() -> None:
    headers = {
        "anthropic-ratelimit-tokens-limit": "80000",
        "anthropic-ratelimit-tokens-remaining": "79000",
        "anthropic-ratelimit-tokens-reset": "2026-01-01T00:00:30Z",
    }

    assert headroom_in(headers, NOW) == RateHeadroom(tokens=Allowance(limit=80000, left=79000, reset_s=30.0))


@pytest.mark.parametrize("headers", [{}, {"Retry-After": "7"}, {"x-ratelimit-remaining-requests": "many"}])
def test_an_answer_that_tells_nothing_tells_nothing(headers: dict[str, str]) -> None:
    assert headroom_in(headers, NOW) is None
