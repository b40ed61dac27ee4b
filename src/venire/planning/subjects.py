"""Subjects: which responses of an item are judged, alone or against each other."""

from collections.abc import Iterable
from functools import cache
from itertools import combinations

from venire.domain.design import Design
from venire.domain.item import Item, Subject


def subjects_of(item: Item, design: Design) -> tuple[Subject, ...]:
    """Every verdict that the design will give on this item, whether or not its responses have text.

    A comparison needs two responses: an item with one has no subject then.
    """
    indices = range(len(item.responses))
    match design.protocol:
        case "pointwise":
            return tuple([Subject(item_id=item.id, responses=alone) for alone in _each_alone(len(indices))])
        case "listwise":
            return (Subject(item_id=item.id, responses=tuple(indices)),) if len(indices) > 1 else ()
        case "pairwise":
            pairs = combinations(indices, 2)
            return tuple(Subject(item_id=item.id, responses=pair) for pair in pairs if _is_pair(item, pair, design))


def subjects_of_all(items: Iterable[Item], design: Design) -> tuple[Subject, ...]:
    """Every verdict that the design will give on these items, in their order."""
    if design.protocol == "pointwise":
        # Runs have hundreds of thousands of them: a call for each item takes as long as the subject itself.
        return tuple(
            [Subject(item_id=item.id, responses=alone) for item in items for alone in _each_alone(len(item.responses))]
        )
    return tuple(subject for item in items for subject in subjects_of(item, design))


@cache
def _each_alone(n_responses: int) -> tuple[tuple[int, ...], ...]:
    return tuple((index,) for index in range(n_responses))


def _is_pair(item: Item, pair: tuple[int, ...], design: Design) -> bool:
    # With a baseline, every other system meets it; two responses of the baseline do not meet each other.
    return design.baseline is None or [item.responses[index].system for index in pair].count(design.baseline) == 1


def is_askable(item: Item, subject: Subject) -> bool:
    """Whether every response of the subject has text; a missing response is never asked about."""
    return all(item.responses[index].text is not None for index in subject.responses)


def shown_orders(subject: Subject, design: Design) -> tuple[tuple[int, ...], ...]:
    """The orders in which the subject's responses are shown."""
    forward, backward = subject.responses, subject.responses[::-1]
    if len(forward) == 1:
        return (forward,)
    return {"AB": (forward,), "BA": (backward,), "both": (forward, backward)}[design.orders]
