"""What was seen before: keys that may occur once, and where each was met first."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from venire.datasets.complaints import BadValue
from venire.datasets.rows import Row

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class _First:
    place: str
    content: Hashable


class Seen(Generic[Key]):
    """The keys of the rows read so far; keeps a short content for each, not the rows."""

    def __init__(self) -> None:
        self._first: dict[Key, _First] = {}

    def enter(self, key: Key, row: Row, content: Hashable, *, what: str, quoted: bool = False) -> None:
        """Note a key.

        Args:
            content: equal for two rows that say the same.
            what: the key in words, the start of the message.
            quoted: whether the message shows both contents.

        Raises:
            BadValue: the key was there before; the message tells a repetition from a contradiction.
        """
        first = self._first.setdefault(key, _First(row.place, content))
        if first.place == row.place:
            return
        if first.content == content:
            raise BadValue(f"{what} was there before: the row repeats {first.place} exactly. Keep one of them.")
        both = f" ({first.content!r} there, {content!r} here)" if quoted else ""
        raise BadValue(f"{what} was there before: {first.place} has it with other content{both}. Keep the right one.")
