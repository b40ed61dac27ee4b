"""Rubrics: the questions about quality, each with its scale."""

import math
import re
from dataclasses import dataclass
from typing import Literal

from venire.domain.folding import fold
from venire.domain.identity import BEST_OF_N, OVERALL, CriterionId
from venire.errors import DesignError

TIE = "tie"
BOTH_BAD = "both_bad"
CANNOT_ASSESS = "cannot_assess"
"""The word by which a judge abstains; no scale may use it as a label."""

RESERVED_IDS = frozenset({BEST_OF_N, OVERALL, "answer", "explanation", "confidence"})

Value = str | int | float
"""What a label holds: a word of a nominal or ordinal scale, a number, or (pairwise, listwise) a response index."""


def _check_labels(labels: tuple[str, ...]) -> None:
    folded = {fold(label) for label in labels}
    if len(labels) < 2:
        raise DesignError(f"labels={list(labels)!r}; a scale needs at least two. Add a label or drop the criterion.")
    if len(folded) < len(labels):
        raise DesignError(f"labels={list(labels)!r} repeat one another (case, width and spaces around do not count)")
    for label in labels:
        if not fold(label) or label != label.strip() or len(label.splitlines()) > 1:
            raise DesignError(f"label {label!r} is empty, has outer spaces or a line break; use plain words")
        if fold(label) == CANNOT_ASSESS:
            raise DesignError(f"label {label!r} is the word for abstaining; choose another or set ballot.abstain")


@dataclass(frozen=True, slots=True, kw_only=True)
class NominalScale:
    """Labels without an order."""

    labels: tuple[str, ...]
    positive: str = ""
    """The label that counts as success (rule max, mean of two labels, weights); by default the first."""

    def __post_init__(self) -> None:
        _check_labels(self.labels)
        if not self.positive:
            object.__setattr__(self, "positive", self.labels[0])
        if self.positive not in self.labels:
            raise DesignError(f"positive={self.positive!r} is not one of the labels {list(self.labels)!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OrdinalScale:
    """Labels in order, worst first; the distances between them mean nothing."""

    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        _check_labels(self.labels)


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalScale:
    """Numbers between two bounds, higher is better; equal steps mean equal differences."""

    min: float
    max: float
    integer: bool = True
    """Whether only whole numbers are admitted."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.min) and math.isfinite(self.max) and self.min < self.max):
            raise DesignError(f"min={self.min!r}, max={self.max!r}; min must be below max, both finite")
        if self.integer and (self.min != int(self.min) or self.max != int(self.max)):
            raise DesignError(
                f"min={self.min!r}, max={self.max!r} on an integer scale; use whole bounds or integer: false"
            )
        # 1 and 1.0 are equal but are written, and so hashed, differently.
        object.__setattr__(self, "min", float(self.min))
        object.__setattr__(self, "max", float(self.max))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceScale:
    """The best of the responses shown (pairwise, listwise): an index, or tie, or both bad."""

    tie: bool = True
    """Whether "equally good" may be answered."""
    both_bad: bool = False
    """Whether "none is acceptable" may be answered; never silently a tie."""


Scale = NominalScale | OrdinalScale | IntervalScale | ChoiceScale
LevelOfMeasurement = Literal["nominal", "ordinal", "interval", "choice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One question about quality."""

    id: CriterionId
    question: str
    scale: Scale
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,63}", self.id):
            raise DesignError(
                f"criterion id {self.id!r} must start with a letter and hold letters, digits, _ or -", ("id",)
            )
        if self.id.casefold() in RESERVED_IDS:
            raise DesignError(f"criterion id {self.id!r} is reserved; reserved are {sorted(RESERVED_IDS)}", ("id",))
        if not self.question.strip():
            raise DesignError(f"Criterion {self.id!r} has no question; say what the judge shall decide", ("question",))
        if not (math.isfinite(self.weight) and self.weight > 0):
            raise DesignError(
                f"Criterion {self.id!r} has weight {self.weight!r}; a weight is a number above 0", ("weight",)
            )
        object.__setattr__(self, "weight", float(self.weight))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """An ordered set of criteria."""

    criteria: tuple[Criterion, ...]

    def __post_init__(self) -> None:
        ids = [criterion.id.casefold() for criterion in self.criteria]
        if not ids:
            raise DesignError("The rubric has no criterion; a panel must be asked something")
        if len(set(ids)) < len(ids):
            raise DesignError(f"criterion ids {[c.id for c in self.criteria]!r} repeat one another")

    def criterion(self, criterion_id: CriterionId) -> Criterion:
        """The criterion with this id."""
        for criterion in self.criteria:
            if criterion.id == criterion_id:
                return criterion
        raise KeyError(f"no criterion {criterion_id!r} in this rubric; there are {[c.id for c in self.criteria]!r}")


def admits(scale: Scale, value: Value, responses: tuple[int, ...]) -> bool:
    """Whether a value lies on a scale; True and False never do, although Python takes them for 1 and 0.

    Args:
        responses: the indices that a choice may name.
    """
    if isinstance(value, bool):
        return False
    match scale:
        case NominalScale(labels=labels) | OrdinalScale(labels=labels):
            return isinstance(value, str) and value in labels
        case IntervalScale():
            if isinstance(value, str) or not math.isfinite(value):
                return False
            return scale.min <= value <= scale.max and not (scale.integer and value != int(value))
        case ChoiceScale():
            if isinstance(value, str):
                return (value == TIE and scale.tie) or (value == BOTH_BAD and scale.both_bad)
            return isinstance(value, int) and value in responses
