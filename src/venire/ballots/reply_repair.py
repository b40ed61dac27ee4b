"""Almost JSON: a damaged ballot is mended, but no verdict in it is: each must stand whole in the reply."""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from venire.domain.folding import fold
from venire.domain.identity import Json

LONGEST = 50_000
"""Characters of a damaged object that are looked at: a ballot is far shorter."""

_QUOTE = "\"'“”‘’"
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_END = re.compile(r"\s*(?:[,}\]]|//|/\*|\n\s*[\"'“”‘’\w]+\s*:|\s[\"'“”‘’]\w+[\"'“”‘’]\s*:)")
"""What shows that the value before it is complete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """What could be saved of a damaged object."""

    fields: dict[str, Json]
    """By folded name; of the names asked for only those whose value stands whole in the text."""
    doubtful: frozenset[str]
    """Names asked for whose value is there but cannot be trusted: cut short, given twice, or no JSON value."""


def mend(text: str, names: Collection[str]) -> Mended | None:
    """Mend one damaged JSON object: quotes, commas, comments, Python's words, a missing end.

    Args:
        text: from its opening brace on.
        names: folded names of the fields that hold verdicts; their values are taken from the text alone.

    Returns:
        None where it is no object even so.
    """
    from json_repair import loads

    if len(text) > LONGEST:
        return None
    try:
        found: Any = loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    fields: dict[str, Json] = {fold(str(name)): value for name, value in found.items()}
    doubtful = {name for name in names if name in fields and not _stands_in(text, name, fields[name])}
    return Mended(
        fields={name: value for name, value in fields.items() if name not in doubtful}, doubtful=frozenset(doubtful)
    )


def _stands_in(text: str, name: str, value: Json) -> bool:
    """Whether the field stands once in the text, with just this value, and its end was seen."""
    key = re.compile(rf"(?<![\w-])[{_QUOTE}]?{re.escape(name)}[{_QUOTE}]?\s*:\s*", re.IGNORECASE)
    places = list(key.finditer(text))
    if len(places) != 1:
        return False
    rest = text[places[0].end() :]
    if isinstance(value, bool) or value is None:
        word = re.match(r"[A-Za-z]+", rest)
        return word is not None and _WORDS.get(word[0], "") is value and _ends(rest, word.end())
    if isinstance(value, int | float):
        number = _NUMBER.match(rest)
        return number is not None and _same(number[0], value) and _ends(rest, number.end())
    if isinstance(value, str):
        quoted = re.match(rf"[{_QUOTE}]{re.escape(value)}[{_QUOTE}]", rest)
        bare = re.match(rf"{re.escape(value)}(?=\s*[,}}])", rest)
        return quoted is not None or bare is not None
    return True  # a list or an object is no verdict, whatever is in it


def _same(written: str, value: float) -> bool:
    return abs(float(written)) != float("inf") and json.loads(written) == value


def _ends(rest: str, position: int) -> bool:
    return _END.match(rest, position) is not None
