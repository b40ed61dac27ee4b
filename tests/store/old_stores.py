"""A run that the first version of venire made, as SQL: its own tables, ids, bodies and judgments.

`first_version/store.sql` is the dump of a store that the command at that time wrote for `items.jsonl` and
`design.yaml` beside it; its remote judge was a server on this machine that is long gone.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

FIRST_VERSION = Path(__file__).parent / "first_version"


def write_first_version(path: Path) -> Path:
    """The store of that run, in a new file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript((FIRST_VERSION / "store.sql").read_text("utf-8"))
    return path


def version_of(path: Path) -> str:
    """The version of the tables in a file."""
    with closing(sqlite3.connect(path)) as connection:
        return str(connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()[0])
