"""The store of a run in one SQLite file: one writer thread, and readers that do not wait for it."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Row, Select, Table, delete, exists, func, select

from venire.domain.annotation import Annotation
from venire.domain.call import Completion, Exchange, ExchangeError, Request
from venire.domain.identity import CallId, DesignId, ItemId
from venire.domain.item import Item
from venire.domain.judgment import Judgment
from venire.domain.outcomes import Outcomes, outcomes_of
from venire.errors import RunFolderError
from venire.store import judgment_rows, rows
from venire.store.cells import Cells, pack_text, unpack_raw
from venire.store.database import reading
from venire.store.distinct import distinct_items
from venire.store.opening import Opened, open_database
from venire.store.outcome_rows import gather_outcomes
from venire.store.outline_rows import read_outlines
from venire.store.schema import ANNOTATIONS, COMPLETIONS, EXCHANGES, FAILED_CALLS, ITEMS, JUDGMENTS, REQUESTS
from venire.store.trip_rows import read_trips
from venire.store.writer import Append, Batch, Receipt, Rewrite, insert_rows

CHUNK = 500
"""Ids in one question to the database, and rows fetched or inserted at once; SQLite allows 32,766 variables."""

T = TypeVar("T")


class SqliteStore:
    """Everything that one run keeps, in one file; `open_sqlite_store` makes it. Safe to use from several threads."""

    def __init__(self, path: Path, opened: Opened) -> None:
        self._path = path
        self._opened = opened
        self._numbers = count(opened.n_exchanges + 1)
        self._is_open = True

    def answered(self, call_ids: Sequence[CallId]) -> Mapping[CallId, Completion]:
        """Those of the calls that have a completion: the first that came."""
        found: dict[CallId, Completion] = {}
        columns = COMPLETIONS.c
        query = select(COMPLETIONS).order_by(columns.exchange_id, columns.position)
        for completion in self._ask_by_call(query, COMPLETIONS, call_ids, rows.read_completion):
            found.setdefault(completion.call_id, completion)
        return {call_id: found[call_id] for call_id in call_ids if call_id in found}

    def failures(self, call_ids: Sequence[CallId]) -> Mapping[CallId, ExchangeError]:
        """The latest error of those calls that have one and no completion."""
        columns = EXCHANGES.c
        query = (
            select(FAILED_CALLS.c.call_id, columns.error_kind, columns.error_message, columns.error_status)
            .join_from(FAILED_CALLS, EXCHANGES, columns.exchange_id == FAILED_CALLS.c.exchange_id)
            .where(~exists().where(COMPLETIONS.c.call_id == FAILED_CALLS.c.call_id))
            .order_by(columns.exchange_id)
        )
        read = self._ask_by_call(
            query, FAILED_CALLS, call_ids, lambda row: (rows.read_call_id(row), rows.read_error(row))
        )
        found: dict[CallId, ExchangeError] = dict(read)
        return {call_id: found[call_id] for call_id in call_ids if call_id in found}

    def record(self, exchanges: Sequence[Exchange]) -> Future[None]:
        """Append; the future is done when the rows are on the disk."""
        kept = tuple(exchanges)
        return self._append(Append(n_values=len(kept), make_batch=partial(self._exchange_batch, kept)))

    def asked(self, call_ids: Sequence[CallId]) -> Mapping[CallId, Request]:
        """The request of each call that was ever sent, answered or not."""
        found: dict[CallId, Request] = {}
        for table in (COMPLETIONS, FAILED_CALLS):
            query = (
                select(table.c.call_id, REQUESTS.c.content)
                .join_from(table, EXCHANGES, EXCHANGES.c.exchange_id == table.c.exchange_id)
                .join(REQUESTS, REQUESTS.c.request_id == EXCHANGES.c.request_id)
            )
            for call_id, request in self._ask_by_call(
                query, table, call_ids, lambda row: (rows.read_call_id(row), rows.read_request(row))
            ):
                found.setdefault(call_id, request)
        return {call_id: found[call_id] for call_id in call_ids if call_id in found}

    def exchanges(self, *, words: bool = True) -> Iterator[Exchange]:
        """Every round trip in the order recorded, without its raw body, and perhaps without its words."""
        if not words:
            with self._reader() as connection, closing(connection.connection.cursor()) as cursor:
                yield from read_trips(cast("sqlite3.Cursor", cursor))
            return
        query = select(EXCHANGES, REQUESTS.c.content).join_from(
            EXCHANGES, REQUESTS, REQUESTS.c.request_id == EXCHANGES.c.request_id
        )
        with self._reader() as connection:
            result = connection.execute(query.order_by(EXCHANGES.c.exchange_id))
            while batch := result.fetchmany(CHUNK):
                completions = _completions_between(connection, batch[0].exchange_id, batch[-1].exchange_id)
                for row in batch:
                    yield rows.read_exchange(row, completions.get(row.exchange_id, ()))

    def raw_body(self, call_id: CallId) -> str | None:
        """The body in which the call's completion came; None where it has no completion."""
        query = (
            select(EXCHANGES.c.raw)
            .join_from(COMPLETIONS, EXCHANGES, COMPLETIONS.c.exchange_id == EXCHANGES.c.exchange_id)
            .order_by(EXCHANGES.c.exchange_id)
            .limit(1)
        )
        bodies = list(self._ask_by_call(query, COMPLETIONS, [call_id], lambda row: unpack_raw(row.raw)))
        return bodies[0] if bodies else None

    def keep(self, design_id: DesignId, judgments: Sequence[Judgment]) -> Future[None]:
        """Write; a judgment with the same key is replaced."""
        kept = tuple(judgments)
        return self._append(Append(n_values=len(kept), make_batch=partial(_judgment_batch, design_id, kept)))

    def judgments(self, design_id: DesignId, item_id: ItemId | None = None) -> Iterator[Judgment]:
        """The judgments of the run's items under a design, or those of one item.

        In order of the items, then responses, criterion id, judge id, order shown, sample, attempt.
        """
        columns = JUDGMENTS.c
        of_item = (columns.design_id == pack_text(design_id)) & (columns.item_id == ITEMS.c.item_id)
        # An outer join makes SQLite go through the items and then the primary key: nothing is sorted or held.
        # The filter on its empty rows stands in a function, else SQLite takes the outer join for an inner one.
        query = (
            select(JUDGMENTS)
            .select_from(ITEMS.outerjoin(JUDGMENTS, of_item))
            .where(func.coalesce(columns.kind, "") != "")
            .order_by(ITEMS.c.position, *JUDGMENTS.primary_key.columns)
        )
        if item_id is not None:
            query = query.where(ITEMS.c.item_id == pack_text(item_id))
        return self._stream(query, judgment_rows.read_judgment)

    def outcomes(self, design_id: DesignId) -> Outcomes:
        """What was read of every subject under a design, in no particular order; also of items no longer in the run."""
        with self._reader() as connection, closing(connection.connection.cursor()) as cursor:
            gathered = gather_outcomes(cast("sqlite3.Cursor", cursor), design_id)
        return outcomes_of(self.judgments(design_id)) if gathered is None else gathered

    def n_judgments(self) -> int:
        """How many judgments are stored, whatever their design and item."""
        with self._reader() as connection:
            return int(connection.execute(select(func.count()).select_from(JUDGMENTS)).scalar_one())

    def keep_items(self, items: Iterable[Item]) -> None:
        """Make these the run's items, in this order; durable on return."""
        self._rewrite(ITEMS, (rows.item_row(i, item) for i, item in enumerate(distinct_items(items))))

    def items(self) -> Iterator[Item]:
        """The run's items, in order."""
        return self._stream(select(ITEMS).order_by(ITEMS.c.position), rows.read_item)

    def outlines(self) -> Iterator[Item]:
        """The run's items, in order, without their words."""
        with self._reader() as connection, closing(connection.connection.cursor()) as cursor:
            yield from read_outlines(cast("sqlite3.Cursor", cursor))

    def item(self, item_id: ItemId) -> Item | None:
        """One item, or None where the run has no such id."""
        query = select(ITEMS).where(ITEMS.c.item_id == pack_text(item_id))
        return next(self._stream(query, rows.read_item), None)

    def keep_annotations(self, annotations: Iterable[Annotation]) -> None:
        """Make these the run's annotations; durable on return."""
        self._rewrite(ANNOTATIONS, (rows.annotation_row(i, one) for i, one in enumerate(annotations)))

    def annotations(self) -> Iterator[Annotation]:
        """All annotations, in the order kept."""
        return self._stream(select(ANNOTATIONS).order_by(ANNOTATIONS.c.position), rows.read_annotation)

    def close(self) -> None:
        """Finish all writes and let go of the files.

        Raises:
            RunFolderError: a write failed, and nobody had asked its future about it.
        """
        self._is_open = False
        unseen = self._opened.close()
        if unseen:
            raise RunFolderError(
                f"{len(unseen)} writes to {str(self._path)!r} were not kept; the first of them: {unseen[0]}"
            ) from unseen[0]

    @contextmanager
    def _reader(self) -> Iterator[Connection]:
        if not self._is_open:
            raise RunFolderError(f"The store {str(self._path)!r} is closed; open it again to read it.")
        with reading(self._path), self._opened.readers.connect() as connection:
            yield connection

    def _stream(self, query: Select[Any], read: Callable[[Row[Any]], T]) -> Iterator[T]:
        with self._reader() as connection:
            result = connection.execute(query)
            while batch := result.fetchmany(CHUNK):
                yield from map(read, batch)

    def _ask_by_call(
        self, query: Select[Any], table: Table, call_ids: Sequence[CallId], read: Callable[[Row[Any]], T]
    ) -> Iterator[T]:
        wanted = iter(dict.fromkeys(pack_text(call_id) for call_id in call_ids))
        with self._reader() as connection:
            while chunk := list(islice(wanted, CHUNK)):
                yield from map(read, connection.execute(query.where(table.c.call_id.in_(chunk))))

    def _append(self, append: Append) -> Receipt:
        if self._opened.writer is None:
            append.receipt.set_exception(self._read_only())
            return append.receipt
        return self._opened.writer.submit(append)

    def _rewrite(self, table: Table, new_rows: Iterator[Cells]) -> None:
        # The rows are drawn in the writer's thread: whoever supplies them may read this store, but not write to it.
        def replace_all(connection: Connection) -> None:
            connection.execute(delete(table))
            while chunk := list(islice(new_rows, CHUNK)):
                insert_rows(connection, table.name, chunk)

        if self._opened.writer is None:
            raise self._read_only()
        self._opened.writer.submit(Rewrite(apply=replace_all)).result()

    def _read_only(self) -> RunFolderError:
        return RunFolderError(f"The store {str(self._path)!r} was opened for reading only; open it for writing.")

    def _exchange_batch(self, exchanges: Sequence[Exchange]) -> Batch:
        batch: dict[str, list[Cells]] = {"requests": [], "exchanges": [], "completions": [], "failed_calls": []}
        requests: dict[str, Cells] = {}
        for exchange in exchanges:
            number = next(self._numbers)
            if exchange.request.id not in requests:
                requests[exchange.request.id] = rows.request_row(exchange.request)
            batch["exchanges"].append(rows.exchange_row(exchange, number))
            batch["completions"] += rows.completion_rows(exchange, number)
            batch["failed_calls"] += rows.failed_call_rows(exchange, number)
        batch["requests"] += requests.values()
        return batch


def _judgment_batch(design_id: DesignId, judgments: Sequence[Judgment]) -> Batch:
    return {"judgments": [judgment_rows.judgment_row(design_id, judgment) for judgment in judgments]}


def _completions_between(connection: Connection, first: int, last: int) -> dict[int, list[Completion]]:
    columns = COMPLETIONS.c
    query = select(COMPLETIONS).where(columns.exchange_id.between(first, last))
    found: dict[int, list[Completion]] = {}
    for row in connection.execute(query.order_by(columns.exchange_id, columns.position)):
        found.setdefault(row.exchange_id, []).append(rows.read_completion(row))
    return found


def open_sqlite_store(path: Path, *, read_only: bool = False) -> SqliteStore:
    """Open the store in a file; for writing it is made where there is none, and locked for this process.

    Raises:
        RunFolderError: it cannot be opened, is not a store of this or an earlier venire, or is being written.
    """
    return SqliteStore(path, open_database(path, read_only=read_only))
