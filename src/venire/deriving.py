"""Deriving: a run's verdicts from what its store holds; no judge is asked."""

from dataclasses import dataclass

from venire.aggregation.decide import Aggregated, aggregate_outcomes
from venire.aggregation.known import Known
from venire.datasets.gold import gold_of
from venire.domain.design import Design
from venire.domain.item import Item, Subject
from venire.planning.subjects import subjects_of_all
from venire.ports import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """A run's verdicts, and what they are about."""

    items: tuple[Item, ...]
    """The run's, without their words."""
    subjects: tuple[Subject, ...]
    aggregated: Aggregated


def derive_verdicts(store: Store, design: Design) -> Derived:
    """Decide every subject of a run's items by a design.

    Raises:
        DesignError: the design's way of deciding has no meaning here, or there is no gold to learn from.
        UsageError: one annotator gave one subject two labels.
    """
    items = tuple(store.outlines())
    subjects = subjects_of_all(items, design)
    known = Known(items=items, golds=gold_of(store.annotations()))
    aggregated = aggregate_outcomes(store.outcomes(design.asking_id), subjects, design, known)
    return Derived(items=items, subjects=subjects, aggregated=aggregated)
