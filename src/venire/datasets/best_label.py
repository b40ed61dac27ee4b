"""Labels of people about which of an item's responses is the best, where judges score each alone."""

from collections.abc import Mapping

from venire.datasets.complaints import BadValue
from venire.datasets.labels import Candidates, read_label
from venire.domain.identity import BEST_OF_N, CriterionId, Json
from venire.domain.item import Item, Subject
from venire.domain.rubric import ChoiceScale, Criterion, Value

# The reserved id belongs to no criterion of a rubric.
_QUESTION = Criterion(id=CriterionId("best-of-n"), question="Which response is the best?", scale=ChoiceScale(tie=False))


def best_subject(item: Item) -> Subject:
    """What the label is about: all of the item's responses.

    Raises:
        BadValue: there is only one.
    """
    if len(item.responses) < 2:
        raise BadValue(f"item {item.id!r} has one response; {BEST_OF_N} needs several to choose from")
    return Subject(item_id=item.id, responses=tuple(range(len(item.responses))))


def read_best(written: Json, *, item: Item, systems: Mapping[str, int], untyped: bool) -> Value:
    """The index of the response that a label means: that index, or its system's name.

    Raises:
        BadValue: it means none.
    """
    candidates = Candidates(indices=best_subject(item).responses, systems=systems, untyped=untyped)
    return read_label(written, _QUESTION, candidates)
