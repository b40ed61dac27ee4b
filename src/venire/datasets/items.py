"""Reading a file of items: every row checked before anything is asked, every problem said at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from venire.datasets.cells import is_numbered, item_cells
from venire.datasets.columns import Columns
from venire.datasets.complaints import BadValue
from venire.datasets.item_fields import ITEM_FIELDS, ItemRow, read_item
from venire.datasets.labels import Asked
from venire.datasets.notes import Tally
from venire.datasets.rows import Row, read_id, read_rows
from venire.datasets.seen import Seen
from venire.domain.annotation import Annotation
from venire.domain.design import Protocol
from venire.domain.identity import ItemId, content_id
from venire.domain.item import Item
from venire.domain.rubric import Rubric
from venire.errors import DataError, Problem, UsageError

ADVICE = "Mend these lines, or go on without them: --skip-bad-items."


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadItems:
    """What a file of items held."""

    items: tuple[Item, ...]
    annotations: tuple[Annotation, ...]
    """The items' own gold, under the annotator "given"."""
    problems: tuple[Problem, ...]
    """The rows left out, with the reason; empty unless bad rows are skipped."""
    notes: tuple[str, ...]
    """What else the reader found: unknown fields, missing texts, broken characters."""
    left_out: frozenset[ItemId] = frozenset()
    """Ids in the file that are not among the items: beyond the limit, or of bad rows."""


def read_items(
    path: Path,
    *,
    protocol: Protocol,
    rubric: Rubric,
    columns: Columns = (),
    skip_bad: bool = False,
    limit: int | None = None,
    best_of: bool = False,
) -> ReadItems:
    """The items of a JSONL, JSON or CSV file, plain or .gz, or of a Parquet file, in file order.

    Args:
        path: the file.
        protocol: of the design; so is `rubric`.
        rubric: for the items' own gold.
        columns: how the file calls the fields of an item, where it calls them otherwise.
        skip_bad: leave bad rows out and list them, instead of refusing the file.
        limit: keep only the first good items; the whole file is checked all the same.
        best_of: whether gold may name the best of an item's responses.

    Raises:
        DataError: rows are bad and `skip_bad` is off; or no row is good; or the file cannot be read.
    """
    unknown = [name for name, _ in columns if not is_item_field(name)]
    if unknown:
        raise UsageError(f"The design's columns name {unknown!r}; the fields of an item are {list(ITEM_FIELDS)!r}.")
    if limit is not None and limit < 1:
        raise UsageError(f"limit is {limit!r}; at least one item must be kept. Leave it out for all.")
    reading = _Reading(Asked(protocol=protocol, rubric=rubric, best_of=best_of))
    try:
        for row in read_rows(path, item_cells, columns):
            reading.take(row)
    except DataError as refusal:
        raise DataError((*reading.problems, *refusal.problems)) from refusal
    if not reading.items and not reading.problems:
        raise DataError((Problem(file=str(path), line=0, id=None, message="the file is empty; it has no row"),))
    if reading.problems and not skip_bad:
        raise DataError(tuple(reading.problems), ADVICE)
    if not reading.items:
        raise DataError(tuple(reading.problems), "Every row is bad, so nothing would be left to judge. Mend the file.")
    return reading.result(limit)


def is_item_field(name: str) -> bool:
    """Whether an item has a field of this name, the numbered columns of CSV included."""
    return name in ITEM_FIELDS or is_numbered(name)


class _Reading:
    """The state of one reading: rows come in one by one, good ones become items."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._seen: Seen[ItemId] = Seen()
        self._tally = Tally()
        self._annotations: list[Annotation] = []
        self._ids: dict[ItemId, None] = {}
        self.items: list[Item] = []
        self.problems: list[Problem] = []

    def take(self, row: Row | Problem) -> None:
        """Take one row in."""
        if isinstance(row, Problem):
            self.problems.append(row)
            return
        self._tally.count_row(row)
        messages = [*self._repeated(row)]
        try:
            read = read_item(row, self._asked)
        except BadValue as error:
            messages.extend(error.messages)
        else:
            if not messages:
                self._keep(read)
        self.problems.extend(row.problem(message) for message in messages)

    def result(self, limit: int | None) -> ReadItems:
        """What was read, cut to the limit."""
        items = tuple(self.items[:limit])
        kept = {item.id for item in items}
        notes = self._tally.notes()
        if len(items) < len(self.items):
            notes = (f"limit: the first {len(items)} of {len(self.items)} items", *notes)
        return ReadItems(
            items=items,
            annotations=tuple(a for a in self._annotations if a.subject.item_id in kept),
            problems=tuple(self.problems),
            notes=notes,
            left_out=frozenset(item_id for item_id in self._ids if item_id not in kept),
        )

    def _keep(self, read: ItemRow) -> None:
        self._tally.count_item(read)
        self.items.append(read.item)
        self._annotations.extend(read.annotations)

    def _repeated(self, row: Row) -> Iterator[str]:
        try:
            item_id = read_id(row.fields.get("id"))
        except BadValue:
            return
        self._ids[item_id] = None
        try:
            self._seen.enter(item_id, row, content_id(row.fields), what=f"id {item_id!r}")
        except BadValue as error:
            yield from error.messages
