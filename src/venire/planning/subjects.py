"""Subjects: which responses of an item are judged, alone or against each other."""

from itertools import combinations

from venire.domain.design import Design
from venire.domain.item import Item, Subject


def subjects_of(item: Item, design: Design) -> tuple[Subject, ...]:
    """Every verdict that the design will give on this item, whether or not its responses have text."""
    indices = range(len(item.responses))
    match design.protocol:
        case "pointwise":
            return tuple(Subject(item_id=item.id, responses=(index,)) for index in indices)
        case "listwise":
            return (Subject(item_id=item.id, responses=tuple(indices)),)
        case "pairwise":
            pairs = combinations(indices, 2)
            baseline = design.baseline
            return tuple(
                Subject(item_id=item.id, responses=pair)
                for pair in pairs
                if baseline is None or baseline in {item.responses[index].system for index in pair}
            )


def is_askable(item: Item, subject: Subject) -> bool:
    """Whether every response of the subject has text; a missing response is never asked about."""
    return all(item.responses[index].text is not None for index in subject.responses)


def shown_orders(subject: Subject, design: Design) -> tuple[tuple[int, ...], ...]:
    """The orders in which the subject's responses are shown."""
    forward, backward = subject.responses, subject.responses[::-1]
    if len(forward) == 1:
        return (forward,)
    return {"AB": (forward,), "BA": (backward,), "both": (forward, backward)}[design.orders]
