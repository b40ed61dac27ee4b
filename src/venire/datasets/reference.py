"""A reference ranking: a score for every system, from a file."""

import json
import math
from collections.abc import Mapping
from pathlib import Path

from venire.errors import UsageError


def read_reference(path: Path) -> Mapping[str, float]:
    """Read a JSON object of system and score; higher is better.

    Raises:
        UsageError: the file cannot be read, or is no such object.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise UsageError(f"{str(path)!r} is not JSON: {error}.") from error
    wanted = 'a JSON object of system and score such as {"system-a": 1.5}'
    if not isinstance(content, dict) or not content:
        raise UsageError(f"{str(path)!r} holds {str(content)[:60]!r}; expected {wanted}.")
    for system, score in content.items():
        if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
            raise UsageError(f"{str(path)!r}: the score of {system!r} is {score!r}; expected {wanted}.")
    return {system: float(score) for system, score in content.items()}
