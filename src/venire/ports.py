"""Protocols: the few places where something can be exchanged. Each has at most four methods."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Protocol, runtime_checkable

from venire.domain.annotation import Annotation
from venire.domain.call import Completion, Exchange, ExchangeError, Reply, Request
from venire.domain.identity import CallId, DesignId, ItemId
from venire.domain.item import Item
from venire.domain.judgment import Judgment
from venire.domain.outcomes import Outcomes

__all__ = ["Completions", "Items", "Judgments", "People", "Provider", "Store", "Transcripts"]


class Provider(Protocol):
    """Something that answers requests: an API, a model in this process, a rule, a recording."""

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        """Answer one request with one choice for each sample number, in that order.

        Sample numbers make repeated draws differ where the judge takes a seed. A provider that is given one
        sample number at a time answers with one choice.

        Raises:
            ProviderError: no answer came; its kind says whether to try again.
        """
        ...

    async def close(self) -> None:
        """Let go of connections, threads and models. Called once, also after a failure."""
        ...


class Completions(Protocol):
    """What was asked and answered: append-only."""

    def answered(self, call_ids: Sequence[CallId]) -> Mapping[CallId, Completion]:
        """Those of the calls that have a completion; failed exchanges are not answers."""
        ...

    def record(self, exchanges: Sequence[Exchange]) -> Future[None]:
        """Append; the future is done when the rows are durable. A completion that exists already is kept."""
        ...

    def failures(self, call_ids: Sequence[CallId]) -> Mapping[CallId, ExchangeError]:
        """The latest error of those calls that have one and no completion."""
        ...

    def exchanges(self, *, words: bool = True) -> Iterator[Exchange]:
        """Every round trip in the order recorded, without its raw body.

        Args:
            words: whether with what was asked and answered; what it took is told several times faster without.
        """
        ...


class Transcripts(Protocol):
    """What exactly was sent, for those who look into a run."""

    def asked(self, call_ids: Sequence[CallId]) -> Mapping[CallId, Request]:
        """The request of each call that was ever sent, answered or not."""
        ...


class Judgments(Protocol):
    """What was read from completions: derived, replaced when read again."""

    def keep(self, design_id: DesignId, judgments: Sequence[Judgment]) -> Future[None]:
        """Write; one with the same subject, criterion, judge, order, sample and attempt is replaced."""
        ...

    def judgments(self, design_id: DesignId, item_id: ItemId | None = None) -> Iterator[Judgment]:
        """All judgments made under a design (its asking id), or only those of one item."""
        ...

    def outcomes(self, design_id: DesignId) -> Outcomes:
        """What was read of every subject of the run's items, in no particular order: all that verdicts need.

        Each subject comes once; those of items that the run no longer has may be among them.
        """
        ...


class Items(Protocol):
    """The items of the run as they were judged."""

    def keep_items(self, items: Iterable[Item]) -> None:
        """Make these the run's items, in this order; durable on return."""
        ...

    def items(self) -> Iterator[Item]:
        """The run's items, in order."""
        ...

    def outlines(self) -> Iterator[Item]:
        """The run's items, in order, without their words: as `venire.domain.item.outline` makes them."""
        ...

    def item(self, item_id: ItemId) -> Item | None:
        """One item, or None where the run has no such id."""
        ...


class People(Protocol):
    """What people said."""

    def keep_annotations(self, annotations: Iterable[Annotation]) -> None:
        """Make these the run's annotations; durable on return."""
        ...

    def annotations(self) -> Iterator[Annotation]:
        """All annotations, in the order kept."""
        ...


@runtime_checkable
class Store(Completions, Transcripts, Judgments, Items, People, Protocol):
    """Everything that one run keeps; a union of small protocols, each of which can stand alone."""

    def close(self) -> None:
        """Finish all writes and let go of the files."""
        ...
