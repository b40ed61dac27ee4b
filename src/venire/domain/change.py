"""What changed between two runs."""

from dataclasses import dataclass

from venire.domain.finding import Finding
from venire.domain.identity import CriterionId
from venire.domain.item import Subject
from venire.domain.rubric import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureChange:
    """One figure in both runs, over the subjects that count in both."""

    before: Finding
    after: Finding
    difference: Finding
    """After minus before, in pairs."""
    lower_is_better: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictChange:
    """A subject that the two runs decided otherwise."""

    subject: Subject
    systems: tuple[str | None, ...]
    category: str | None
    before: Value | None
    """None: undecided."""
    after: Value | None
    gold: Value | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChange:
    """Two runs beside each other."""

    criterion_id: CriterionId
    n_shared: int
    n_only_before: int
    n_only_after: int
    n_dropped: int
    """Shared subjects that were decided before and are undecided after, and subjects that are not there any more."""
    changed: Finding
    """The share of shared subjects decided in both on which the verdicts differ."""
    figures: tuple[FigureChange, ...]
    verdicts: tuple[VerdictChange, ...]
    """The largest changes first."""
    notes: tuple[str, ...]
    seed: int
