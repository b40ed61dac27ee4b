"""Content ids: the same content has the same id, everywhere and for ever."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import NewType

ItemId = NewType("ItemId", str)
JudgeId = NewType("JudgeId", str)
CriterionId = NewType("CriterionId", str)
RequestId = NewType("RequestId", str)
CallId = NewType("CallId", str)
DesignId = NewType("DesignId", str)

JsonScalar = str | int | float | bool | None
Json = JsonScalar | Sequence["Json"] | Mapping[str, "Json"]

OVERALL = CriterionId("overall")
"""The reserved criterion id under which the combination of all criteria is reported."""

BEST_OF_N = CriterionId("best_of_n")
"""The reserved criterion id under which the best of an item's responses is reported, where each was rated alone."""


# One encoder for all: json.dumps with options makes a new one for each call.
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def canonical_json(value: Json) -> str:
    """Write a JSON value in the one form that is hashed: sorted keys, no spaces, ASCII, no NaN.

    Raises:
        ValueError: a number is not finite.
    """
    return _CANONICAL.encode(value)


def content_id(value: Json) -> str:
    """Name a JSON value by its content: `sha256:` and the first 128 bits in hexadecimal.

    128 bits keep the chance of any collision among 10^12 values below 10^-14 (birthday bound).
    """
    return id_of_canonical(canonical_json(value))


def id_of_canonical(text: str) -> str:
    """As `content_id`, of a value that has been written by `canonical_json` already."""
    return f"sha256:{hashlib.sha256(text.encode('ascii')).hexdigest()[:32]}"


def seeded_index(n_choices: int, *key: Json) -> int:
    """Choose 0 … n_choices − 1 from a key: the same key chooses the same, in any order of asking.

    The modulo bias is below n_choices / 2^64.
    """
    if n_choices < 1:
        raise ValueError(f"n_choices is {n_choices!r}; there must be at least one to choose from")
    digest = hashlib.sha256(canonical_json(list(key)).encode("ascii")).digest()
    return int.from_bytes(digest[:8], "big") % n_choices
