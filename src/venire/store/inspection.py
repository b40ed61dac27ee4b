"""Inspection: every row of a store looked at on its own, as far as a damaged database lets itself be read."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from venire.errors import RunFolderError
from venire.store.database import connect_for_reading
from venire.store.row_checks import INSPECTIONS, Inspection, try_check
from venire.store.schema import METADATA, MIGRATIONS
from venire.store.upgrade import upgraded_copy

_KNOWN = 1 + len(MIGRATIONS)
_MOST_OF_SQLITE = 20
"""Complaints of SQLite's own check: after these the file is known to be broken."""
_MOST_SKIPPED = 20_000
"""Row numbers tried one by one behind a damaged page before a table is given up: more than a page of pages holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """One thing wrong with a store."""

    table: str
    """"database" where it is about the file as a whole."""
    row: int
    """The row's place in its table, from 1; 0 where it is about the table as a whole."""
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
    n_unread: int = 0
    """Completions that no judgment was read from."""
    is_older: bool = False
    """Whether an earlier venire wrote it: an upgraded copy was looked at."""


def inspect_store(path: Path) -> Inspected:
    """Look at every row of a store; reads only, and works on a torn or partly corrupt file.

    Raises:
        RunFolderError: the last rows are in a log that cannot be read where nothing may be written.
    """
    if not path.stat().st_size and not _log_of(path):
        return Inspected(n_rows={}, damages=())
    with _connected(path) as connection:
        whole = list(_inspect_file(connection))
        if whole or _version(connection) == str(_KNOWN):
            return _inspect_rows(connection, whole)
        try:
            with upgraded_copy(connection) as copy, _connected(copy) as upgraded:
                return replace(_inspect_rows(upgraded, []), is_older=True)
        except (RunFolderError, sqlite3.Error) as error:
            return Inspected(n_rows={}, damages=(_of_file(f"cannot be brought up to date: {error}"),), is_older=True)


def _log_of(path: Path) -> int:
    """Bytes in the write-ahead log beside a database."""
    log = path.with_name(f"{path.name}-wal")
    return log.stat().st_size if log.exists() else 0


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(connect_for_reading(path)) as connection:
        connection.row_factory = lambda cursor, values: SimpleNamespace(
            **dict(zip((column[0] for column in cursor.description), values, strict=True))
        )
        yield connection


def _of_file(message: str) -> Damage:
    return Damage(table="database", row=0, id="", message=message)


def _inspect_file(connection: sqlite3.Connection) -> Iterator[Damage]:
    try:
        for row in connection.execute(f"PRAGMA integrity_check({_MOST_OF_SQLITE})"):
            said = next(iter(vars(row).values()))
            if said != "ok":
                yield _of_file(str(said))
        tables = {row.name for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        missing = sorted(set(METADATA.tables) - tables)
        if missing:
            yield _of_file(f"the tables {missing!r} are missing")
            return
        version = _version(connection)
        if not (version.isdecimal() and 1 <= int(version) <= _KNOWN):
            yield _of_file(f"its schema version is {version!r}; this venire knows 1 to {_KNOWN}")
    except (sqlite3.Error, UnicodeError) as error:
        yield _of_file(f"not readable as a database: {error}")


def _version(connection: sqlite3.Connection) -> str:
    row = connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()
    return "" if row is None else str(row.value)


def _inspect_rows(connection: sqlite3.Connection, whole: list[Damage]) -> Inspected:
    n_rows: dict[str, int] = {}
    damages = list(whole)
    for inspection in INSPECTIONS:
        if whole and not _has_table(connection, inspection.table):
            continue
        n_rows[inspection.table] = 0
        for row in _rows(connection, inspection, damages):
            n_rows[inspection.table] += 1
            wrong = try_check(inspection.check, row)
            if wrong is not None:
                place, name = n_rows[inspection.table], _name(row, inspection.name)
                damages.append(Damage(table=inspection.table, row=place, id=name, message=wrong))
    return Inspected(n_rows=n_rows, damages=tuple(damages), n_unread=0 if damages else _count_unread(connection))


def _rows(connection: sqlite3.Connection, inspection: Inspection, damages: list[Damage]) -> Iterator[Any]:
    """The rows that can be read; what cannot is a damage, and those behind it are looked for."""
    column = inspection.key.rpartition(".")[2]
    where, last = "", -1
    while True:
        try:
            for row in connection.execute(f"{inspection.select} {where} ORDER BY {inspection.order}"):
                last = getattr(row, column) if column else last
                yield row
            return
        except (sqlite3.Error, UnicodeError) as error:
            behind = _behind(connection, inspection, last) if column else -1
            reach = f"{column} {last + 1} to {behind - 1}" if behind >= 0 else f"anything behind {column} {last}"
            message = f"{reach if column else 'the rest'} cannot be read: {error}"
            damages.append(Damage(table=inspection.table, row=0, id="", message=message))
            if behind < 0:
                return
            where = f"WHERE {inspection.key} >= {behind}"


def _behind(connection: sqlite3.Connection, inspection: Inspection, last: int) -> int:
    """The next number of a row that can be read; -1 where none is near."""
    for number in range(last + 2, last + 2 + _MOST_SKIPPED):
        try:
            where = f"WHERE {inspection.key} = {number} ORDER BY {inspection.order}"
            if connection.execute(f"{inspection.select} {where}").fetchone() is not None:
                return number
        except (sqlite3.Error, UnicodeError):
            continue
    return -1


def _count_unread(connection: sqlite3.Connection) -> int:
    query = "SELECT count(*) AS n FROM completions WHERE call_id NOT IN (SELECT call_id FROM judgments)"
    return int(connection.execute(query).fetchone().n)


def _has_table(connection: sqlite3.Connection, table: str) -> bool:
    try:
        connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()
    except sqlite3.Error:
        return False
    return True


def _name(row: Any, column: str) -> str:
    value = getattr(row, column, "")
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
