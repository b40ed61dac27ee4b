"""The store in SQLite keeps the contract, streams, and tells what went wrong."""

import asyncio
import sqlite3
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, event

from venire.domain.call import (
    AnswerFormat,
    Choice,
    Completion,
    Exchange,
    ExchangeError,
    Request,
    Usage,
)
from venire.domain.identity import CallId, CriterionId, ItemId, JudgeId
from venire.domain.item import Item, Message, Response, Subject
from venire.domain.judgment import Abstention, Failure, Judgment, Label
from venire.errors import RunFolderError
from venire.store.sqlite import SqliteStore, open_sqlite_store
from venire.testing.store_contract import (
    DESIGN,
    STRANGE_TEXTS,
    StoreContract,
    make_exchange,
    make_item,
    make_judgment,
)

# Characters of every category, lone surrogates and NUL included.
texts = st.text(st.characters(exclude_categories=()), max_size=12)
finite = st.floats(allow_nan=False, allow_infinity=False)
indices = st.lists(st.integers(0, 9999), min_size=1, max_size=4, unique=True)
tokens = st.none() | st.integers(0, 2**63 - 1)

requests = st.builds(
    Request,
    provider=texts,
    model=st.none() | texts,
    base_url=st.none() | texts,
    messages=st.lists(st.builds(Message, role=st.sampled_from(["system", "user"]), content=texts), max_size=3).map(
        tuple
    ),
    temperature=st.none() | finite,
    max_tokens=st.integers(1, 10**6),
    format=st.builds(
        AnswerFormat, kind=st.sampled_from(["text", "one_of"]), schema=texts, words=st.lists(texts).map(tuple)
    ),
    parameters=st.dictionaries(texts, texts | finite | st.integers() | st.booleans() | st.none(), max_size=3).map(
        lambda parameters: tuple(parameters.items())
    ),
)
choices = st.builds(Choice, text=texts, finish_reason=st.sampled_from(["stop", "length"]), reasoning=texts)
exchanges = st.builds(
    Exchange,
    request=requests,
    judge_id=texts.map(JudgeId),
    call_ids=st.lists(texts.map(CallId), max_size=3).map(tuple),
    completions=st.lists(st.builds(Completion, call_id=texts.map(CallId), choice=choices), max_size=3).map(tuple),
    usage=st.builds(
        Usage,
        input_tokens=tokens,
        output_tokens=tokens,
        cached_input_tokens=tokens,
        reasoning_tokens=tokens,
        reported_usd=st.none() | finite,
    ),
    latency_s=finite,
    started_at=texts,
    served_model=st.none() | texts,
    adjustments=st.lists(texts, max_size=2).map(tuple),
    raw=texts,
    error=st.none()
    | st.builds(ExchangeError, kind=st.just("timeout"), message=texts, status=st.none() | st.integers(100, 599)),
)
judgments = st.builds(
    Judgment,
    subject=st.builds(Subject, item_id=st.just(ItemId("i")), responses=indices.map(lambda some: tuple(sorted(some)))),
    criterion_id=texts.map(CriterionId),
    judge_id=texts.map(JudgeId),
    shown=indices.map(tuple),
    sample=st.integers(0, 2**31),
    attempt=st.integers(0, 2**31),
    call_id=texts.map(CallId),
    outcome=st.builds(Label, value=texts | st.integers() | finite, confidence=st.none() | st.floats(0, 1))
    | st.builds(Abstention, reason=texts)
    | st.builds(Failure, reason=st.sampled_from(["unreadable", "timeout"]), detail=texts),
    step=st.sampled_from(["json", "embedded_json", "text", "none"]),
    reader_version=st.integers(0, 2**31),
)


class TestSqliteStore(StoreContract):
    def make_store(self, folder: Path) -> SqliteStore:
        return open_sqlite_store(folder / "store.sqlite")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_sqlite_store(tmp_path / "store.sqlite")
    yield store
    store.close()


