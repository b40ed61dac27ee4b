"""Items without their words beside the items as they are: texts are most of an item, and verdicts need none."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from venire.domain.identity import ItemId, Json
from venire.domain.item import Item, Response
from venire.store.cells import Cells, pack_json, pack_text, unpack_json, unpack_text


def outline_cells(item: Item) -> Cells:
    """The cells of an item's row that hold its outline; many items have all but the group in common."""
    responses: Json = [[response.system, response.text is not None] for response in item.responses]
    return {"outline": pack_json([item.category, responses]), "item_group": pack_text(item.group)}


def read_outline(row: Sequence[Any]) -> Item:
    """The item in a row of `items`, without its words.

    Args:
        row: item_id, outline and item_group.
    """
    item_id, outline, group = row
    category, responses = _shared(outline)
    return Item(id=ItemId(unpack_text(item_id)), responses=responses, category=category, group=unpack_text(group))


@lru_cache(maxsize=4096)
def _shared(outline: str | bytes) -> tuple[str | None, tuple[Response, ...]]:
    category, responses = unpack_json(outline)
    return category, tuple(Response(text="" if has_text else None, system=system) for system, has_text in responses)
