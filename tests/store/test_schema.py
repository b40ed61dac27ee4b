"""The store's version: made, brought up to date, refused when newer."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection

from venire.errors import RunFolderError
from venire.store.database import connect_engine
from venire.store.schema import MIGRATIONS, prepare_tables, stored_version
from venire.store.sqlite import open_sqlite_store
from venire.testing.store_contract import make_item


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    engine = connect_engine(tmp_path / "store.sqlite", "write")
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def add_column(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE items ADD COLUMN colour TEXT")


def break_off(connection: Connection) -> None:
    connection.exec_driver_sql("CREATE TABLE half_done (x)")
    raise RuntimeError("the power went")


def test_an_empty_database_has_no_version(connection: Connection) -> None:
    assert stored_version(connection) == 0


def test_a_new_store_has_the_present_version(connection: Connection) -> None:
    prepare_tables(connection)

    assert stored_version(connection) == 1 + len(MIGRATIONS)


def test_an_older_store_is_brought_up_to_date(connection: Connection) -> None:
    prepare_tables(connection, ())

    prepare_tables(connection, (add_column,))

    assert stored_version(connection) == 2
    assert connection.exec_driver_sql("SELECT colour FROM items").all() == []


def test_only_the_missing_migrations_are_made(connection: Connection) -> None:
    prepare_tables(connection, ())
    prepare_tables(connection, (add_column,))

    prepare_tables(connection, (add_column, lambda _: None))

    assert stored_version(connection) == 3


def test_a_migration_that_breaks_off_leaves_the_old_version(connection: Connection) -> None:
    with connection.begin():
        prepare_tables(connection, ())

    with pytest.raises(RuntimeError), connection.begin():
        prepare_tables(connection, (break_off,))

    assert stored_version(connection) == 1
    assert connection.exec_driver_sql("SELECT count(*) FROM sqlite_master WHERE name = 'half_done'").scalar_one() == 0


@pytest.mark.parametrize("read_only", [True, False])
def test_a_newer_store_is_refused(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "store.sqlite"
    open_sqlite_store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
    connection.close()

    with pytest.raises(RunFolderError, match=r"version 99; this venire knows versions up to .* update venire"):
        open_sqlite_store(path, read_only=read_only)


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize(
    "statement", ["CREATE TABLE songs (title TEXT)", "CREATE TABLE meta (key TEXT, value TEXT)"], ids=["songs", "meta"]
)
def test_the_database_of_another_program_is_refused_and_left_alone(
    tmp_path: Path, statement: str, read_only: bool
) -> None:
    path = tmp_path / "store.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()

    with pytest.raises(RunFolderError, match="not written by venire"):
        open_sqlite_store(path, read_only=read_only)

    with sqlite3.connect(path) as connection:
        assert len(connection.execute("SELECT name FROM sqlite_master").fetchall()) == 1
    connection.close()


def test_a_store_that_was_refused_is_not_left_locked(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    path.write_bytes(b"garbage " * 1000)
    with pytest.raises(RunFolderError):
        open_sqlite_store(path)

    path.write_bytes(b"")
    store = open_sqlite_store(path)
    store.keep_items([make_item("a")])
    store.close()
