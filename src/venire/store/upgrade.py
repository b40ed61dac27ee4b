"""A store of an earlier venire for reading: a copy at the present version; the store itself is not changed."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from venire.store.database import connect_engine
from venire.store.schema import prepare_tables


@contextmanager
def upgraded_copy(source: sqlite3.Connection) -> Iterator[Path]:
    """A copy of a database with the present tables, as long as the block lasts.

    SQLite's own backup takes one snapshot, so that it may be taken beside a writer.
    """
    # A reader that was not read to its end may still hold the file when the block ends; on Windows it cannot go then.
    with TemporaryDirectory(prefix="venire-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "store.sqlite"
        with closing(sqlite3.connect(path)) as copy:
            source.backup(copy)
        engine = connect_engine(path, "write")
        try:
            with engine.begin() as connection:
                prepare_tables(connection)
        finally:
            engine.dispose()
        yield path
