"""Criteria combined: one verdict from the verdicts on every criterion of the rubric."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

from venire.domain.identity import CriterionId
from venire.domain.item import Subject
from venire.domain.rubric import (
    BOTH_BAD,
    TIE,
    ChoiceScale,
    Criterion,
    IntervalScale,
    NominalScale,
    OrdinalScale,
    Rubric,
    Scale,
    Value,
)
from venire.domain.verdict import Decided, Shared, Undecided, VerdictOutcome
from venire.errors import DesignError

Combination = Literal["weighted", "all"]
PASS = "pass"
FAIL = "fail"
CRITERIA_TIED = "criteria tied"


def check_combination(rubric: Rubric, combination: Combination) -> None:
    """Refuse a rubric whose criteria cannot be combined in this way.

    Raises:
        DesignError: a criterion has no position between 0 and 1 ("weighted"), or no positive label ("all").
    """
    if len(rubric.criteria) < 2:
        return
    for criterion in rubric.criteria:
        scale = criterion.scale
        if combination == "weighted" and isinstance(scale, NominalScale) and len(scale.labels) > 2:
            raise DesignError(
                f"Criterion {criterion.id!r} has the labels {list(scale.labels)!r} without an order: they have no "
                "positions to average. Use two labels, an ordinal scale, or aggregation.criteria: all."
            )
        if combination == "all" and isinstance(scale, IntervalScale | ChoiceScale):
            raise DesignError(
                f"Criterion {criterion.id!r} has no positive label, its scale is {scale!r}; aggregation.criteria "
                "'all' needs one. Use nominal or ordinal labels, or aggregation.criteria: weighted."
            )


def combine_criteria(
    subject: Subject, outcomes: Mapping[CriterionId, VerdictOutcome], rubric: Rubric, combination: Combination
) -> VerdictOutcome:
    """Combine the outcomes on one subject.

    weighted: the mean of the positions on the scales, by weight, in [0, 1]: numbers between their bounds, ordered
    labels by rank, the positive of two labels 1 and the other 0. Choices: the response with the most weight; where
    all responses have equal weight, a tie if every scale has ties. A shared outcome enters with equal parts. One
    undecided criterion leaves the combination undecided.

    all: "pass" where every criterion holds its positive label (ordered labels: the best), "fail" where one that is
    decided does not, whatever the others would have been; undecided otherwise.

    Args:
        outcomes: one for every criterion of the rubric.
    """
    criteria = rubric.criteria
    if combination == "all":
        return _all_positive(outcomes, criteria)
    undecided = _first_undecided(outcomes, criteria)
    if undecided is not None:
        return undecided
    if all(isinstance(criterion.scale, ChoiceScale) for criterion in criteria):
        return _heaviest_choice(subject, outcomes, criteria)
    weights = [criterion.weight for criterion in criteria]
    positions = [_mean_position(criterion.scale, outcomes[criterion.id]) for criterion in criteria]
    # fsum rounds once, so that the order of criteria does not reach the last bit.
    total = math.fsum(weight * position for weight, position in zip(weights, positions, strict=True))
    return Decided(value=min(1.0, total / math.fsum(weights)))


def position_of(scale: Scale, value: Value) -> float:
    """Where a value lies on its scale: 0 worst, 1 best.

    Raises:
        DesignError: values of this scale have no position.
    """
    match scale:
        case IntervalScale(min=low, max=high) if not isinstance(value, str):
            return (value - low) / (high - low)
        case OrdinalScale(labels=labels):
            return labels.index(str(value)) / (len(labels) - 1)
        case NominalScale(labels=labels, positive=positive) if len(labels) == 2:
            return 1.0 if value == positive else 0.0
        case _:
            raise DesignError(f"{value!r} has no position between 0 and 1 on {scale!r}; weight ordered scales alone")


def _values(outcome: VerdictOutcome) -> tuple[Value, ...]:
    match outcome:
        case Decided(value=value):
            return (value,)
        case Shared(values=values):
            return values
        case _:
            return ()


def _mean_position(scale: Scale, outcome: VerdictOutcome) -> float:
    positions = [position_of(scale, value) for value in _values(outcome)]
    return math.fsum(positions) / len(positions)


def _first_undecided(outcomes: Mapping[CriterionId, VerdictOutcome], criteria: Sequence[Criterion]) -> Undecided | None:
    for criterion in criteria:
        if isinstance(outcomes[criterion.id], Undecided):
            return Undecided(reason=f"criterion {criterion.id!r} is undecided")
    return None


def _all_positive(outcomes: Mapping[CriterionId, VerdictOutcome], criteria: Sequence[Criterion]) -> VerdictOutcome:
    open_question: Undecided | None = None
    for criterion in criteria:
        holds = {is_positive(criterion.scale, value) for value in _values(outcomes[criterion.id])}
        if holds == {False}:
            return Decided(value=FAIL)
        if holds != {True} and open_question is None:
            open_question = Undecided(reason=f"criterion {criterion.id!r} is undecided")
    return open_question or Decided(value=PASS)


def is_positive(scale: Scale, value: Value) -> bool:
    """Whether a value is the positive label of its scale.

    Raises:
        DesignError: the scale has no positive label.
    """
    match scale:
        case NominalScale(positive=positive):
            return value == positive
        case OrdinalScale(labels=labels):
            return value == labels[-1]
        case _:
            raise DesignError(f"{scale!r} has no positive label; aggregation.criteria 'all' needs one")


def _heaviest_choice(
    subject: Subject, outcomes: Mapping[CriterionId, VerdictOutcome], criteria: Sequence[Criterion]
) -> VerdictOutcome:
    # Exact, from the weights as they are written: 0.1 + 0.2 ties with 0.3.
    weight_of: dict[Value, Fraction] = dict.fromkeys(subject.responses, Fraction(0))
    for criterion in criteria:
        values = _values(outcomes[criterion.id])
        for value in values:
            # A tie prefers nobody: it adds the same to every response, that is nothing.
            if value != TIE:
                part = Fraction(str(criterion.weight)) / len(values)
                weight_of[value] = weight_of.get(value, Fraction(0)) + part
    most = max(weight_of.values())
    heaviest = [value for value, weight in weight_of.items() if weight == most]
    if len(heaviest) == 1:
        return Decided(value=heaviest[0])
    has_ties = all(isinstance(criterion.scale, ChoiceScale) and criterion.scale.tie for criterion in criteria)
    if has_ties and BOTH_BAD not in heaviest and len(heaviest) == len(subject.responses):
        return Decided(value=TIE)
    return Undecided(reason=CRITERIA_TIED)
