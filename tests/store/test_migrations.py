"""A store of the first version: read as it lies, brought up to date whole or not at all, and nothing in it is lost."""

import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection

from venire.designs.read import read_design
from venire.domain.item import outline
from venire.domain.judgment import Label
from venire.errors import RunFolderError
from venire.store import schema
from venire.store.lock import WriterLock
from venire.store.schema import MIGRATIONS
from venire.store.sqlite import open_sqlite_store

from .old_stores import FIRST_VERSION, version_of, write_first_version

DIE_WHILE_MIGRATING = """
import os, sys
from pathlib import Path
from venire.store import schema
from venire.store.sqlite import open_sqlite_store
def die(connection):
    schema.MIGRATIONS[0](connection)
    os._exit(9)
schema.prepare_tables.__defaults__ = ((die,),)
open_sqlite_store(Path(sys.argv[1]))
"""

PRESENT = str(1 + len(MIGRATIONS))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_first_version(tmp_path / "store.sqlite")


def test_the_fixture_is_what_the_first_version_wrote(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        columns = {row[1] for row in connection.execute("PRAGMA table_info(exchanges)")}

    assert version_of(path) == "1"
    assert not columns & {"adjustments", "cache_write_input_tokens"}


@pytest.mark.parametrize("read_only", [True, False])
def test_everything_is_found_again_however_the_store_is_opened(path: Path, read_only: bool) -> None:
    design = read_design(FIRST_VERSION / "design.yaml")
    store = open_sqlite_store(path, read_only=read_only)

    exchanges, judgments = list(store.exchanges()), list(store.judgments(design.asking_id))

    assert [item.id for item in store.items()] == ["q1", "q2"]
    assert list(store.outlines()) == [outline(item) for item in store.items()]
    assert Counter(judgment.judge_id for judgment in judgments) == {"inside": 4, "dice": 4, "remote": 4}
    assert all(isinstance(judgment.outcome, Label) for judgment in judgments)
    assert len(store.answered([call_id for one in exchanges for call_id in one.call_ids])) == 12
    assert {one.usage.cache_write_input_tokens for one in exchanges} == {None}
    assert "chat.completion" in (store.raw_body(judgments[-1].call_id) or "")
    store.close()


def test_opening_for_writing_brings_the_file_up_to_date(path: Path) -> None:
    open_sqlite_store(path).close()

    assert version_of(path) == PRESENT


def test_a_migrated_store_has_the_tables_of_a_new_one(path: Path, tmp_path: Path) -> None:
    open_sqlite_store(path).close()
    open_sqlite_store(tmp_path / "new.sqlite").close()

    tables = []
    for file in (path, tmp_path / "new.sqlite"):
        with closing(sqlite3.connect(file)) as connection:
            names = sorted(row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type='table'"))
            tables.append({n: sorted(r[1:4] for r in connection.execute(f"PRAGMA table_info({n})")) for n in names})

    assert tables[0] == tables[1]


def test_reading_changes_nothing_in_the_file(path: Path) -> None:
    before = path.read_bytes()

    store = open_sqlite_store(path, read_only=True)
    list(store.exchanges())
    store.close()

    assert path.read_bytes() == before
    assert version_of(path) == "1"


def test_an_old_store_is_read_beside_the_old_venire_that_writes_it(path: Path) -> None:
    lock = WriterLock(path)

    store = open_sqlite_store(path, read_only=True)

    assert len(list(store.exchanges())) == 12
    store.close()
    lock.release()


def test_a_migration_that_breaks_off_leaves_the_old_version_whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_off(connection: Connection) -> None:
        MIGRATIONS[0](connection)
        raise RuntimeError("the power went")

    with monkeypatch.context() as patched:
        patched.setattr(schema.prepare_tables, "__defaults__", ((break_off,),))
        with pytest.raises(RuntimeError, match="power"):
            open_sqlite_store(path)

    assert version_of(path) == "1"
    open_sqlite_store(path).close()
    assert version_of(path) == PRESENT


def test_a_kill_while_migrating_leaves_the_old_version_whole(path: Path) -> None:
    died = subprocess.run([sys.executable, "-c", DIE_WHILE_MIGRATING, str(path)], check=False)

    assert died.returncode == 9
    assert version_of(path) == "1"
    open_sqlite_store(path).close()
    assert version_of(path) == PRESENT


@pytest.mark.parametrize("read_only", [True, False])
def test_an_old_store_that_lacks_a_table_is_a_run_folder_error(path: Path, read_only: bool) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE judgments")
        connection.commit()

    with pytest.raises(RunFolderError, match="judgments"):
        open_sqlite_store(path, read_only=read_only)
