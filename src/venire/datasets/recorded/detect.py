"""Which shape recorded judgments have: told by their first rows."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from venire.datasets.recorded.composo import is_composo, read_composo
from venire.datasets.recorded.published_pairs import is_alpaca, is_arena, read_alpaca, read_arena
from venire.datasets.recorded.published_scores import (
    is_inspect,
    is_promptfoo,
    is_rewardbench,
    read_inspect,
    read_promptfoo,
    read_rewardbench,
)
from venire.datasets.recorded.records import read_document, read_records
from venire.datasets.recorded.table import is_table, read_table
from venire.datasets.recorded.tidy import is_tidy, read_tidy
from venire.datasets.recorded.votes import Recorded
from venire.domain.identity import Json
from venire.errors import UsageError

SHAPES = (
    "tidy (items with id, task, answers; judgments with item_id, judge)",
    "a table (item, judge, and label or score)",
    "raw scores (id, subset, prompt_variant, full_scores …)",
    "annotations of alpaca_eval (instruction, output_1, output_2, preference)",
    "judgments of arena-hard (judge, model, games)",
    "results of promptfoo, logs of inspect, scores of RewardBench 2 (one JSON document)",
)


def read_recorded(items: Path, judgments: Sequence[Path]) -> Recorded:
    """Read recorded judgments in whichever shape they are.

    Raises:
        UsageError: they are in none that is known, or a shape takes one file and there are several.
    """
    document = read_document(judgments[0])
    if document is not None and (found := _of_document(document, judgments[0])) is not None:
        return found
    first = _first(judgments[0])
    if is_composo(first):
        return read_composo(list(dict.fromkeys([items, *judgments])))
    if len(judgments) > 1:
        raise UsageError(f"There are {len(judgments)} files of judgments; this shape takes one. Join them.")
    if is_alpaca(first):
        return read_alpaca(judgments[0])
    if is_arena(first):
        return read_arena(judgments[0])
    if is_tidy(_first(items), first):
        return read_tidy(items, judgments[0])
    if is_table(first):
        return read_table(items, judgments[0])
    raise UsageError(
        f"{str(judgments[0])!r}: its first row has the fields {sorted(first)!r}; none of the shapes that are known. "
        f"Known are: {'; '.join(SHAPES)}."
    )


def _of_document(document: Mapping[str, Json], path: Path) -> Recorded | None:
    if is_promptfoo(document):
        return read_promptfoo(document, path)
    if is_inspect(document):
        return read_inspect(document, path)
    return read_rewardbench(document, path) if is_rewardbench(document) else None


def _first(path: Path) -> Mapping[str, Json]:
    return next(read_records(path)).fields
