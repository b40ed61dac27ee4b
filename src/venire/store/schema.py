"""The tables of a run's store, their version, and how an older version becomes the present one."""

from collections.abc import Callable, Sequence

from sqlalchemy import (
    Column,
    Connection,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    bindparam,
    inspect,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert

from venire.errors import RunFolderError
from venire.store.outline_rows import outline_cells
from venire.store.rows import read_item

METADATA = MetaData()

META = Table("meta", METADATA, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

# Numbered as they come: a tree sorted by the id, which is random, would be rewritten all over at each commit.
REQUESTS = Table(
    "requests",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("request_id", Text, nullable=False, unique=True),
    Column("content", Text, nullable=False),
)

EXCHANGES = Table(
    "exchanges",
    METADATA,
    Column("exchange_id", Integer, primary_key=True),
    Column("request_id", Text, nullable=False),
    Column("judge_id", Text, nullable=False),
    Column("call_ids", Text, nullable=False),
    # Usage: NULL is "the provider did not say", never 0.
    Column("input_tokens", Integer),
    Column("output_tokens", Integer),
    Column("cached_input_tokens", Integer),
    Column("reasoning_tokens", Integer),
    Column("reported_usd", Float),
    Column("latency_s", Float, nullable=False),
    Column("started_at", Text, nullable=False),
    Column("served_model", Text),
    Column("raw", LargeBinary, nullable=False),
    Column("error_kind", Text),
    Column("error_message", Text),
    Column("error_status", Integer),
    Column("cache_write_input_tokens", Integer),
    # NULL where the request was written as its parameters say.
    Column("adjustments", Text),
)

# Keyed by exchange, so that a second answer to one call is kept as the fact it is; the first one counts.
COMPLETIONS = Table(
    "completions",
    METADATA,
    Column("exchange_id", Integer, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("call_id", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("finish_reason", Text, nullable=False),
    Column("reasoning", Text, nullable=False),
    # NULL where no log probabilities came.
    Column("tokens", Text),
    sqlite_with_rowid=False,
)
Index("completions_by_call", COMPLETIONS.c.call_id)

FAILED_CALLS = Table(
    "failed_calls",
    METADATA,
    Column("call_id", Text, primary_key=True),
    Column("exchange_id", Integer, primary_key=True),
    sqlite_with_rowid=False,
)

# The primary key is the order in which judgments() gives them: no sorting, whatever the size of the run.
JUDGMENTS = Table(
    "judgments",
    METADATA,
    Column("design_id", Text, primary_key=True),
    Column("item_id", Text, primary_key=True),
    Column("responses", Text, primary_key=True),
    Column("criterion_id", Text, primary_key=True),
    Column("judge_id", Text, primary_key=True),
    Column("shown", Text, primary_key=True),
    Column("sample", Integer, primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("call_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("value", Text),
    Column("confidence", Float),
    Column("reason", Text),
    Column("detail", Text),
    Column("step", Text, nullable=False),
    Column("reader_version", Integer, nullable=False),
    Column("preference", Float),
    Column("distribution", Text),
    sqlite_with_rowid=False,
)

ITEMS = Table(
    "items",
    METADATA,
    Column("position", Integer, primary_key=True),
    Column("item_id", Text, nullable=False, unique=True),
    Column("content", Text, nullable=False),
    # Of the content what verdicts need, so that they are derived without parsing every text; the group by itself,
    # since the rest is the same in many items.
    Column("outline", Text),
    Column("item_group", Text),
)

ANNOTATIONS = Table(
    "annotations",
    METADATA,
    Column("position", Integer, primary_key=True),
    Column("item_id", Text, nullable=False),
    Column("responses", Text, nullable=False),
    Column("criterion_id", Text, nullable=False),
    Column("annotator", Text, nullable=False),
    Column("value", Text, nullable=False),
)

_AT_ONCE = 500
"""Items that are outlined together."""

Migration = Callable[[Connection], None]


def _add_probabilities(connection: Connection) -> None:
    for table, column in (
        ("exchanges", "cache_write_input_tokens INTEGER"),
        ("completions", "tokens TEXT"),
        ("judgments", "preference FLOAT"),
        ("judgments", "distribution TEXT"),
    ):
        connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {column}")


def _add_adjustments(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE exchanges ADD COLUMN adjustments TEXT")


def _add_outlines(connection: Connection) -> None:
    for column in ("outline", "item_group"):
        connection.exec_driver_sql(f"ALTER TABLE items ADD COLUMN {column} TEXT")
    position = ITEMS.c.position
    some = select(position, ITEMS.c.item_id, ITEMS.c.content).order_by(position).limit(_AT_ONCE)
    add = update(ITEMS).where(position == bindparam("place"))
    last = -1
    while found := connection.execute(some.where(position > last)).all():
        connection.execute(add, [{"place": row.position, **outline_cells(read_item(row))} for row in found])
        last = found[-1].position


MIGRATIONS: tuple[Migration, ...] = (_add_probabilities, _add_adjustments, _add_outlines)
"""The n-th takes a store from version n to n + 1 (from 1); append, never change one that was published."""

_VERSION_KEY = "schema_version"


def stored_version(connection: Connection) -> int:
    """The version of the tables in a database; 0 where it holds no table at all.

    Raises:
        RunFolderError: the database belongs to another program.
    """
    tables = inspect(connection).get_table_names()
    if not tables:
        return 0
    text = None
    if META.name in tables:
        text = connection.execute(select(META.c.value).where(META.c.key == _VERSION_KEY)).scalar_one_or_none()
    if text is None or not str(text).isdecimal():
        raise RunFolderError(
            f"The database holds the tables {sorted(tables)!r} and schema version {text!r}; it was not written by "
            "venire, which expects a table 'meta' with its version. Name another folder."
        )
    return int(text)


def check_version(version: int, known: int) -> None:
    """Refuse a store that a later venire wrote.

    Raises:
        RunFolderError: the version is newer than the known one.
    """
    if version > known:
        raise RunFolderError(
            f"The store has schema version {version!r}; this venire knows versions up to {known}. "
            "It was written by a later venire: update venire to open it."
        )


def prepare_tables(connection: Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Make the tables, or bring older ones to the present version, within the caller's transaction.

    Raises:
        RunFolderError: the database is newer than this venire, or not its own.
    """
    known = 1 + len(migrations)
    version = stored_version(connection)
    check_version(version, known)
    if version == 0:
        METADATA.create_all(connection)
    else:
        for migrate in migrations[version - 1 :]:
            migrate(connection)
    if version != known:
        row = {"key": _VERSION_KEY, "value": str(known)}
        connection.execute(insert(META).on_conflict_do_update(index_elements=["key"], set_={"value": str(known)}), row)
