"""Rows on their own: whether each holds what its ids say, and whether what it refers to is there."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from venire.domain.identity import canonical_json, content_id, id_of_canonical
from venire.domain.judgment import IMPORTED_READER
from venire.store import judgment_rows, rows
from venire.store.cells import unpack_json, unpack_raw
from venire.store.outline_rows import outline_cells

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, zlib.error)
"""What reading a row raises that somebody changed."""

Check = Callable[[Any], "str | None"]
"""Says what is wrong with a row, None where nothing is; raises what reading it raises."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """How the rows of one table are looked at."""

    table: str
    select: str
    """All that the check wants to know, up to WHERE."""
    order: str
    check: Check
    name: str
    """The column that says what a row is about."""
    key: str = ""
    """A column of whole numbers that the order begins with: rows behind a damaged page can be found by it."""


def try_check(check: Check, row: Any) -> str | None:
    """What is wrong with a row, none of it raised."""
    try:
        return check(row)
    except UNREADABLE as error:
        return f"cannot be read back: {error!r}"


def _check_request(row: Any) -> str | None:
    derived = id_of_canonical(canonical_json(unpack_json(row.content)))
    rows.read_request(row)
    return None if derived == row.request_id else f"its content has the id {derived}: it was changed"


def _check_exchange(row: Any) -> str | None:
    unpack_raw(row.raw)
    if row.content is None:
        return f"its request {row.request_id} is not there"
    rows.read_exchange(row, ())
    if row.n_completions < len(unpack_json(row.call_ids)) and row.error_kind is None and not row.n_completions:
        return "it has neither an answer nor an error"
    return None


def _check_completion(row: Any) -> str | None:
    rows.read_completion(row)
    if row.call_ids is None:
        return f"its exchange {row.exchange_id} is not there"
    if rows.read_call_id(row) not in unpack_json(row.call_ids):
        return f"exchange {row.exchange_id} did not ask for it"
    return None


def _check_failed_call(row: Any) -> str | None:
    if row.call_ids is None:
        return f"its exchange {row.exchange_id} is not there"
    if rows.read_call_id(row) not in unpack_json(row.call_ids):
        return f"exchange {row.exchange_id} did not ask for it"
    return None


def _check_judgment(row: Any) -> str | None:
    judgment = judgment_rows.read_judgment(row)
    if judgment.reader_version == IMPORTED_READER:
        return None
    if row.asked is None:
        return f"its call {judgment.call_id} was never asked"
    derived = content_id([row.asked, judgment.sample, judgment.attempt])
    if derived != judgment.call_id:
        return f"sample {judgment.sample}, attempt {judgment.attempt} of its request have the call id {derived}"
    return None


def _check_item(row: Any) -> str | None:
    item = rows.read_item(row)
    cells = outline_cells(item)
    is_same = all(cells[name] == getattr(row, name) for name in cells)
    return None if is_same else f"its outline {row.outline!r}, group {row.item_group!r} is not that of its content"


def _check_annotation(row: Any) -> str | None:
    annotation = rows.read_annotation(row)
    return None if row.known is not None else f"its item {annotation.subject.item_id!r} is not in the run"


INSPECTIONS: Sequence[Inspection] = (
    Inspection(
        table="requests",
        select="SELECT * FROM requests",
        order="number",
        key="number",
        check=_check_request,
        name="request_id",
    ),
    Inspection(
        table="exchanges",
        select="SELECT e.*, r.content, (SELECT count(*) FROM completions c WHERE c.exchange_id = e.exchange_id) "
        "AS n_completions FROM exchanges e LEFT JOIN requests r ON r.request_id = e.request_id",
        order="e.exchange_id",
        key="e.exchange_id",
        check=_check_exchange,
        name="exchange_id",
    ),
    Inspection(
        table="completions",
        select="SELECT c.*, e.call_ids FROM completions c LEFT JOIN exchanges e ON e.exchange_id = c.exchange_id",
        order="c.exchange_id, c.position",
        key="c.exchange_id",
        check=_check_completion,
        name="call_id",
    ),
    Inspection(
        table="failed_calls",
        select="SELECT f.*, e.call_ids FROM failed_calls f LEFT JOIN exchanges e ON e.exchange_id = f.exchange_id",
        order="f.call_id, f.exchange_id",
        check=_check_failed_call,
        name="call_id",
    ),
    Inspection(
        table="judgments",
        select="SELECT j.*, coalesce("
        "(SELECT e.request_id FROM completions c JOIN exchanges e ON e.exchange_id = c.exchange_id "
        "WHERE c.call_id = j.call_id LIMIT 1), "
        "(SELECT e.request_id FROM failed_calls f JOIN exchanges e ON e.exchange_id = f.exchange_id "
        "WHERE f.call_id = j.call_id LIMIT 1)) AS asked FROM judgments j",
        order="j.design_id, j.item_id, j.responses, j.criterion_id, j.judge_id, j.shown, j.sample, j.attempt",
        check=_check_judgment,
        name="item_id",
    ),
    Inspection(
        table="items",
        select="SELECT * FROM items",
        order="position",
        key="position",
        check=_check_item,
        name="item_id",
    ),
    Inspection(
        table="annotations",
        select="SELECT a.*, i.item_id AS known FROM annotations a LEFT JOIN items i ON i.item_id = a.item_id",
        order="a.position",
        key="a.position",
        check=_check_annotation,
        name="item_id",
    ),
)
