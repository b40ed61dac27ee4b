"""What is known beside the judgments: who wrote the responses, what people said, and which items belong together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from venire.coding.code import code_gold
from venire.coding.votes import CodedVotes
from venire.domain.annotation import Gold
from venire.domain.identity import BEST_OF_N, CriterionId
from venire.domain.item import Item, Subject
from venire.domain.rubric import Rubric


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Facts that some ways of deciding use beside the judgments."""

    items: Sequence[Item] = ()
    """Of the subjects, with or without their words: systems, groups and categories count."""
    golds: Sequence[Gold] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """What the rules learn from that need gold, over the subjects in their order."""

    gold: Mapping[CriterionId, CodedVotes]
    """By criterion, as one rater; no entry where nobody labelled any subject."""
    groups: tuple[str, ...]
    """Of each subject: what is learned from a group never decides it."""
    categories: tuple[str | None, ...]
    """Of each subject; None: it has none."""
    best: Mapping[Subject, int] = field(default_factory=dict)
    """By all responses of an item, the one that people named as the best."""


UNTRAINED = Training(gold={}, groups=(), categories=())
"""For rules that learn from no gold."""


def training_of(known: Known, subjects: Sequence[Subject], rubric: Rubric) -> Training:
    """What there is to learn from on these subjects.

    A subject whose item is not among `known.items` is a group of its own.
    """
    by_id = {item.id: item for item in known.items}
    coded = {criterion.id: code_gold(known.golds, subjects, criterion) for criterion in rubric.criteria}
    found = [by_id.get(subject.item_id) for subject in subjects]
    return Training(
        gold={criterion_id: gold for criterion_id, gold in coded.items() if bool(gold.present.any())},
        groups=tuple(
            item.group if item is not None else subject.item_id for item, subject in zip(found, subjects, strict=True)
        ),
        categories=tuple(None if item is None else item.category for item in found),
        best={gold.subject: int(gold.value) for gold in known.golds if gold.criterion_id == BEST_OF_N},
    )
