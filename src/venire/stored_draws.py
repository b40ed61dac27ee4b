"""Draws that are stored: each with its call, its completion and what was read from it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from venire.ballots.judgments import read_call
from venire.domain.call import Call, Completion, Request
from venire.domain.design import Design
from venire.domain.identity import ItemId
from venire.domain.item import Item
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
    item: Item
    request: Request
    completion: Completion


class DrawReader:
    """Reads stored draws with the present reader."""

    def __init__(self, design: Design) -> None:
        self._ballots = Ballots(design)

    def read(self, draw: StoredDraw) -> tuple[Judgment, ...]:
        """What the completion says.

        Raises:
            LookupError: a judgment names a judge or a response that design or item do not have.
        """
        first = draw.before[0]
        call = Call(
            request=draw.request,
            judge_id=first.judge_id,
            subject=first.subject,
            shown=first.shown,
            sample=first.sample,
            attempt=first.attempt,
            judged=judged_texts(draw.item, first.subject),
        )
        return tuple(read_call(call, draw.completion, self._ballots.of(call.judge_id, len(call.shown))))


def stored_draws(store: Store, design: Design) -> Iterator[StoredDraw]:
    """Every answered draw of a design, item by item; draws without a completion are passed over."""
    held: list[tuple[ItemId, list[Judgment]]] = []
    for item_id, judgments in groupby(store.judgments(design.asking_id), lambda judgment: judgment.subject.item_id):
        held.append((item_id, list(judgments)))
        if len(held) == AT_ONCE:
            yield from _with_answers(store, held)
            held = []
    yield from _with_answers(store, held)


def _with_answers(store: Store, held: Sequence[tuple[ItemId, Sequence[Judgment]]]) -> Iterator[StoredDraw]:
    call_ids = list(dict.fromkeys(judgment.call_id for _, judgments in held for judgment in judgments))
    completions, requests = store.answered(call_ids), store.asked(call_ids)
    for item_id, judgments in held:
        item = store.item(item_id)
        for _, drawn in groupby(sorted(judgments, key=_draw_of), _draw_of):
            before = tuple(drawn)
            completion, request = completions.get(before[0].call_id), requests.get(before[0].call_id)
            if completion is not None and request is not None and item is not None:
                yield StoredDraw(before=before, item=item, request=request, completion=completion)


def _draw_of(judgment: Judgment) -> tuple[tuple[int, ...], str, tuple[int, ...], int, int]:
    return (
        judgment.subject.responses,
        judgment.judge_id,
        judgment.shown,
        judgment.sample,
        judgment.attempt,
    )
