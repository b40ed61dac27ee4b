"""JSON objects in a reply: the strict reading, and objects that stand among other words."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Never

from venire.domain.folding import fold
from venire.domain.identity import Json

_FRAME = " \t`~"
"""What may stand beside an object on its lines: code fences."""

VERDICT_NAMES = ("verdict", "label", "score", "rating", "value", "answer")
"""What an entry in a list of verdicts may call its verdict."""

_LANGUAGE = re.compile(r"[\s`~]*(?:json\w*)?\s*", re.IGNORECASE)

_MOST = 100
"""Objects looked at: a ballot is one of them, and a reply that holds more is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundObject:
    """One JSON object of a reply and where it stands."""

    fields: dict[str, Json]
    """By folded name: a judge that writes "Correct" means "correct"."""
    repeated: frozenset[str]
    """Folded names that the object gives more than once."""
    is_whole: bool
    """Whether the reply is this object and nothing else."""
    has_own_lines: bool
    """Whether nothing but a code fence shares its lines."""
    is_last: bool
    """Whether no words follow it."""
    is_alone: bool = True
    """Whether the reply is this object and at most a code fence around it."""
    text: str = ""
    """As it stands in the reply."""

    @classmethod
    def of(cls, fields: dict[str, Json]) -> "FoundObject":
        """An object of these fields that is a reply of its own."""
        return cls(fields=fields, repeated=frozenset(), is_whole=True, has_own_lines=True, is_last=True)

    def holds_verdicts(self, names: Sequence[str]) -> bool:
        """Whether it has a field of one of these names, or a list of verdicts by id."""
        return any(name in self.fields for name in names) or self.listed_verdicts() is not None

    def listed_verdicts(self) -> Sequence[Mapping[str, Json]] | None:
        """The entries of its one list of {id, verdict}; None where it has no such list."""
        lists = [value for value in self.fields.values() if isinstance(value, list)]
        if len(lists) != 1:
            return None
        entries = [entry for entry in lists[0] if isinstance(entry, dict)]
        whole = [entry for entry in entries if "id" in entry and any(name in entry for name in VERDICT_NAMES)]
        return whole if len(whole) == len(lists[0]) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Braces:
    """Everything in braces in a reply."""

    objects: tuple[FoundObject, ...]
    """The outermost JSON objects, in order; none is taken out of braces that are not JSON themselves."""
    others: tuple[str, ...]
    """Texts in braces that are not JSON."""
    are_paired: bool
    """Whether every brace outside the objects has its partner: if not, nobody knows what an object is part of."""


def whole_object(text: str) -> FoundObject | None:
    """The object that a text is, and nothing else; None where it is none."""
    if not (text.startswith("{") and text.endswith("}")):
        return None
    try:
        found, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    if end < len(text):
        return None
    return FoundObject(fields=found, repeated=found.repeated, is_whole=True, has_own_lines=True, is_last=True)


def find_braces(text: str) -> Braces:
    """Find the JSON objects in a text; one pass, and strict: no NaN, no repairs."""
    objects: list[FoundObject] = []
    others: list[str] = []
    are_paired, position = True, 0
    while len(objects) < _MOST and (start := text.find("{", position)) >= 0:
        are_paired = are_paired and "}" not in text[position:start]
        try:
            found, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = _end_of_braces(text, start)
            are_paired = are_paired and end <= len(text)
            others.append(text[start:end])
        else:
            objects.append(_place(found, text, start, end))
        position = end
    are_paired = are_paired and not re.search(r"[{}]", text[position:])
    return Braces(objects=tuple(objects), others=tuple(others), are_paired=are_paired)


class _Fields(dict[str, Any]):
    """An object that remembers which of its names were given twice."""

    repeated: frozenset[str]


_NONE: frozenset[str] = frozenset()


def _collect(pairs: list[tuple[str, Any]]) -> _Fields:
    named = [(fold(name), value) for name, value in pairs]
    fields = _Fields(named)
    fields.repeated = _NONE
    if len(fields) < len(named):
        fields.repeated = frozenset(name for name, n in Counter(name for name, _ in named).items() if n > 1)
    return fields


def _refuse(word: str) -> Never:
    raise ValueError(f"{word} is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{digits} is too large for a number")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_collect, parse_constant=_refuse, parse_float=_finite)


def _place(found: _Fields, text: str, start: int, end: int) -> FoundObject:
    before, after = text[:start], text[end:]
    return FoundObject(
        fields=found,
        repeated=found.repeated,
        is_whole=not before.strip() and not after.strip(),
        has_own_lines=not before.rpartition("\n")[2].strip(_FRAME) and not after.partition("\n")[0].strip(_FRAME),
        is_last=not after.strip(_FRAME + "\r\n"),
        is_alone=_LANGUAGE.fullmatch(before) is not None and not after.strip(_FRAME + "\r\n"),
        text=text[start:end],
    )


def _end_of_braces(text: str, start: int) -> int:
    # Without JSON there are no strings to be told from braces: count them all. Past the end: never closed.
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] == "{") - (text[position] == "}")
        if depth == 0:
            return position + 1
    return len(text) + 1
