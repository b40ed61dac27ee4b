"""Batches: which calls go out together in one request."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from venire.domain.call import Call
from venire.domain.identity import RequestId


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Draws of one request that are asked for in one exchange."""

    calls: tuple[Call, ...]


def chunked(calls: Iterable[Call], size: int) -> Iterator[list[Call]]:
    """The calls in lists of at most `size`."""
    iterator = iter(calls)
    while chunk := list(islice(iterator, size)):
        yield chunk


def batch_calls(calls: Iterable[Call], samples_per_request: int) -> Iterator[Batch]:
    """One judge's calls in batches: draws of the same request together, as many as one request may ask for."""
    waiting: dict[RequestId, list[Call]] = {}
    for call in calls:
        group = waiting.setdefault(call.request.id, [])
        group.append(call)
        if len(group) == samples_per_request:
            yield Batch(calls=tuple(waiting.pop(call.request.id)))
    for group in waiting.values():
        yield Batch(calls=tuple(group))
