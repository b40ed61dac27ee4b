"""Notes: what a reader should know about a file that is good enough to be used."""

import difflib
from collections import Counter
from collections.abc import Iterable

from venire.datasets.item_fields import ITEM_FIELDS, ItemRow
from venire.datasets.rows import Row

# Ratio of matching characters (Ratcliff and Obershelp) from which a name passes for a slip of the pen:
# "refrence" and "respones" are above, "score" and "question" are far from every field.
_CLOSE = 0.8


class Tally:
    """Counts over the rows of one file of items."""

    def __init__(self) -> None:
        self._unused: Counter[str] = Counter()
        self._n_missing = 0
        self._n_empty_references = 0
        self._n_replaced = 0
        self._n_replaced_rows = 0

    def count_row(self, row: Row) -> None:
        """Count what is true of a row, good or bad."""
        self._n_replaced += row.n_replaced
        self._n_replaced_rows += row.n_replaced > 0

    def count_item(self, read: ItemRow) -> None:
        """Count what is true of a good row."""
        self._unused.update(read.unused)
        self._n_empty_references += read.n_empty_references
        self._n_missing += sum(response.text is None for response in read.item.responses)

    def notes(self) -> tuple[str, ...]:
        """One sentence for each thing found."""
        notes = [_unused_note(name, count) for name, count in self._unused.items()]
        if self._n_missing:
            notes.append(f"{_number(self._n_missing, 'response')} without text (null): never asked about")
        if self._n_empty_references:
            notes.append(f"{_number(self._n_empty_references, 'empty reference')} left out")
        if self._n_replaced:
            notes.append(
                f"{_number(self._n_replaced, 'broken character')} (half of a surrogate pair) "
                f"replaced by U+FFFD in {_number(self._n_replaced_rows, 'row')}"
            )
        return tuple(notes)


def _unused_note(name: str, count: int) -> str:
    near = _nearest(name, ITEM_FIELDS)
    hint = f"; did you mean {near!r}?" if near else ""
    return f"field {name!r} is not used ({_number(count, 'row')}){hint}"


def _nearest(name: str, known: Iterable[str]) -> str:
    others = [field for field in known if field != name]
    return next(iter(difflib.get_close_matches(name.strip().casefold(), others, n=1, cutoff=_CLOSE)), "")


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
