"""JSON objects in a reply: the strict reading, and objects that stand among other words."""

import json
from dataclasses import dataclass
from typing import Any, Never, cast

from venire.domain.identity import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundObject:
    """One JSON object of a reply and where it stands."""

    fields: dict[str, Json]
    repeated: tuple[str, ...]
    """Names that the object gives more than once."""
    is_whole: bool
    """Whether the reply is this object and nothing else."""
    stands_alone: bool
    """Whether nothing but a code fence shares its lines and no words follow it."""


class _NotFinite(ValueError):
    pass


def find_objects(text: str) -> tuple[FoundObject, ...]:
    """Every outermost JSON object in the text, in order; text in braces that is not JSON is passed over."""
    decoder = json.JSONDecoder(object_pairs_hook=_Pairs, parse_constant=_refuse, parse_float=_finite)
    found: list[FoundObject] = []
    position = text.find("{")
    while position >= 0:
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            position = text.find("{", position + 1)
            continue
        pairs = cast("_Pairs", value)
        before = text[:position].rpartition("\n")[2].strip(" \t`~>")
        after = text[end:].strip(" \t\r\n`~")
        found.append(
            FoundObject(
                fields=_plain(pairs),
                repeated=tuple(sorted({name for name, _ in pairs if [n for n, _ in pairs].count(name) > 1})),
                is_whole=not text[:position].strip() and not text[end:].strip(),
                stands_alone=not before and not after,
            )
        )
        position = text.find("{", end)
    return tuple(found)


class _Pairs(list[tuple[str, Any]]):
    """An object as its pairs, so that a name given twice is seen."""


def _plain(value: Any) -> Any:
    if isinstance(value, _Pairs):
        return {name: _plain(inner) for name, inner in value}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value


def _refuse(word: str) -> Never:
    raise _NotFinite(f"{word} is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise _NotFinite(f"{digits} is too large for a number")
    return number
