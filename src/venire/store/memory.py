"""The store that forgets: for tests, notebooks and runs that need no folder."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace

from venire.domain.annotation import Annotation
from venire.domain.call import Completion, Exchange, ExchangeError, Request, without_words
from venire.domain.identity import CallId, CriterionId, DesignId, ItemId, JudgeId
from venire.domain.item import Item, outline
from venire.domain.judgment import Judgment
from venire.domain.outcomes import Outcomes, outcomes_of
from venire.store.distinct import distinct_items

_Key = tuple[tuple[int, ...], CriterionId, JudgeId, tuple[int, ...], int, int]


class MemoryStore:
    """Everything that one run keeps, in this process; raw bodies are let go, since nothing reads them."""

    def __init__(self) -> None:
        self._exchanges: list[Exchange] = []
        self._answers: dict[CallId, Completion] = {}
        self._errors: dict[CallId, ExchangeError] = {}
        self._judgments: dict[tuple[DesignId, ItemId], dict[_Key, Judgment]] = {}
        self._items: dict[ItemId, Item] = {}
        self._annotations: tuple[Annotation, ...] = ()

    def answered(self, call_ids: Sequence[CallId]) -> Mapping[CallId, Completion]:
        """Those of the calls that have a completion: the first that came."""
        return {call_id: self._answers[call_id] for call_id in call_ids if call_id in self._answers}

    def record(self, exchanges: Sequence[Exchange]) -> Future[None]:
        """Append; as durable as this process, and done on return."""
        for exchange in exchanges:
            self._exchanges.append(replace(exchange, raw=""))
            for completion in exchange.completions:
                self._answers.setdefault(completion.call_id, completion)
            if exchange.error is not None:
                self._errors.update(dict.fromkeys(exchange.call_ids, exchange.error))
        return _done()

    def failures(self, call_ids: Sequence[CallId]) -> Mapping[CallId, ExchangeError]:
        """The latest error of those calls that have one and no completion."""
        return {
            call_id: self._errors[call_id]
            for call_id in call_ids
            if call_id in self._errors and call_id not in self._answers
        }

    def asked(self, call_ids: Sequence[CallId]) -> Mapping[CallId, Request]:
        """The request of each call that was ever sent, answered or not."""
        requests = {call_id: exchange.request for exchange in self._exchanges for call_id in exchange.call_ids}
        return {call_id: requests[call_id] for call_id in call_ids if call_id in requests}

    def exchanges(self, *, words: bool = True) -> Iterator[Exchange]:
        """Every round trip in the order recorded, without its raw body, and perhaps without its words."""
        kept = iter(tuple(self._exchanges))
        return kept if words else map(without_words, kept)

    def keep(self, design_id: DesignId, judgments: Sequence[Judgment]) -> Future[None]:
        """Write; a judgment with the same key is replaced."""
        for judgment in judgments:
            place = (design_id, judgment.subject.item_id)
            self._judgments.setdefault(place, {})[_key(judgment)] = judgment
        return _done()

    def judgments(self, design_id: DesignId, item_id: ItemId | None = None) -> Iterator[Judgment]:
        """The judgments of the run's items under a design, or those of one item.

        In order of the items, then responses, criterion id, judge id, order shown, sample, attempt.
        """
        wanted = self._items if item_id is None else {item_id} & self._items.keys()
        for one in tuple(wanted):
            kept = self._judgments.get((design_id, one), {})
            yield from sorted(kept.values(), key=_key)

    def outcomes(self, design_id: DesignId) -> Outcomes:
        """What was read of every subject under a design, in no particular order."""
        return outcomes_of(self.judgments(design_id))

    def keep_items(self, items: Iterable[Item]) -> None:
        """Make these the run's items, in this order."""
        self._items = {item.id: item for item in distinct_items(items)}

    def items(self) -> Iterator[Item]:
        """The run's items, in order."""
        return iter(tuple(self._items.values()))

    def outlines(self) -> Iterator[Item]:
        """The run's items, in order, without their words."""
        return map(outline, self.items())

    def item(self, item_id: ItemId) -> Item | None:
        """One item, or None where the run has no such id."""
        return self._items.get(item_id)

    def keep_annotations(self, annotations: Iterable[Annotation]) -> None:
        """Make these the run's annotations."""
        self._annotations = tuple(annotations)

    def annotations(self) -> Iterator[Annotation]:
        """All annotations, in the order kept."""
        return iter(self._annotations)

    def close(self) -> None:
        """Nothing to finish; what was kept can still be read."""


def _key(judgment: Judgment) -> _Key:
    return (
        judgment.subject.responses,
        judgment.criterion_id,
        judgment.judge_id,
        judgment.shown,
        judgment.sample,
        judgment.attempt,
    )


def _done() -> Future[None]:
    future: Future[None] = Future()
    future.set_result(None)
    return future
