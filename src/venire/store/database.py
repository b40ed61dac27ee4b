"""Connections to the database file, and its errors in plain words."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, Engine, NullPool, QueuePool, create_engine, event
from sqlalchemy.exc import SQLAlchemyError

from venire.errors import RunFolderError

Access = Literal["write", "read", "read_immutable"]

_QUERIES: dict[Access, str] = {
    "write": "mode=rwc",
    "read": "mode=ro",
    # Nothing may change the file: for a read-only disk, where the files that WAL needs cannot be made.
    "read_immutable": "mode=ro&immutable=1",
}

_BUSY_S = 30.0
"""How long to wait for SQLite's own locks; the writer lock keeps real contention away, a checkpoint is short."""

_ADVICE: tuple[tuple[str, str], ...] = (
    ("SQLITE_FULL", "The disk is full. Free some space and run the same command again: what was kept is safe."),
    ("SQLITE_READONLY", "It may only be read. Check the permissions of the folder, or name another one."),
    ("SQLITE_CANTOPEN", "Check that the folder exists and that it may be read and written."),
    ("SQLITE_NOTADB", "It is not a store of venire or is damaged. Restore a copy, or name another folder."),
    ("SQLITE_CORRUPT", "It is damaged. Restore a copy, or name another folder."),
    ("SQLITE_BUSY", "Another program holds it. Close that program and run the same command again."),
    ("SQLITE_IOERR", "The disk refused. Check its space and health, then run the same command again."),
)


def connect_for_reading(path: Path) -> sqlite3.Connection:
    """A plain connection that changes nothing; a file that is damaged opens too, and says so when it is asked.

    Raises:
        RunFolderError: the last rows are in a log that cannot be read where nothing may be written.
    """
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?{_QUERIES['read']}", uri=True, timeout=_BUSY_S)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        if not needs_immutable(error):
            return connection
        connection.close()
        refuse_log(path, error)
        return sqlite3.connect(f"{path.resolve().as_uri()}?{_QUERIES['read_immutable']}", uri=True)
    return connection


def needs_immutable(error: BaseException) -> bool:
    """Whether the files that SQLite wants beside a database in WAL mode could not be made."""
    name = str(getattr(getattr(error, "orig", error), "sqlite_errorname", ""))
    return name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY"))


def refuse_log(path: Path, error: BaseException) -> None:
    """Refuse to read a database without the rows that are still in its log.

    Raises:
        RunFolderError: there are such rows.
    """
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        raise RunFolderError(
            f"The last rows of {str(path)!r} are still in {log.name!r}, which SQLite cannot read in a folder "
            "where it may not write. Copy the folder to a place where you may write, and open it there."
        ) from error


def connect_engine(path: Path, access: Access) -> Engine:
    """An engine over one database file; nothing is opened yet."""

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?{_QUERIES[access]}",
            uri=True,
            timeout=_BUSY_S,
            isolation_level=None,  # transactions begin where SQLAlchemy says so, also around CREATE TABLE
            check_same_thread=False,  # the writer's connection is opened in one thread and used in another
        )
        if access == "write":
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")  # WAL's default, NORMAL, may lose the last commits
        return connection

    if access == "write":
        engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)
    else:
        engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, pool_size=4, max_overflow=-1)
    begin = "BEGIN IMMEDIATE" if access == "write" else "BEGIN"

    def begin_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "begin", begin_transaction)
    return engine


def explain_error(error: BaseException, path: Path, doing: str) -> RunFolderError:
    """A database error as the mistake it is: what happened to which file, and what to do."""
    cause = getattr(error, "orig", None) or error
    name = getattr(cause, "sqlite_errorname", "")
    advice = next((text for prefix, text in _ADVICE if name.startswith(prefix)), "Check the disk and the folder.")
    return RunFolderError(f"The store {str(path)!r} could not be {doing}: {cause}. {advice}")


def is_database_error(error: BaseException) -> bool:
    """Whether an error comes from the database, rather than from the values or from whoever supplies them."""
    return isinstance(error, SQLAlchemyError | sqlite3.Error)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn errors of reading into RunFolderError, rows that cannot be read back included."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise explain_error(error, path, "read") from error
    except (ValueError, LookupError, TypeError, AttributeError, zlib.error) as error:
        raise RunFolderError(
            f"The store {str(path)!r} has a row that cannot be read back ({error!r}); it is damaged or was changed by "
            "another program. Restore a copy, or name another folder."
        ) from error
