"""Round trips without their words: who was asked, what came, what it took; requests are not parsed for it."""

import sqlite3
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from venire.domain.call import NO_WORDS, Completion, Exchange, ExchangeError, Request, Usage, bare_request
from venire.domain.identity import CallId, JudgeId
from venire.store.cells import unpack_json, unpack_text

_ROWS_AT_ONCE = 2000

# A request that is no valid Unicode is a BLOB, and is parsed as a whole.
_QUERY = """
    SELECT e.exchange_id, e.judge_id, e.call_ids, e.input_tokens, e.output_tokens, e.cached_input_tokens,
        e.cache_write_input_tokens, e.reasoning_tokens, e.reported_usd, e.latency_s, e.started_at, e.served_model,
        e.adjustments, e.error_kind, e.error_message, e.error_status,
        CASE typeof(r.content) WHEN 'text' THEN json_extract(r.content, '$.provider', '$.model', '$.base_url') END,
        CASE typeof(r.content) WHEN 'blob' THEN r.content END
    FROM exchanges e JOIN requests r ON r.request_id = e.request_id ORDER BY e.exchange_id
"""
_ANSWERED = """
    SELECT exchange_id, call_id FROM completions WHERE exchange_id BETWEEN ? AND ? ORDER BY exchange_id, position
"""


def read_trips(cursor: sqlite3.Cursor) -> Iterator[Exchange]:
    """Every round trip in the order recorded.

    Args:
        cursor: the driver's own, which is several times faster where there are this many small rows.
    """
    last = -1
    query = _QUERY.replace("ORDER BY", "WHERE e.exchange_id > ? ORDER BY")
    while rows := cursor.execute(f"{query} LIMIT {_ROWS_AT_ONCE}", (last,)).fetchall():
        answered: dict[int, list[Completion]] = {}
        for exchange_id, call_id in cursor.execute(_ANSWERED, (rows[0][0], rows[-1][0])):
            completion = Completion(call_id=CallId(unpack_text(call_id)), choice=NO_WORDS)
            answered.setdefault(exchange_id, []).append(completion)
        last = rows[-1][0]
        for row in rows:
            yield _read_trip(row, tuple(answered.get(row[0], ())))


def _read_trip(row: tuple[Any, ...], completions: tuple[Completion, ...]) -> Exchange:
    _, judge_id, call_ids, *usage, latency_s, started_at, served, adjustments, kind, message, status, who, whole = row
    told = ("input_tokens", "output_tokens", "cached_input_tokens", "cache_write_input_tokens", "reasoning_tokens")
    return Exchange(
        request=_addressee(who) if whole is None else _addressee_of(unpack_json(whole)),
        judge_id=JudgeId(unpack_text(judge_id)),
        call_ids=tuple(CallId(call_id) for call_id in unpack_json(call_ids)),
        completions=completions,
        usage=Usage(**dict(zip(told, usage[:-1], strict=True)), reported_usd=usage[-1]),
        latency_s=latency_s,
        started_at=unpack_text(started_at),
        served_model=None if served is None else unpack_text(served),
        adjustments=() if adjustments is None else tuple(unpack_json(adjustments)),
        error=None if kind is None else ExchangeError(kind=kind, message=unpack_text(message), status=status),
    )


@lru_cache(maxsize=1024)
def _addressee(who: str) -> Request:
    provider, model, base_url = unpack_json(who)
    return bare_request(provider, model, base_url)


def _addressee_of(content: dict[str, Any]) -> Request:
    return bare_request(content["provider"], content["model"], content["base_url"])
