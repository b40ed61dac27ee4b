"""JSON as it should be written: no NaN, no infinite number, no key twice; and text that UTF-8 can carry."""

import json
import math
import re

from venire.datasets.complaints import BadValue
from venire.domain.identity import Json

MAX_DEPTH = 100
"""Objects and lists inside one another; real rows have fewer than ten, and Python's own limit is a crash."""

_LONE_HALF = re.compile("[\ud800-\udfff]")


def clean_text(text: str) -> str:
    """Replace every lone half of a surrogate pair by U+FFFD; the one place where that is done.

    A JSON escape such as "\\ud83d" loads into a string that can be neither hashed, sent nor stored as UTF-8.
    Everything else, zero characters included, stays as it is.
    """
    return text if text.isascii() else _LONE_HALF.sub("\ufffd", text)


def count_lone_halves(value: Json) -> int:
    """How many lone halves of surrogate pairs a JSON value holds, in keys and texts."""
    if isinstance(value, str):
        return 0 if value.isascii() else len(_LONE_HALF.findall(value))
    if isinstance(value, list):
        return sum(count_lone_halves(element) for element in value)
    if isinstance(value, dict):
        return sum(count_lone_halves(key) + count_lone_halves(element) for key, element in value.items())
    return 0


def clean_value(value: Json) -> Json:
    """A JSON value with every text and key cleaned."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [clean_value(element) for element in value]
    if isinstance(value, dict):
        return {clean_text(key): clean_value(element) for key, element in value.items()}
    return value


def parse_json(text: str) -> Json:
    """The JSON value that a text holds.

    Raises:
        BadValue: the text is no JSON, or JSON that two readers could take for different things.
    """
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        raise BadValue(f"lists and objects lie more than {MAX_DEPTH} deep in one another; flatten them")
    try:
        value: Json = json.loads(
            text, object_pairs_hook=_as_object, parse_float=_finite_number, parse_constant=_refuse_constant
        )
    except json.JSONDecodeError as error:
        raise BadValue(
            f"{_start_of(text)!r} is not JSON: {error.msg} at character {error.pos + 1}; mend the line or take it out"
        ) from error
    except BadValue:
        raise
    except ValueError as error:  # Python refuses whole numbers of more than 4300 digits
        raise BadValue(f"a number cannot be read: {error}") from error
    return value


def parse_object(text: str) -> dict[str, Json]:
    """The JSON object that a text holds.

    Raises:
        BadValue: the text is no JSON object.
    """
    return as_object(parse_json(text))


def as_object(value: Json) -> dict[str, Json]:
    """A JSON value that must be an object.

    Raises:
        BadValue: it is something else.
    """
    if not isinstance(value, dict):
        raise BadValue(f"{_start_of(json.dumps(value))!r} is not an object; each row is one JSON object in braces")
    return value


def _as_object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadValue(f"key {twice!r} occurs twice in one object; which value holds cannot be known. Keep one.")
    return fields


def _finite_number(written: str) -> float:
    number = float(written)
    if not math.isfinite(number):
        raise BadValue(f"the number {written} is too large to be one; write it as text or mend it")
    return number


def _refuse_constant(written: str) -> Json:
    raise BadValue(f"{written} is not JSON; leave the field out, or write null, where there is no number")


def _depth(text: str) -> int:
    depth = deepest = 0
    for mark in re.findall(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', text, re.DOTALL):
        if mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark in "]}":
            depth -= 1
    return deepest


def _start_of(text: str) -> str:
    text = text.strip()
    return text if len(text) <= 60 else text[:59] + "…"
