"""Subjects: which responses of an item are judged, alone or against each other."""

from dataclasses import replace
from functools import lru_cache
from itertools import combinations

from venire.domain.design import Design
from venire.domain.item import Item, Response, Subject


def subjects_of(item: Item, design: Design) -> tuple[Subject, ...]:
    """Every verdict that the design will give on this item, whether or not its responses have text.

    A comparison needs two responses: an item with one has no subject then.
    """
    indices = range(len(item.responses))
    match design.protocol:
        case "pointwise":
            return tuple(Subject(item_id=item.id, responses=(index,)) for index in indices)
        case "listwise":
            return (Subject(item_id=item.id, responses=tuple(indices)),) if len(indices) > 1 else ()
        case "pairwise":
            pairs = combinations(indices, 2)
            return tuple(Subject(item_id=item.id, responses=pair) for pair in pairs if _is_pair(item, pair, design))


def _is_pair(item: Item, pair: tuple[int, ...], design: Design) -> bool:
    # With a baseline, every other system meets it; two responses of the baseline do not meet each other.
    return design.baseline is None or [item.responses[index].system for index in pair].count(design.baseline) == 1


def outline(item: Item) -> Item:
    """The item without its words, which are most of it: all that verdicts and their counts need."""
    return replace(item, prompt=(), context=None, reference=(), responses=tuple(map(_outline, item.responses)))


@lru_cache(maxsize=1024)
def _without_words(system: str | None, text: str | None) -> Response:
    return Response(text=text, system=system)


def _outline(response: Response) -> Response:
    # A response with text keeps an empty one, since None would say that it is missing.
    return _without_words(response.system, None if response.text is None else "")


def is_askable(item: Item, subject: Subject) -> bool:
    """Whether every response of the subject has text; a missing response is never asked about."""
    return all(item.responses[index].text is not None for index in subject.responses)


def shown_orders(subject: Subject, design: Design) -> tuple[tuple[int, ...], ...]:
    """The orders in which the subject's responses are shown."""
    forward, backward = subject.responses, subject.responses[::-1]
    if len(forward) == 1:
        return (forward,)
    return {"AB": (forward,), "BA": (backward,), "both": (forward, backward)}[design.orders]
