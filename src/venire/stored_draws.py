"""Draws that are stored: each with its call, its completion and what was read from it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from venire.ballots.judgments import read_call
from venire.domain.call import Call, Completion
from venire.domain.design import Design
from venire.domain.identity import ItemId
from venire.domain.judgment import Judgment
from venire.planning.calls import Ballots, judged_texts
from venire.ports import Store

AT_ONCE = 200
"""Items looked up together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDraw:
    """One answered draw."""

    before: tuple[Judgment, ...]
    """As they are stored."""
    after: tuple[Judgment, ...]
    """As the present reader reads the completion."""


def stored_draws(store: Store, design: Design) -> Iterator[StoredDraw]:
    """Every answered draw of a design, item by item, read again; draws without a completion are passed over."""
    ballots = Ballots(design)
    held: list[tuple[ItemId, list[Judgment]]] = []
    for item_id, judgments in groupby(store.judgments(design.asking_id), lambda judgment: judgment.subject.item_id):
        held.append((item_id, list(judgments)))
        if len(held) == AT_ONCE:
            yield from _read_again(store, ballots, held)
            held = []
    yield from _read_again(store, ballots, held)


def _read_again(
    store: Store, ballots: Ballots, held: Sequence[tuple[ItemId, Sequence[Judgment]]]
) -> Iterator[StoredDraw]:
    call_ids = list(dict.fromkeys(judgment.call_id for _, judgments in held for judgment in judgments))
    completions, requests = store.answered(call_ids), store.asked(call_ids)
    for item_id, judgments in held:
        item = store.item(item_id)
        for key, drawn in groupby(sorted(judgments, key=_draw_of), _draw_of):
            of_draw = tuple(drawn)
            completion, request = completions.get(of_draw[0].call_id), requests.get(of_draw[0].call_id)
            if completion is None or request is None or item is None:
                continue
            first = of_draw[0]
            call = Call(
                request=request,
                judge_id=first.judge_id,
                subject=first.subject,
                shown=first.shown,
                sample=first.sample,
                attempt=first.attempt,
                judged=judged_texts(item, first.subject),
            )
            assert key == _draw_of(first)
            yield StoredDraw(before=of_draw, after=_read(call, completion, ballots))


def _read(call: Call, completion: Completion, ballots: Ballots) -> tuple[Judgment, ...]:
    return tuple(read_call(call, completion, ballots.of(call.judge_id, len(call.shown))))


def _draw_of(judgment: Judgment) -> tuple[tuple[int, ...], str, tuple[int, ...], int, int]:
    return (
        judgment.subject.responses,
        judgment.judge_id,
        judgment.shown,
        judgment.sample,
        judgment.attempt,
    )
