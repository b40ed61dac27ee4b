"""Group commit: what waits shares a transaction, and each write gets its own answer."""

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection

from venire.errors import RunFolderError
from venire.store.cells import Cells
from venire.store.database import connect_engine
from venire.store.schema import prepare_tables
from venire.store.writer import Append, Batch, Receipt, Rewrite, Writer


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    engine = connect_engine(tmp_path / "store.sqlite", "write")
    with engine.connect() as connection:
        with connection.begin():
            prepare_tables(connection)
        yield connection
    engine.dispose()


def append(request_id: str, content: object = "{}") -> Append:
    row: Cells = {"request_id": request_id, "content": content}  # type: ignore[dict-item]
    return Append(n_values=1, make_batch=lambda: {"requests": [row]})


class Blocked:
    """A writer that is busy until it is released."""

    def __init__(self, connection: Connection, path: Path) -> None:
        self.release = threading.Event()
        self.writer = Writer(connection, path)
        self.writer.submit(Rewrite(apply=self._wait))

    def _wait(self, _: Connection) -> None:
        self.release.wait(5)


def test_waiting_writes_share_a_transaction(connection: Connection, tmp_path: Path) -> None:
    statements: list[str] = []
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.set_trace_callback(statements.append)
    blocked = Blocked(connection, tmp_path)
    for n in range(400):
        blocked.writer.submit(append(f"{n}"))
    blocked.release.set()
    blocked.writer.close()

    assert statements.count("COMMIT") == 2  # the one that blocked, and all that waited


def test_one_bad_write_does_not_take_the_others_with_it(connection: Connection, tmp_path: Path) -> None:
    blocked = Blocked(connection, tmp_path)
    receipts = [blocked.writer.submit(append(*cells)) for cells in (("a",), ("b", None), ("c",))]
    blocked.release.set()

    errors = [receipt.exception(5) for receipt in receipts]

    assert [type(error) for error in errors] == [type(None), RunFolderError, type(None)]
    assert blocked.writer.close() == []


def test_writes_are_made_in_the_order_given(connection: Connection, tmp_path: Path) -> None:
    made: list[str] = []

    def make_batch(word: str) -> Batch:
        made.append(word)
        return {}

    blocked = Blocked(connection, tmp_path)
    blocked.writer.submit(Append(n_values=1, make_batch=lambda: make_batch("first")))
    blocked.writer.submit(Rewrite(apply=lambda _: made.append("second")))
    blocked.writer.submit(Append(n_values=1, make_batch=lambda: make_batch("third")))
    blocked.release.set()
    blocked.writer.close()

    assert made == ["first", "second", "third"]


def test_a_full_disk_is_told_and_what_was_acknowledged_is_safe(connection: Connection, tmp_path: Path) -> None:
    """SQLite's own limit on pages raises the same SQLITE_FULL as a disk without space."""
    connection.exec_driver_sql("PRAGMA max_page_count=40")
    connection.rollback()
    writer = Writer(connection, tmp_path)
    receipts: list[Receipt] = [writer.submit(append(f"{n}", "x" * 3000)) for n in range(60)]

    errors = [receipt.exception(5) for receipt in receipts]
    writer.close()

    n_kept = connection.exec_driver_sql("SELECT count(*) FROM requests").scalar_one()
    assert n_kept == errors.count(None) > 0
    assert any(isinstance(error, RunFolderError) and "disk is full" in str(error) for error in errors)


def test_a_write_after_closing_is_refused(connection: Connection, tmp_path: Path) -> None:
    writer = Writer(connection, tmp_path)
    writer.close()

    with pytest.raises(RunFolderError, match="is closed"):
        writer.submit(append("a"))