@settings(max_examples=40, deadline=None)
@given(kept=st.lists(exchanges, max_size=4))
def test_any_exchange_comes_back(kept: list[Exchange]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = open_sqlite_store(Path(folder) / "store.sqlite")
        store.record(kept).result()
        first_requests = {exchange.request.id: exchange.request for exchange in reversed(kept)}

        found = list(store.exchanges())
        store.close()

    assert repr(found) == repr(
        [replace(exchange, request=first_requests[exchange.request.id], raw="") for exchange in kept]
    )


@settings(max_examples=40, deadline=None)
@given(kept=st.lists(judgments, max_size=6))
def test_any_judgment_comes_back(kept: list[Judgment]) -> None:
    last = {(j.subject, j.criterion_id, j.judge_id, j.shown, j.sample, j.attempt): j for j in kept}
    with tempfile.TemporaryDirectory() as folder:
        store = open_sqlite_store(Path(folder) / "store.sqlite")
        store.keep_items([make_item("i")])
        store.keep(DESIGN, kept).result()

        found = list(store.judgments(DESIGN))
        store.close()

    assert sorted(map(repr, found)) == sorted(map(repr, last.values()))


@pytest.mark.parametrize("raw", [*STRANGE_TEXTS, "x" * 100_000])
def test_the_raw_body_of_an_answer_is_kept(store: SqliteStore, raw: str) -> None:
    exchange = replace(make_exchange(), raw=raw)

    store.record([exchange, replace(exchange, raw="a later one")]).result()

    assert store.raw_body(exchange.call_ids[0]) == raw


def test_a_call_without_an_answer_has_no_raw_body(store: SqliteStore) -> None:
    failed = make_exchange(answer=None)

    store.record([failed]).result()

    assert store.raw_body(failed.call_ids[0]) is None


def test_a_request_is_stored_once(store: SqliteStore, tmp_path: Path) -> None:
    store.record([make_exchange(sample=0), make_exchange(sample=1)]).result()
    store.record([make_exchange(sample=2)]).result()
    store.close()

    with sqlite3.connect(tmp_path / "store.sqlite") as connection:
        counts = connection.execute("SELECT (SELECT count(*) FROM requests), (SELECT count(*) FROM exchanges)")
        assert counts.fetchone() == (1, 3)
    connection.close()


def _peak_of(read: Callable[[], Iterator[object]]) -> int:
    tracemalloc.start()
    try:
        for _ in read():
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", ["exchanges", "judgments", "items"])
def test_memory_does_not_grow_with_the_rows_read(store: SqliteStore, kind: str) -> None:
    def fill(start: int, stop: int) -> None:
        store.record([make_exchange(f"prompt {n}") for n in range(start, stop)]).result()
        store.keep_items(make_item(f"{n}") for n in range(stop))
        store.keep(DESIGN, [make_judgment(f"{n}") for n in range(start, stop)]).result()

    read = {"exchanges": store.exchanges, "judgments": lambda: store.judgments(DESIGN), "items": store.items}[kind]
    fill(0, 1000)  # two fetches: the one in hand and the next
    _peak_of(read)  # fills the caches
    few = _peak_of(read)
    fill(1000, 10_000)

    # Ten times the rows; when garbage is collected moves the peak by up to a factor of two.
    assert _peak_of(read) < 3 * few


@pytest.mark.parametrize("item_id", [None, ItemId("a")])
def test_judgments_are_read_without_sorting(store: SqliteStore, tmp_path: Path, item_id: ItemId | None) -> None:
    """A sort would hold, or spill to disk, all judgments of the run."""
    asked: list[tuple[str, Any]] = []

    def remember(_connection: object, _cursor: object, statement: str, parameters: Any, *_: object) -> None:
        asked.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", remember)
    list(store.judgments(DESIGN, item_id))
    event.remove(Engine, "before_cursor_execute", remember)
    statement, parameters = asked[-1]

    connection = sqlite3.connect(tmp_path / "store.sqlite")
    plan = str(connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall())
    connection.close()
    assert "judgments USING PRIMARY KEY (design_id=? AND item_id=?)" in plan
    assert "TEMP B-TREE" not in plan


def test_a_reader_that_was_not_read_to_its_end_does_not_hinder_closing(store: SqliteStore) -> None:
    store.keep_items([make_item(f"{n}") for n in range(2000)])
    reader = store.items()
    first = next(reader)

    store.close()

    assert first.id == "0"
    reader.close()  # type: ignore[attr-defined]


def test_a_closed_store_is_neither_read_nor_written(store: SqliteStore) -> None:
    store.close()

    with pytest.raises(RunFolderError, match="is closed"):
        store.record([make_exchange()])
    with pytest.raises(RunFolderError, match="is closed"):
        store.answered([CallId("x")])


def test_closing_twice_is_closing_once(store: SqliteStore) -> None:
    store.close()
    store.close()

    with pytest.raises(RunFolderError, match="is closed"):
        store.answered([CallId("x")])


def test_a_write_that_cannot_be_kept_says_so_in_its_future(store: SqliteStore) -> None:
    bad = replace(make_judgment(), shown=(-1,))

    with pytest.raises(ValueError, match="response indices"):
        store.keep(DESIGN, [bad]).result()


def test_a_failed_write_that_nobody_looked_at_is_told_when_closing(tmp_path: Path) -> None:
    store = open_sqlite_store(tmp_path / "store.sqlite")
    store.keep(DESIGN, [replace(make_judgment(), shown=(-1,))])

    with pytest.raises(RunFolderError, match=r"1 writes .* were not kept.*response indices"):
        store.close()


def test_a_failed_write_that_somebody_looked_at_is_not_told_again(tmp_path: Path) -> None:
    store = open_sqlite_store(tmp_path / "store.sqlite")
    future = store.keep(DESIGN, [replace(make_judgment(), shown=(-1,))])
    assert isinstance(future.exception(), ValueError)

    store.close()


def test_an_answer_is_kept_although_its_waiter_was_cancelled(store: SqliteStore) -> None:
    async def record_and_leave() -> None:
        waiting = asyncio.wrap_future(store.record([make_exchange()]))
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(record_and_leave())
    store.record([]).result()

    assert len(list(store.exchanges())) == 1


def test_what_was_not_waited_for_is_written_before_closing(store: SqliteStore, tmp_path: Path) -> None:
    futures = [store.record([make_exchange(f"{n}")]) for n in range(1000)]

    store.close()

    assert all(future.done() and future.exception() is None for future in futures)
    reader = open_sqlite_store(tmp_path / "store.sqlite", read_only=True)
    assert len(list(reader.exchanges())) == 1000
    reader.close()


def test_a_row_that_was_tampered_with_is_a_run_folder_error(store: SqliteStore, tmp_path: Path) -> None:
    store.keep_items([Item(id=ItemId("a"), responses=(Response(text="x"),))])
    store.close()
    with sqlite3.connect(tmp_path / "store.sqlite") as connection:
        connection.execute("UPDATE items SET content = '{\"prompt\": 1'")
    connection.close()

    reader = open_sqlite_store(tmp_path / "store.sqlite", read_only=True)

    with pytest.raises(RunFolderError, match="cannot be read back"):
        list(reader.items())
    reader.close()
