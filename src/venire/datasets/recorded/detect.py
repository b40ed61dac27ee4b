"""Which shape recorded judgments have: told by their first rows."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from venire.datasets.recorded.composo import is_composo, read_composo
from venire.datasets.recorded.records import read_records
from venire.datasets.recorded.table import is_table, read_table
from venire.datasets.recorded.tidy import is_tidy, read_tidy
from venire.datasets.recorded.votes import Recorded
from venire.domain.identity import Json
from venire.errors import UsageError

SHAPES = (
    "tidy (items with id, task, answers; judgments with item_id, judge)",
    "a table (item, judge, and label or score)",
    "raw scores (id, subset, prompt_variant, full_scores …)",
)


def read_recorded(items: Path, judgments: Sequence[Path]) -> Recorded:
    """Read recorded judgments in whichever shape they are.

    Raises:
        UsageError: they are in none that is known, or a shape takes one file and there are several.
    """
    first = _first(judgments[0])
    if is_composo(first):
        return read_composo(list(dict.fromkeys([items, *judgments])))
    if len(judgments) > 1:
        raise UsageError(f"There are {len(judgments)} files of judgments; this shape takes one. Join them.")
    if is_tidy(_first(items), first):
        return read_tidy(items, judgments[0])
    if is_table(first):
        return read_table(items, judgments[0])
    raise UsageError(
        f"{str(judgments[0])!r}: its first row has the fields {sorted(first)!r}; none of the shapes that are known. "
        f"Known are: {'; '.join(SHAPES)}."
    )


def _first(path: Path) -> Mapping[str, Json]:
    return next(read_records(path)).fields
