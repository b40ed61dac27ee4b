"""Reading a file of annotations: one judgment of one person a line.

    {"item": "q1",                     the item's id
     "system": "gpt-x",                or "response": 0, the index; may be left out if the item has one response
     "systems": ["x", "y"],            pairwise, or "responses": [0, 1]; may be left out if the item has two
     "criterion": "correct",           may be left out if the rubric has one; "best_of_n", where the design has best_of,
                                       for a label that is the index or system of the item's best response
     "annotator": "anna",              text or whole number; "given" marks a label to be trusted as it is
     "label": …}                       a word or number of the scale; in comparisons as for an item's gold

A response index counts from 0 in the order of the item, not of what the person was shown.
"""

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

from venire.datasets.best_label import best_subject, read_best
from venire.datasets.cells import annotation_cells
from venire.datasets.complaints import BadValue, Complaints, quote
from venire.datasets.given_gold import systems_of
from venire.datasets.labels import Asked, Candidates, named_criterion, read_label
from venire.datasets.rows import Row, read_id, read_rows
from venire.datasets.seen import Seen
from venire.datasets.subjects import read_subject
from venire.domain.annotation import Annotation
from venire.domain.design import Protocol
from venire.domain.identity import BEST_OF_N, CriterionId, ItemId, Json
from venire.domain.item import Item, Subject
from venire.domain.rubric import Criterion, Rubric, Value
from venire.errors import DataError, Problem

_SHOWN = 5
"""Unmatched ids that a message lists."""


def read_annotations(
    path: Path,
    items: Mapping[ItemId, Item],
    *,
    protocol: Protocol,
    rubric: Rubric,
    left_out: Collection[ItemId] = (),
    best_of: bool = False,
) -> tuple[Annotation, ...]:
    """The annotations of a JSONL, JSON or CSV file, plain or .gz, in file order.

    Args:
        items: what is judged, by id.
        left_out: ids that are known but not judged this time (ReadItems.left_out); their lines are passed over.
        best_of: whether a line may name the best of an item's responses.

    Raises:
        DataError: with every problem of the file; or no line belongs to any item; or the file cannot be read.
    """
    reading = _Reading(items, frozenset(left_out), Asked(protocol=protocol, rubric=rubric, best_of=best_of))
    try:
        for row in read_rows(path, annotation_cells):
            reading.take(row)
    except DataError as refusal:
        raise DataError((*reading.problems, *refusal.problems)) from refusal
    return reading.result(path)


class _Reading:
    """The state of one reading: lines come in one by one."""

    def __init__(self, items: Mapping[ItemId, Item], left_out: frozenset[ItemId], asked: Asked) -> None:
        self._items = items
        self._left_out = left_out
        self._asked = asked
        self._seen: Seen[tuple[Subject, CriterionId, str]] = Seen()
        self._unmatched: list[ItemId] = []
        self._n_lines = 0
        self._n_matched = 0
        self._annotations: list[Annotation] = []
        self.problems: list[Problem] = []

    def take(self, row: Row | Problem) -> None:
        """Take one line in."""
        self._n_lines += 1
        if isinstance(row, Problem):
            self.problems.append(row)
            return
        try:
            item_id = read_id(row.fields.get("item"))
            if item_id in self._left_out and item_id not in self._items:
                self._n_matched += 1
                return
            annotation = self._read(row, item_id)
            key = (annotation.subject, annotation.criterion_id, annotation.annotator)
            self._seen.enter(key, row, annotation.value, what=_key_in_words(annotation), quoted=True)
        except BadValue as error:
            self.problems.extend(row.problem(message, key="item") for message in error.messages)
        else:
            self._annotations.append(annotation)

    def result(self, path: Path) -> tuple[Annotation, ...]:
        """What was read, if all of it was good."""
        if not self._n_lines:
            raise DataError((Problem(file=str(path), line=0, id=None, message="the file is empty; it has no row"),))
        if self._unmatched and not self._n_matched:
            raise DataError((Problem(file=str(path), line=0, id=None, message=self._no_match()),))
        if self.problems:
            advice = f"{self._n_matched} of {self._n_lines} lines belong to one of the {len(self._items)} items."
            raise DataError(tuple(self.problems), f"{advice} Mend these lines.")
        return tuple(self._annotations)

    def _read(self, row: Row, item_id: ItemId) -> Annotation:
        item = self._items.get(item_id)
        if item is None:
            self._unmatched.append(item_id)
            raise BadValue(f"there is no item {item_id!r}; the id must be written as in the file of items")
        self._n_matched += 1
        return _annotation(row, item, self._asked)

    def _no_match(self) -> str:
        unmatched = list(dict.fromkeys(self._unmatched))
        more = ", …" if len(unmatched) > _SHOWN else ""
        there = ", ".join(repr(item_id) for item_id in list(self._items)[:_SHOWN])
        return (
            f"0 of {self._n_lines} lines belong to one of the {len(self._items)} items; "
            f"unmatched ids: {', '.join(repr(i) for i in unmatched[:_SHOWN])}{more} ({len(unmatched)} different). "
            f"The items' ids are written like {there}. Is it the right file?"
        )


def _annotation(row: Row, item: Item, asked: Asked) -> Annotation:
    fields, complaints = row.fields, Complaints()
    if fields.get("criterion") == BEST_OF_N:
        return _best(row, item, asked)
    subject = complaints.attempt(partial(read_subject, item=item, protocol=asked.protocol), fields, otherwise=None)
    criterion = complaints.attempt(
        partial(named_criterion, rubric=asked.rubric), fields.get("criterion"), otherwise=None
    )
    annotator = complaints.attempt(_annotator, fields.get("annotator"), otherwise="")
    if subject is None or criterion is None:
        raise complaints.error()
    candidates = Candidates(indices=subject.responses, systems=systems_of(item, subject.responses), untyped=row.untyped)
    value = complaints.attempt(
        partial(_label, criterion=criterion, candidates=candidates), fields.get("label"), otherwise=""
    )
    complaints.settle()
    return Annotation(subject=subject, criterion_id=criterion.id, annotator=annotator, value=value)


def _best(row: Row, item: Item, asked: Asked) -> Annotation:
    if not asked.best_of:
        raise BadValue(f"criterion {BEST_OF_N!r} is for designs with aggregation.best_of, and this one has none")
    named = [name for name in ("response", "system") if row.fields.get(name) is not None]
    if named:
        raise BadValue(f"the line has {named!r}; {BEST_OF_N} is about all responses, and its label names one")
    subject = best_subject(item)
    systems = systems_of(item, subject.responses)
    value = read_best(row.fields.get("label"), item=item, systems=systems, untyped=row.untyped)
    annotator = _annotator(row.fields.get("annotator"))
    return Annotation(subject=subject, criterion_id=BEST_OF_N, annotator=annotator, value=value)


def _annotator(written: Json) -> str:
    if isinstance(written, int) and not isinstance(written, bool):
        return str(written)
    if not isinstance(written, str) or not written.strip():
        raise BadValue(f"the annotator is {quote(written)}; a name or a whole number was expected")
    return written


def _label(written: Json, criterion: Criterion, candidates: Candidates) -> Value:
    if written is None:
        raise BadValue("the label is missing or null; leave the line out where a person gave none")
    return read_label(written, criterion, candidates)


def _key_in_words(annotation: Annotation) -> str:
    responses = ", ".join(str(index) for index in annotation.subject.responses)
    return f"a label by {annotation.annotator!r} for response {responses} on {annotation.criterion_id!r}"
