"""Recordings: replies that a judge gave elsewhere, replayed by the recorded provider."""

from dataclasses import dataclass

from venire.domain.identity import ItemId


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingKey:
    """What a recorded reply answers."""

    item_id: ItemId
    shown: tuple[int, ...]
    """The response indices in the order in which the judge saw them."""
    sample: int = 0
