"""Inspection: every row of a store looked at on its own, as far as a damaged database lets itself be read."""

import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from venire.domain.identity import canonical_json, content_id, id_of_canonical
from venire.store import judgment_rows, rows
from venire.store.cells import unpack_json, unpack_raw
from venire.store.schema import METADATA, MIGRATIONS

_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, zlib.error)
_MOST_OF_SQLITE = 20
"""Complaints of SQLite's own check: after these the file is known to be broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """One thing wrong with a store."""

    table: str
    """"database" where it is about the file as a whole."""
    row: int
    """The row's number in its table; 0 where it is about the table as a whole."""
    id: str
    """What the row is about, where that can be read."""
    message: str

    def __str__(self) -> str:
        place = f"{self.table}, row {self.row}" if self.row else self.table
        return f"{place}{f' ({self.id})' if self.id else ''}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected:
    """What was looked at, and what is wrong."""

    n_rows: dict[str, int]
    """By table: rows that could be read."""
    damages: tuple[Damage, ...]
    is_older: bool = False
    """Whether an earlier venire wrote it: its rows were not looked at, since they would be read otherwise."""


Check = Callable[[Any], "str | None"]
"""Says what is wrong with a row, None where nothing is; raises what reading it raises."""


def inspect_store(path: Path) -> Inspected:
    """Look at every row of a store; reads only, and works on a torn or partly corrupt file."""
    n_rows: dict[str, int] = {}
    damages: list[Damage] = []
    with closing(_connect(path)) as connection:
        whole = list(_inspect_file(connection))
        damages += whole
        if not whole and _version(connection) < 1 + len(MIGRATIONS):
            return Inspected(n_rows={}, damages=(), is_older=True)
        for table, query, check, name in _TABLES:
            if whole and not _has_table(connection, table):
                continue
            n_rows[table] = 0
            try:
                for number, row in enumerate(connection.execute(query), start=1):
                    n_rows[table] += 1
                    wrong = _try(check, row)
                    if wrong is not None:
                        damages.append(Damage(table=table, row=number, id=_name(row, name), message=wrong))
            except (sqlite3.Error, UnicodeError) as error:
                message = f"cannot be read beyond row {n_rows[table]}: {error}"
                damages.append(Damage(table=table, row=0, id="", message=message))
    return Inspected(n_rows=n_rows, damages=tuple(damages))


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=30.0)
    connection.row_factory = lambda cursor, values: SimpleNamespace(
        **dict(zip((column[0] for column in cursor.description), values, strict=True))
    )
    return connection


def _inspect_file(connection: sqlite3.Connection) -> Iterator[Damage]:
    def damage(message: str) -> Damage:
        return Damage(table="database", row=0, id="", message=message)

    try:
        for row in connection.execute(f"PRAGMA integrity_check({_MOST_OF_SQLITE})"):
            said = next(iter(vars(row).values()))
            if said != "ok":
                yield damage(str(said))
        tables = {row.name for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        missing = sorted(set(METADATA.tables) - tables)
        if missing:
            yield damage(f"the tables {missing!r} are missing")
            return
        if _version(connection) > 1 + len(MIGRATIONS):
            yield damage(f"its schema version is {_version(connection)}; this venire knows {1 + len(MIGRATIONS)}")
    except sqlite3.Error as error:
        yield damage(f"not readable as a database: {error}")


def _version(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()
    return int(row.value) if row is not None and str(row.value).isdecimal() else 0


def _has_table(connection: sqlite3.Connection, table: str) -> bool:
    try:
        connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()
    except sqlite3.Error:
        return False
    return True


def _try(check: Check, row: Any) -> str | None:
    try:
        return check(row)
    except _UNREADABLE as error:
        return f"cannot be read back: {error!r}"


def _name(row: Any, column: str) -> str:
    value = getattr(row, column, "")
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


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
    if row.asked is None:
        return f"its call {judgment.call_id} was never asked"
    derived = content_id([row.asked, judgment.sample, judgment.attempt])
    if derived != judgment.call_id:
        return f"sample {judgment.sample}, attempt {judgment.attempt} of its request have the call id {derived}"
    return None


def _check_item(row: Any) -> str | None:
    rows.read_item(row)
    return None


def _check_annotation(row: Any) -> str | None:
    annotation = rows.read_annotation(row)
    return None if row.known is not None else f"its item {annotation.subject.item_id!r} is not in the run"


_TABLES: Sequence[tuple[str, str, Check, str]] = (
    ("requests", "SELECT * FROM requests ORDER BY number", _check_request, "request_id"),
    (
        "exchanges",
        "SELECT e.*, r.content, (SELECT count(*) FROM completions c WHERE c.exchange_id = e.exchange_id) "
        "AS n_completions FROM exchanges e LEFT JOIN requests r ON r.request_id = e.request_id ORDER BY e.exchange_id",
        _check_exchange,
        "exchange_id",
    ),
    (
        "completions",
        "SELECT c.*, e.call_ids FROM completions c LEFT JOIN exchanges e ON e.exchange_id = c.exchange_id "
        "ORDER BY c.exchange_id, c.position",
        _check_completion,
        "call_id",
    ),
    (
        "failed_calls",
        "SELECT f.*, e.call_ids FROM failed_calls f LEFT JOIN exchanges e ON e.exchange_id = f.exchange_id "
        "ORDER BY f.call_id, f.exchange_id",
        _check_failed_call,
        "call_id",
    ),
    (
        "judgments",
        "SELECT j.*, coalesce("
        "(SELECT e.request_id FROM completions c JOIN exchanges e ON e.exchange_id = c.exchange_id "
        "WHERE c.call_id = j.call_id LIMIT 1), "
        "(SELECT e.request_id FROM failed_calls f JOIN exchanges e ON e.exchange_id = f.exchange_id "
        "WHERE f.call_id = j.call_id LIMIT 1)) AS asked FROM judgments j",
        _check_judgment,
        "item_id",
    ),
    ("items", "SELECT * FROM items ORDER BY position", _check_item, "item_id"),
    (
        "annotations",
        "SELECT a.*, i.item_id AS known FROM annotations a LEFT JOIN items i ON i.item_id = a.item_id "
        "ORDER BY a.position",
        _check_annotation,
        "item_id",
    ),
)
