"""Opening the database of a run: locked for writing, or as it lies for reading."""

import sqlite3
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from venire.errors import RunFolderError
from venire.store.database import connect_engine, explain_error, needs_immutable, refuse_log
from venire.store.lock import WriterLock
from venire.store.schema import EXCHANGES, MIGRATIONS, check_version, prepare_tables, stored_version
from venire.store.upgrade import upgraded_copy
from venire.store.writer import Writer


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The resources behind an open store."""

    readers: Engine
    writer: Writer | None
    """None: opened for reading only."""
    n_exchanges: int
    """The number of the last exchange recorded."""
    resources: ExitStack
    """What to let go of, once the writer has ended."""

    def close(self) -> list[BaseException]:
        """Finish all writes and let go; returns the errors of writes that nobody has looked at."""
        with self.resources:
            return [] if self.writer is None else self.writer.close()


def open_database(path: Path, *, read_only: bool) -> Opened:
    """Open a store for writing, or for reading only.

    Raises:
        RunFolderError: it cannot be opened, is not a store of this or an earlier venire, or is being written.
    """
    try:
        return _open_for_reading(path) if read_only else _open_for_writing(path)
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise explain_error(error, path, "opened") from error


def _open_for_writing(path: Path) -> Opened:
    with ExitStack() as stack:
        stack.callback(WriterLock(path).release)
        engine = connect_engine(path, "write")
        connection = stack.enter_context(engine.connect())
        with connection.begin():
            prepare_tables(connection)
            last = connection.execute(select(func.max(EXCHANGES.c.exchange_id))).scalar_one()
        readers = connect_engine(path, "read")
        stack.callback(readers.dispose)
        return Opened(
            readers=readers, writer=Writer(connection, path), n_exchanges=last or 0, resources=stack.pop_all()
        )


def _open_for_reading(path: Path) -> Opened:
    if not path.is_file():
        raise RunFolderError(f"There is no store {str(path)!r}; name a run folder in which judgments were collected.")
    try:
        return _checked(connect_engine(path, "read"), path)
    except SQLAlchemyError as error:
        if not needs_immutable(error):
            raise
        refuse_log(path, error)
        return _checked(connect_engine(path, "read_immutable"), path)


def _checked(readers: Engine, path: Path) -> Opened:
    known = 1 + len(MIGRATIONS)
    with ExitStack() as stack:
        stack.callback(readers.dispose)
        with readers.connect() as connection:
            version = stored_version(connection)
        check_version(version, known)
        if version == 0:
            raise RunFolderError(f"The store {str(path)!r} is empty: nothing has been collected in this folder yet.")
        if version < known:
            return _upgraded(readers)
        return Opened(readers=readers, writer=None, n_exchanges=0, resources=stack.pop_all())


def _upgraded(old: Engine) -> Opened:
    """An older store for reading: whoever reads changes nothing, be the disk read-only or an old venire writing."""
    with ExitStack() as stack:
        with closing(old.raw_connection()) as pooled:
            source = pooled.driver_connection
            assert isinstance(source, sqlite3.Connection)
            path = stack.enter_context(upgraded_copy(source))
        readers = connect_engine(path, "read")
        stack.callback(readers.dispose)
        return Opened(readers=readers, writer=None, n_exchanges=0, resources=stack.pop_all())
