"""Verdicts as files: flat records, one a line or as a typed table."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from venire.domain.finding import Undefined
from venire.domain.identity import ItemId, Json
from venire.domain.item import Item
from venire.domain.rubric import Value
from venire.domain.verdict import Decided, Shared, Undecided, Verdict
from venire.errors import UsageError
from venire.store.folder import VERDICTS_JSONL, VERDICTS_PARQUET, RunFolder

if TYPE_CHECKING:
    import polars

COLUMNS = (
    "item",
    "responses",
    "systems",
    "criterion",
    "outcome",
    "value",
    "shared",
    "winner",
    "reason",
    "support",
    "support_undefined",
    "spread",
    "spread_undefined",
    "n_seated",
    "n_counted",
    "missing",
)
"""The fields of a record, in order; every record has them all."""

Record = dict[str, Json]

CHUNK = 5000
"""Records that are held as Python objects while the table is made."""


def verdict_record(verdict: Verdict, item: Item | None) -> Record:
    """One verdict as a flat record with the fields of COLUMNS; a field that does not apply is null.

    Args:
        item: the verdict's item, for the names of systems; None where it is not known.
    """
    subject, outcome = verdict.subject, verdict.outcome
    value = outcome.value if isinstance(outcome, Decided) else None
    return {
        "item": subject.item_id,
        "responses": list(subject.responses),
        "systems": [_system(item, index) for index in subject.responses],
        "criterion": verdict.criterion_id,
        "outcome": _kind(verdict),
        "value": value,
        "shared": list(outcome.values) if isinstance(outcome, Shared) else None,
        "winner": _winner(verdict, item, value),
        "reason": outcome.reason if isinstance(outcome, Undecided) else None,
        "support": _figure(verdict.support),
        "support_undefined": _why_undefined(verdict.support),
        "spread": _figure(verdict.spread),
        "spread_undefined": _why_undefined(verdict.spread),
        "n_seated": verdict.n_seated,
        "n_counted": verdict.n_counted,
        "missing": dict(verdict.missing),
    }


def write_verdicts(folder: RunFolder, verdicts: Iterable[Verdict], find_item: Callable[[ItemId], Item | None]) -> int:
    """Write the verdicts of a run as JSON lines and as Parquet; returns how many there were.

    Memory holds the table's columns, never all verdicts as objects.

    Args:
        find_item: looks an item up, such as `store.item`; verdicts of one item best come together.

    Raises:
        RunFolderError: a file cannot be written; what was there before is still there.
        ValueError: a figure is not finite, which strict JSON cannot hold.
    """
    import polars as pl

    look_up = lru_cache(maxsize=256)(find_item)
    records = (verdict_record(verdict, look_up(verdict.subject.item_id)) for verdict in verdicts)
    frames = [pl.DataFrame([], schema=_table_schema())]
    with folder.replacing(VERDICTS_JSONL) as draft, draft.open("wb") as lines:
        while chunk := list(islice(records, CHUNK)):
            lines.writelines(_json_line(record) for record in chunk)
            frames.append(pl.DataFrame([_table_row(record) for record in chunk], schema=_table_schema()))
    table = pl.concat(frames)
    with folder.replacing(VERDICTS_PARQUET) as draft:
        table.write_parquet(draft)
    return table.height


def write_records_parquet(records: Sequence[Mapping[str, Json]], path: Path) -> None:
    """Write flat records as Parquet.

    Raises:
        UsageError: the file cannot be written.
    """
    import polars as pl

    table = pl.DataFrame([{name: _deep_clean(cell) for name, cell in record.items()} for record in records])
    try:
        table.write_parquet(path)
    except OSError as error:
        why = error.strerror or error
        raise UsageError(f"{str(path)!r} could not be written: {why}. Name another file.") from error


def _deep_clean(cell: Json) -> object:
    if isinstance(cell, list | tuple):
        return [_deep_clean(one) for one in cell]
    if isinstance(cell, Mapping):
        return {name: _deep_clean(one) for name, one in cell.items()}
    return _clean(cell)


def _system(item: Item | None, index: int) -> str | None:
    if item is None or index >= len(item.responses):
        return None
    return item.responses[index].system


def _kind(verdict: Verdict) -> str:
    match verdict.outcome:
        case Decided():
            return "decided"
        case Shared():
            return "shared"
        case Undecided():
            return "undecided"


def _winner(verdict: Verdict, item: Item | None, value: Value | None) -> str | None:
    # Of one response a number is a rating, and of several a fraction is the mean of their criteria.
    responses = verdict.subject.responses
    is_index = len(responses) > 1 and isinstance(value, int) and value in responses
    return _system(item, value) if is_index and isinstance(value, int) else None


def _figure(figure: float | Undefined) -> float | None:
    return None if isinstance(figure, Undefined) else figure


def _why_undefined(figure: float | Undefined) -> str | None:
    return figure.reason if isinstance(figure, Undefined) else None


def _json_line(record: Record) -> bytes:
    text = json.dumps(record, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def _table_schema() -> "dict[str, polars.DataType]":
    import polars as pl

    special: dict[str, polars.DataType] = {
        "responses": pl.List(pl.Int64()),
        "systems": pl.List(pl.String()),
        "shared": pl.List(pl.String()),
        "support": pl.Float64(),
        "spread": pl.Float64(),
        "n_seated": pl.Int64(),
        "n_counted": pl.Int64(),
    }
    schema: dict[str, polars.DataType] = {name: special.get(name, pl.String()) for name in COLUMNS}
    schema["value_number"] = pl.Float64()
    return schema


def _table_row(record: Record) -> dict[str, object]:
    """The record with one type for each column: values as text, and as a number beside it where they are one."""
    value, shared = record["value"], record["shared"]
    row = {name: _clean(cell) for name, cell in record.items()}
    row["value"] = None if value is None else _clean(str(value))
    row["value_number"] = float(value) if isinstance(value, int | float) else None
    row["shared"] = None if not isinstance(shared, list) else [_clean(str(one)) for one in shared]
    row["missing"] = _clean(json.dumps(record["missing"], ensure_ascii=False))
    return row


def _clean(cell: object) -> object:
    # Parquet holds UTF-8 alone; lone surrogates become what they are in the JSON lines.
    if isinstance(cell, str):
        return cell if cell.isascii() else cell.encode("utf-8", "backslashreplace").decode()
    return [_clean(one) for one in cell] if isinstance(cell, list) else cell
