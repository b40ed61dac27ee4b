"""Items without their words beside the items as they are: texts are most of an item, and verdicts need none."""

import sqlite3
from collections.abc import Iterator
from functools import lru_cache

from venire.domain.identity import ItemId, Json
from venire.domain.item import Item, Response
from venire.store.cells import Cells, pack_json, pack_text, unpack_json, unpack_text

_ROWS_AT_ONCE = 5000


def outline_cells(item: Item) -> Cells:
    """The cells of an item's row that hold its outline; many items have all but the group in common."""
    responses: Json = [[response.system, response.text is not None] for response in item.responses]
    return {"outline": pack_json([item.category, responses]), "item_group": pack_text(item.group)}


def read_outlines(cursor: sqlite3.Cursor) -> Iterator[Item]:
    """Every item in order, without its words.

    Args:
        cursor: the driver's own, which is several times faster where there are this many small rows.
    """
    cursor.execute("SELECT item_id, outline, item_group FROM items ORDER BY position")
    while rows := cursor.fetchmany(_ROWS_AT_ONCE):
        yield from [_read_outline(*row) for row in rows]


def _read_outline(item_id: str | bytes, outline: str | bytes, group: str | bytes) -> Item:
    category, responses = _shared(outline)
    return Item(id=ItemId(unpack_text(item_id)), responses=responses, category=category, group=unpack_text(group))


@lru_cache(maxsize=4096)
def _shared(outline: str | bytes) -> tuple[str | None, tuple[Response, ...]]:
    category, responses = unpack_json(outline)
    return category, tuple(Response(text="" if has_text else None, system=system) for system, has_text in responses)
