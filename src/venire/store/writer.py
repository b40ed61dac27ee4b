"""The one thread that writes: commits in groups, and answers each write when it is on the disk."""

import queue
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from threading import Lock, Thread

from sqlalchemy import Connection, Insert, insert
from sqlalchemy.dialects.sqlite import dialect
from sqlalchemy.dialects.sqlite import insert as upsert

from venire.errors import RunFolderError
from venire.store.cells import Cell, Cells
from venire.store.database import explain_error, is_database_error
from venire.store.schema import ANNOTATIONS, COMPLETIONS, EXCHANGES, FAILED_CALLS, ITEMS, JUDGMENTS, REQUESTS

MAX_ROWS = 500
"""A transaction takes in waiting writes until it holds this many values; one write is never split."""

MAX_WAITING = 4096
"""Writes that may wait; the next caller waits with them, so that memory does not grow behind a slow disk."""

Batch = Mapping[str, list[Cells]]
"""Rows to insert, by table."""

_STATEMENTS: Mapping[str, Insert] = {
    "requests": upsert(REQUESTS).on_conflict_do_nothing(),
    "exchanges": insert(EXCHANGES),
    "completions": insert(COMPLETIONS),
    "failed_calls": upsert(FAILED_CALLS).on_conflict_do_nothing(),
    "judgments": insert(JUDGMENTS).prefix_with("OR REPLACE"),
    "items": insert(ITEMS),
    "annotations": insert(ANNOTATIONS),
}

_COLUMNS: Mapping[str, tuple[str, ...]] = {
    table.name: tuple(column.name for column in table.columns if column.name != "number")
    for table in (REQUESTS, EXCHANGES, COMPLETIONS, FAILED_CALLS, JUDGMENTS, ITEMS, ANNOTATIONS)
}
"""All columns of each table but the one that numbers itself."""


@lru_cache
def _statement(table: str) -> tuple[str, Callable[[Cells], tuple[Cell, ...]]]:
    """The statement that inserts a row, as the driver takes it, and what picks a row's cells in its order.

    Cells are what sqlite3 stores, so nothing is left to convert; SQLAlchemy would go through every row to find out.
    """
    columns = _COLUMNS[table]
    compiled = _STATEMENTS[table].compile(dialect=dialect(paramstyle="qmark"), column_keys=columns)
    return str(compiled), itemgetter(*columns)


def insert_rows(connection: Connection, table: str, rows: Sequence[Cells]) -> None:
    """Insert rows, each with a cell for every column."""
    _insert(_driver_of(connection), table, rows)


def _insert(driver: sqlite3.Connection, table: str, rows: Sequence[Cells]) -> None:
    if rows:
        statement, cells_of = _statement(table)
        driver.executemany(statement, list(map(cells_of, rows)))


def _driver_of(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection), "the store's engine opens SQLite files"
    return driver


class Receipt(Future[None]):
    """A future that remembers whether anybody has looked at its outcome."""

    was_seen = False

    def result(self, timeout: float | None = None) -> None:
        """Wait for the write; raises what went wrong."""
        self.was_seen = True
        return super().result(timeout)

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Wait for the write; returns what went wrong."""
        self.was_seen = True
        return super().exception(timeout)


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """Values to be added; many of them share a transaction."""

    n_values: int
    make_batch: Callable[[], Batch]
    """Called in the writer's thread, once for each try."""
    receipt: Receipt = field(default_factory=Receipt)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """A change that has a transaction to itself."""

    apply: Callable[[Connection], None]
    receipt: Receipt = field(default_factory=Receipt)


@dataclass(frozen=True, slots=True)
class Stop:
    """Nothing comes after this."""


Write = Append | Rewrite


class Writer:
    """Owns the writing connection. `submit` may be called from any thread."""

    def __init__(self, connection: Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._waiting: queue.Queue[Write | Stop] = queue.Queue(MAX_WAITING)
        self._held: Write | Stop | None = None
        self._failed: list[Receipt] = []
        self._gate = Lock()
        self._is_open = True
        # A daemon: a program that forgets to close must still end. What was not acknowledged was not promised.
        self._thread = Thread(target=self._run, name="venire-store-writer", daemon=True)
        self._thread.start()

    def submit(self, write: Write) -> Receipt:
        """Queue a write.

        Raises:
            RunFolderError: the store is closed.
        """
        # From here on cancelling has no effect: an answer that was paid for is kept, whoever stops waiting for it.
        write.receipt.set_running_or_notify_cancel()
        with self._gate:
            if not self._is_open:
                raise RunFolderError(f"The store {str(self._path)!r} is closed; open it again to write to it.")
            self._waiting.put(write)
        return write.receipt

    def close(self) -> list[BaseException]:
        """Finish all writes and end the thread; returns the errors that nobody has looked at."""
        with self._gate:
            if self._is_open:
                self._is_open = False
                self._waiting.put(Stop())
        self._thread.join()
        unseen = [receipt for receipt in self._failed if not receipt.was_seen]
        self._failed.clear()
        return [error for receipt in unseen if (error := receipt.exception()) is not None]

    def _run(self) -> None:
        while not isinstance(write := self._held or self._waiting.get(), Stop):
            self._held = None
            if isinstance(write, Rewrite):
                self._commit([write])
            else:
                self._commit(self._gather(write))

    def _gather(self, first: Append) -> list[Write]:
        """What waits already joins the transaction; nothing is waited for."""
        group: list[Write] = [first]
        n_values = first.n_values
        while n_values < MAX_ROWS:
            try:
                write = self._waiting.get_nowait()
            except queue.Empty:
                break
            if not isinstance(write, Append):
                self._held = write
                break
            group.append(write)
            n_values += write.n_values
        return group

    def _commit(self, group: list[Write]) -> None:
        try:
            self._write(group)
        except Exception as error:
            if len(group) > 1:  # each alone, so that one bad write does not take the others with it
                for write in group:
                    self._commit([write])
                return
            self._failed.append(group[0].receipt)
            group[0].receipt.set_exception(self._explained(error))
        else:
            for write in group:
                write.receipt.set_result(None)

    def _write(self, group: list[Write]) -> None:
        """Write in one transaction: a change alone, or rows to be added."""
        rows: dict[str, list[Cells]] = {table: [] for table in _STATEMENTS}
        for write in group:
            if isinstance(write, Rewrite):
                with self._connection.begin():
                    write.apply(self._connection)
                return
            for table, more in write.make_batch().items():
                rows[table].extend(more)
        # Some seventy times for a thousand answers, and beside a busy event loop: without SQLAlchemy, whose own work
        # took a third of the writer's time.
        driver = _driver_of(self._connection)
        with driver:  # ends what begins here
            driver.execute("BEGIN IMMEDIATE")
            for table, some in rows.items():
                _insert(driver, table, some)

    def _explained(self, error: Exception) -> Exception:
        if not is_database_error(error):
            return error
        explained = explain_error(error, self._path, "written")
        explained.__cause__ = error
        return explained
