"""What an API says when it does not answer, in OpenAI's shapes and Anthropic's: errors, codes and waiting times."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from venire.domain.identity import Json
from venire.errors import ErrorKind, ProviderError

SHOWN = 500
"""Characters of a provider's own message that an error repeats; the whole body is in `raw`."""

# Codes and types that say more than the status: an empty account answers 429 like a busy one (OpenAI), and a
# gateway puts the upstream status into the body of a 200 (OpenRouter). Anthropic's types and its error_code:
# https://platform.claude.com/docs/en/api/errors
_KIND_OF_CODE: Mapping[str, ErrorKind] = {
    "insufficient_quota": "quota",
    "billing_hard_limit_reached": "quota",
    "billing_not_active": "quota",
    "insufficient_credits": "quota",
    "billing_error": "quota",
    "enforced_spend_limit_reached": "quota",
    "invalid_api_key": "auth",
    "authentication_error": "auth",
    "permission_error": "auth",
    "model_not_found": "not_found",
    "not_found_error": "not_found",
    "rate_limit_exceeded": "rate_limit",
    "rate_limit_error": "rate_limit",
    "overloaded_error": "server",
    "server_error": "server",
    "api_error": "server",
    "conflict_error": "server",
    "timeout_error": "timeout",
    "context_length_exceeded": "bad_request",
    "exceed_context_size_error": "bad_request",
    "content_filter": "bad_request",
    "request_too_large": "bad_request",
    "invalid_request_error": "bad_request",
}
# Anthropic has no code for these three, which all come as 400 invalid_request_error: an account without credit
# (github.com/anthropics/claude-code/issues/66314), a spend limit of the user's own, and a filtered answer (…/55789).
_OUT_OF_CREDIT = re.compile(r"credit balance is too low|reached your specified API usage limits", re.IGNORECASE)
_FILTERED = re.compile(r"blocked by content filtering policy", re.IGNORECASE)
_FILTER_CODES = frozenset({"content_filter", "responsibleaipolicyviolation", "content_policy_violation"})


def read_error(status: int, headers: Mapping[str, str], body: bytes, now: datetime) -> ProviderError:
    """Turn an answer with an error status into the error that calling acts on."""
    text = body.decode("utf-8", "replace")
    said = _said(parse_json(text))
    kind = _kind(status, said)
    what = said.message or _as_words(text) or "no message"
    return ProviderError(
        kind,
        f"The endpoint answered {status}: {what[:SHOWN]}{_advice(kind, status)}",
        status=status,
        retry_after_s=wait_of(headers, now),
        raw=text,
    )


def error_in_success(error: Json, raw: str) -> ProviderError:
    """Turn an error object inside a success into the error that it would have been under its own status."""
    said = _said({"error": error})
    status = int(said.codes[0]) if said.codes and re.fullmatch(r"[45]\d\d", said.codes[0]) else None
    kind = _kind(status, said)
    what = said.message or json.dumps(error)
    return ProviderError(
        kind,
        f"The endpoint answered 200 with an error inside: {what[:SHOWN]}{_advice(kind, status)}",
        status=status,
        raw=raw,
    )


def is_filtered(error: ProviderError) -> bool:
    """Whether the error says that a content filter withheld the prompt: a fact about one call, not a fault."""
    said = _said(parse_json(error.raw))
    withheld = any(code in _FILTER_CODES for code in said.codes) or bool(_FILTERED.search(said.message))
    return error.kind == "bad_request" and withheld


def wait_of(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that the endpoint asks to wait (RFC 9110, 10.2.3: seconds or a date), or None where it does not say."""
    folded = {name.casefold(): value.strip() for name, value in headers.items()}
    in_milliseconds = _seconds(folded.get("retry-after-ms", ""))
    if in_milliseconds is not None:
        return in_milliseconds / 1000
    given = folded.get("retry-after", "")
    in_seconds = _seconds(given)
    if in_seconds is not None:
        return in_seconds
    try:
        date = parsedate_to_datetime(given)
    except ValueError:
        return None
    # An HTTP date is in UTC even where the parser finds no zone ("-0000").
    date = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    return max(0.0, (date - now).total_seconds())


def parse_json(text: str) -> Json:
    """Read JSON, or None where the text is none (an error page, a cut body)."""
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """An error body in the shapes that are in use: {"error": {…}}, {"error": "…"}, {"detail": …}, [{…}]."""

    message: str = ""
    codes: tuple[str, ...] = ()


def _said(body: Json) -> _Said:
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping):
        return _Said()
    inner = body.get("error") or body.get("detail") or body
    if isinstance(inner, str):
        return _Said(message=inner)
    if not isinstance(inner, Mapping):
        return _Said(message=json.dumps(inner))
    codes = [inner.get("code"), inner.get("type"), inner.get("status")]
    for name, code in (("innererror", "code"), ("details", "error_code")):
        deeper = inner.get(name)
        codes += [deeper.get(code)] if isinstance(deeper, Mapping) else []
    message = inner.get("message") or ""
    return _Said(
        message=message if isinstance(message, str) else json.dumps(message),
        codes=tuple(
            str(code).casefold() for code in codes if isinstance(code, str | int) and not isinstance(code, bool)
        ),
    )


def _kind(status: int | None, said: _Said) -> ErrorKind:
    if _OUT_OF_CREDIT.search(said.message) or "quota" in map(_KIND_OF_CODE.get, said.codes):
        return "quota"
    if status is None or status < 300:
        known = [_KIND_OF_CODE[code] for code in said.codes if code in _KIND_OF_CODE]
        return known[0] if known else "server"
    return kind_of_status(status)


def kind_of_status(status: int) -> ErrorKind:
    """What an error status means where nothing says more."""
    by_status: dict[int, ErrorKind] = {
        401: "auth",
        402: "quota",
        403: "auth",
        404: "not_found",
        408: "timeout",
        # Conflict, too early: the same request may succeed a little later.
        409: "server",
        425: "server",
        429: "rate_limit",
    }
    if status < 400:
        return "not_found"
    return by_status.get(status, "server" if status >= 500 else "bad_request")


def _advice(kind: ErrorKind, status: int | None) -> str:
    if status is not None and 300 <= status < 400:
        return " (redirects are not followed, so that no key goes elsewhere; set base_url to the new address)"
    match kind:
        case "auth":
            return " (check the key in the variable that api_key_env names)"
        case "not_found":
            return " (check base_url and model)"
        case "quota":
            return " (the account has no credit left)"
        case _:
            return ""


def _as_words(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text)).strip()


def _seconds(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
