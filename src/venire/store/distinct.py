"""The one thing that every store checks of a run's items: no id twice."""

from collections.abc import Iterable, Iterator

from venire.domain.identity import ItemId
from venire.domain.item import Item
from venire.errors import UsageError


def distinct_items(items: Iterable[Item]) -> Iterator[Item]:
    """The items as they come.

    Raises:
        UsageError: an id comes a second time.
    """
    seen: set[ItemId] = set()
    for item in items:
        if item.id in seen:
            raise UsageError(f"item id {item.id!r} comes twice; the items of a run have an id each, so rename one")
        seen.add(item.id)
        yield item
