"""Error bodies, their kinds, and how long to wait."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from venire.errors import ErrorKind
from venire.providers.openai_faults import is_filtered, read_error, wait_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def kind_of(status: int, body: Any = None) -> ErrorKind:
    return read_error(status, {}, json.dumps(body).encode(), NOW).kind


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (302, "not_found"),
        (400, "bad_request"),
        (401, "auth"),
        (402, "quota"),
        (403, "auth"),
        (404, "not_found"),
        (408, "timeout"),
        (409, "server"),
        (413, "bad_request"),
        (422, "bad_request"),
        (429, "rate_limit"),
        (500, "server"),
        (503, "server"),
        (529, "server"),
    ],
)
def test_every_status_has_its_kind(status: int, kind: ErrorKind) -> None:
    assert kind_of(status) == kind


def test_an_empty_account_is_no_rate_limit_although_it_answers_429() -> None:
    assert (
        kind_of(429, {"error": {"message": "…", "type": "insufficient_quota", "code": "insufficient_quota"}}) == "quota"
    )


@pytest.mark.parametrize(
    "body",
    [
        b'{"error": {"message": "out of memory"}}',
        b'{"error": "out of memory"}',
        b'{"detail": "out of memory"}',
        b'{"message": "out of memory"}',
        b'[{"error": {"message": "out of memory", "status": "INTERNAL"}}]',
        b"<html><h1>out of memory</h1></html>",
        b"out of memory",
    ],
)
def test_the_endpoints_own_words_are_in_the_message(body: bytes) -> None:
    assert "out of memory" in str(read_error(500, {}, body, NOW))


def test_the_whole_body_is_kept_where_the_message_is_cut() -> None:
    error = read_error(500, {}, b"x" * 5000, NOW)

    assert (len(str(error)) < 1000, len(error.raw)) == (True, 5000)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7),
        ({"retry-after": "0"}, 0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:30 GMT"}, 30),
        ({"Retry-After": "Wed, 31 Dec 2025 23:59:00 GMT"}, 0),
        ({"Retry-After-Ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "2"}, 2),
        ({"retry-after": "86400"}, 86400),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_the_wait_is_read_from_seconds_milliseconds_or_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_of(headers, NOW) == seconds


@pytest.mark.parametrize(
    ("body", "filtered"),
    [
        ({"error": {"code": "content_filter", "message": "…"}}, True),
        ({"error": {"code": "x", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}, True),
        ({"error": {"code": "unsupported_value", "param": "temperature"}}, False),
        ({"type": "error", "error": {"message": "Output blocked by content filtering policy"}}, True),
    ],
)
def test_a_filtered_prompt_is_told_from_a_bad_request(body: Any, filtered: bool) -> None:
    assert is_filtered(read_error(400, {}, json.dumps(body).encode(), NOW)) is filtered
