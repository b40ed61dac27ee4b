"""Gold: the label to trust for each subject and criterion, derived from annotations by one stated rule."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from venire.domain.annotation import GIVEN, Annotation, Gold
from venire.domain.identity import CriterionId
from venire.domain.item import Subject
from venire.domain.rubric import Value
from venire.errors import UsageError


def gold_of(annotations: Iterable[Annotation]) -> tuple[Gold, ...]:
    """One gold label for each subject and criterion that has one, by subject, then criterion.

    A label under the annotator "given" wins, with the reason "given". Otherwise people decide, with the reason
    "majority": a label that more than half of them gave; without one (a tie, three ways apart) there is no gold.
    Numbers (a rating of one response) are not counted but averaged: the gold is the mean of what people gave,
    which may lie between the points of a scale of whole numbers; where all gave the same number, that number.
    The order of the annotations does not matter.

    Raises:
        UsageError: one annotator gave the same subject and criterion two different labels.
    """
    gathered: dict[tuple[Subject, CriterionId], dict[str, Value]] = {}
    for annotation in annotations:
        said = gathered.setdefault((annotation.subject, annotation.criterion_id), {})
        if said.setdefault(annotation.annotator, annotation.value) != annotation.value:
            raise UsageError(
                f"{annotation.annotator!r} gave item {annotation.subject.item_id!r}, criterion "
                f"{annotation.criterion_id!r}, two labels: {said[annotation.annotator]!r} and {annotation.value!r}. "
                "Keep one."
            )
    decided = (_decide(subject, criterion, said) for (subject, criterion), said in sorted(gathered.items(), key=_key))
    return tuple(gold for gold in decided if gold is not None)


def _key(entry: tuple[tuple[Subject, CriterionId], object]) -> tuple[Subject, CriterionId]:
    return entry[0]


def _decide(subject: Subject, criterion_id: CriterionId, said: Mapping[str, Value]) -> Gold | None:
    if GIVEN in said:
        return Gold(subject=subject, criterion_id=criterion_id, value=said[GIVEN], reason="given", n_annotators=1)
    value = _agreed(subject, tuple(said.values()))
    if value is None:
        return None
    return Gold(subject=subject, criterion_id=criterion_id, value=value, reason="majority", n_annotators=len(said))


def _agreed(subject: Subject, values: tuple[Value, ...]) -> Value | None:
    value, n_votes = Counter(values).most_common(1)[0]
    if n_votes == len(values):
        return value
    numbers = [number for number in values if not isinstance(number, str)]
    # A number about several responses is the index of the better one, a name and no quantity.
    if len(subject.responses) == 1 and len(numbers) == len(values):
        return math.fsum(numbers) / len(numbers)
    return value if 2 * n_votes > len(values) else None
