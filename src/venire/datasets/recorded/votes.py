"""What every shape is read into: items, votes with their places, people's labels, and what was noticed."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from venire.domain.design import Protocol
from venire.domain.identity import CriterionId, ItemId, Json
from venire.domain.item import Item
from venire.domain.rubric import Scale
from venire.errors import Problem

RecordedOrder = Literal["AB", "BA"]


class RecordedVote(NamedTuple):
    """One vote as it is written: not yet held to any scale. A tuple, because there are many."""

    item_id: ItemId
    responses: tuple[int, ...]
    criterion_id: CriterionId
    judge: str
    prompt: str | None
    """The name of the prompting strategy."""
    order: RecordedOrder
    sample: int
    value: Json
    """A label, a number, a response index, "tie" or "both_bad"; None: there is none."""
    file: str
    line: int


class RecordedLabel(NamedTuple):
    """One person's label, or gold, as it is written."""

    item_id: ItemId
    responses: tuple[int, ...]
    criterion_id: CriterionId
    annotator: str
    value: Json
    file: str
    line: int


@dataclass(slots=True, kw_only=True)
class Recorded:
    """Everything that was recorded, gathered while files are read."""

    protocol: Protocol
    items: dict[ItemId, Item] = field(default_factory=dict)
    votes: list[RecordedVote] = field(default_factory=list)
    labels: list[RecordedLabel] = field(default_factory=list)
    scales: dict[CriterionId, Scale] = field(default_factory=dict)
    """Those that the data themselves declare."""
    families: dict[str, str] = field(default_factory=dict)
    """By judge, where the data tell."""
    noticed: Counter[str] = field(default_factory=Counter)
    """What the data hide, in words, with how often."""
    problems: list[Problem] = field(default_factory=list)
