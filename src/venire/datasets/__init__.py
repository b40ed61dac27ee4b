"""Files to items, annotations and recordings: the only reader of foreign shapes."""

from venire.datasets.annotations import read_annotations
from venire.datasets.gold import gold_of
from venire.datasets.items import ReadItems, read_items
from venire.datasets.recordings import read_recordings

__all__ = ["ReadItems", "gold_of", "read_annotations", "read_items", "read_recordings"]
