"""Which part of a request an endpoint refuses, by its error: told by the field that it names, else by its words; pure.

The shapes of error are OpenAI's ("param", "code"), Anthropic's ("temperature: …", "output_config.format.schema: …"),
FastAPI's ("detail": [{"loc": ["body", "seed"], …}]: vLLM, Mistral), Google's ("fieldViolations") and AWS's ("Error").
"""

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Literal

from venire.domain.identity import Json
from venire.providers.openai_faults import parse_json
from venire.providers.schema_bounds import BOUNDS

Part = Literal["token_limit", "system_role", "schema_bounds", "response_format"]
"""What can be written in another way without asking for anything else."""

MOST_READ = 600
"""Characters of a message that are looked at: what follows may be the request itself, read back."""

_REFUSES = re.compile(
    r"(?:\bnot|n't|\bcannot) (?:be )?(?:\w+ )?(?:support|accept|take|permit|allow|enabl|recogni|valid|available"
    r"|implement|carry|known|expected)|unsupported|unrecogni[sz]ed|unknown|unexpected|unavailable"
    r"|extra (?:inputs|fields)|extra_forb|\bmay (?:only|not)\b|\bmust (?:be|alternate)\b|\bdo(?:es)? not\b"
    r"|deprecated|no longer|\buse '?\w+'? instead|\binvalid\b|\bonly\b",
    re.IGNORECASE,
)
_BOUND = re.compile(r"\b(?:" + "|".join(sorted(BOUNDS)) + r")\b")
# "json_schema" names the format, "schema" what is in it.
_SCHEMA = re.compile(r"(?<![_a-z])schemas?\b|response_schema|\bproperties\b|\bkeyword", re.IGNORECASE)
_FORMAT = re.compile(
    r"response[_ ]format|json_schema|json[_ ]object|json mode|structured[_ ]outputs?|guided[_ ]|output_config"
    r"|output_format|response_(?:mime_type|schema)",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"[\"'`](?:system|developer)[\"'`]|\b(?:system|developer) (?:role|message|prompt|instruction)s?\b"
    r"|\broles? \W?system|roles must alternate",
    re.IGNORECASE,
)
_LIMITS = ("max_tokens", "max_completion_tokens")
_SHORT = 4
"""A name of so few letters ("n", "seed", "stop") is a word of its own; it counts only where it is written as a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """What an endpoint refuses of a request."""

    part: Part | Literal["parameter"]
    name: str
    """The field, as it is called in the body."""


def refused_in(raw: str, sent: Set[str]) -> Refused | None:
    """What an error with status 400 or 422 says that it refuses; None where it speaks of something else.

    Args:
        raw: the body of the answer.
        sent: the fields of the request's body.
    """
    document = parse_json(raw)
    inner = _inner(document)
    field = _field(inner)
    message = (_message(inner) or ("" if document is not None else raw))[:MOST_READ]
    refuses = bool(_REFUSES.search(message)) or _text(inner, "code").startswith("unsupported")
    if _BOUND.search(message) and _SCHEMA.search(message):
        return Refused(part="schema_bounds", name="response_format")
    if not refuses and not field:
        return None
    if field.startswith("messages"):
        return Refused(part="system_role", name="messages") if "role" in field or _ROLE.search(message) else None
    name = _named(field, message, sent)
    if name in _LIMITS:
        # A limit that is too large is another matter, which may differ from item to item.
        return Refused(part="token_limit", name=name) if refuses and not _is_too_large(message) else None
    if name in ("response_format", "output_config") or (not name and _FORMAT.search(message)):
        return Refused(part="response_format", name=name or "response_format")
    if name:
        return Refused(part="parameter", name=name)
    return Refused(part="system_role", name="messages") if _ROLE.search(message) else None


def _named(field: str, message: str, sent: Set[str]) -> str:
    """The field of the body that is meant: the one named apart, else the first one that stands in the message."""
    parts = [part for part in re.split(r"[.\[\]]+", field) if part]
    for part in parts:
        if part in sent:
            return part
    if parts:
        return ""
    found = [(place, name) for name in sent - {"messages", "model"} if (place := _place(name, message)) >= 0]
    return min(found)[1] if found else ""


def _place(name: str, message: str) -> int:
    quoted = re.search(rf"[\"'`]{re.escape(name)}[\"'`]|^{re.escape(name)}(?:\.[\w.]+)?:", message)
    plain = None if len(name) <= _SHORT else re.search(rf"(?<![\w'-]){re.escape(name)}(?![\w-])", message)
    places = [match.start() for match in (quoted, plain) if match is not None]
    return min(places, default=-1)


def _is_too_large(message: str) -> bool:
    return bool(re.search(r"too (?:large|high|long|big)|at most|context (?:length|window)|exceed|less than", message))


def _inner(document: Json) -> Json:
    if isinstance(document, list) and document:
        document = document[0]
    if not isinstance(document, Mapping):
        return None
    found = document.get("error") or document.get("Error") or document.get("detail") or document
    said = found.get("message") if isinstance(found, Mapping) else None
    # Mistral puts FastAPI's answer into the message, as JSON or as a text of it.
    nested = parse_json(said) if isinstance(said, str) and said.startswith("{") else said
    if isinstance(nested, Mapping) and isinstance(nested.get("detail"), list):
        return nested["detail"]
    return nested if isinstance(nested, list) else found


def _field(inner: Json) -> str:
    """The field that the error names apart from its message, as a dotted path; empty where there is none."""
    if isinstance(inner, Mapping):
        violations = [each.get("fieldViolations") for each in _objects(inner.get("details"))]
        google = [_text(each, "field") for found in violations for each in _objects(found)]
        return _text(inner, "param") or next(filter(None, google), "")
    for each in _objects(inner):
        place = each.get("loc")
        if isinstance(place, list):
            return ".".join(str(part) for part in place if part != "body")
    return ""


def _message(inner: Json) -> str:
    match inner:
        case str():
            return inner
        case Mapping():
            return _text(inner, "message") or _text(inner, "Message") or _text(inner, "msg")
        case _:
            return "; ".join(f"{_text(each, 'type')} {_text(each, 'msg')}" for each in _objects(inner))


def _objects(value: Json) -> Iterable[Mapping[str, Json]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def _text(holder: Json, name: str) -> str:
    value = holder.get(name) if isinstance(holder, Mapping) else None
    return value if isinstance(value, str) else ""
