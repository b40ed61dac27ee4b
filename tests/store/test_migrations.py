"""A store of the first version is brought up to date, whole or not at all, and nothing in it is lost."""

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Connection

from venire.domain.identity import DesignId
from venire.domain.judgment import Label
from venire.errors import RunFolderError
from venire.store import schema
from venire.store.schema import MIGRATIONS
from venire.store.sqlite import open_sqlite_store
from venire.testing.store_contract import DESIGN, make_exchange, make_item, make_judgment

ADDED = {
    "exchanges": ["cache_write_input_tokens", "adjustments"],
    "completions": ["tokens"],
    "judgments": ["preference", "distribution"],
}
"""What later versions added, by table."""


@pytest.fixture
def first_version(tmp_path: Path) -> Path:
    """A store as version 1 left it: the same rows without the columns that came later."""
    path = tmp_path / "store.sqlite"
    store = open_sqlite_store(path)
    store.keep_items([make_item("i")])
    store.record([make_exchange("one")]).result()
    store.keep(DESIGN, [make_judgment(outcome=Label(value="good"))]).result()
    store.close()
    connection = sqlite3.connect(path)
    for table, columns in ADDED.items():
        for column in columns:
            connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    connection.execute("UPDATE meta SET value = '1' WHERE key = 'schema_version'")
    connection.commit()
    connection.close()
    return path


def _version(path: Path) -> str:
    connection = sqlite3.connect(path)
    try:
        return str(connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()[0])
    finally:
        connection.close()


@pytest.mark.parametrize("read_only", [True, False])
def test_everything_is_found_again_however_the_store_is_opened(first_version: Path, read_only: bool) -> None:
    store = open_sqlite_store(first_version, read_only=read_only)

    exchange = make_exchange("one")
    assert list(store.answered(exchange.call_ids)) == list(exchange.call_ids)
    assert [judgment.outcome for judgment in store.judgments(DesignId(DESIGN))] == [Label(value="good")]
    assert next(store.exchanges()).request.id == exchange.request.id
    assert _version(first_version) == str(1 + len(MIGRATIONS))
    store.close()


def test_a_migration_that_breaks_off_leaves_the_old_version_whole(
    first_version: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_off(connection: Connection) -> None:
        MIGRATIONS[0](connection)
        raise RuntimeError("the power went")

    with monkeypatch.context() as patched:
        patched.setattr(schema.prepare_tables, "__defaults__", ((break_off,),))
        with pytest.raises(RuntimeError, match="power"):
            open_sqlite_store(first_version)

    assert _version(first_version) == "1"
    open_sqlite_store(first_version).close()
    assert _version(first_version) == str(1 + len(MIGRATIONS))


def test_an_old_store_in_use_is_not_changed_and_says_who_holds_it(first_version: Path) -> None:
    from venire.store.lock import WriterLock

    lock = WriterLock(first_version)
    with pytest.raises(RunFolderError, match=r"earlier venire.*process"):
        open_sqlite_store(first_version, read_only=True)
    lock.release()

    assert _version(first_version) == "1"
