"""Batches: which calls go out together in one request."""

from collections.abc import Iterable, Iterator

from venire.domain.call import Call
from venire.domain.identity import RequestId

Batch = tuple[Call, ...]
"""Draws of one request that are asked for in one exchange."""


def batch_calls(calls: Iterable[Call], samples_per_request: int) -> Iterator[Batch]:
    """One judge's calls in batches: draws of the same request together, as many as one request may ask for."""
    begun: dict[RequestId, list[Call]] = {}
    for call in calls:
        draws = begun.setdefault(call.request.id, [])
        draws.append(call)
        if len(draws) == samples_per_request:
            yield tuple(begun.pop(call.request.id))
    for draws in begun.values():
        yield tuple(draws)
