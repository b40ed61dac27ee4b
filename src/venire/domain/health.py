"""Panel health: whether a panel is worth its judges, and which of them."""

from dataclasses import dataclass
from typing import Literal

from venire.domain.finding import Finding, Undefined
from venire.domain.frontier import Recommended, ReplayMeasure
from venire.domain.identity import CriterionId, JudgeId


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeHealth:
    """One judge."""

    judge_id: JudgeId
    family: str | None
    votes: bool
    n: int
    """Subjects on which it has a vote."""
    missing: tuple[tuple[str, int], ...]
    """Subjects without one, by reason."""
    figure: Finding | Undefined
    """With gold; without gold its agreement with the panel, of which it is a part."""
    accuracy: Finding | Undefined
    severity: Finding | Undefined
    """Numbers and ordered labels: its mean minus the panel's, in points of the scale. Two labels: its share of the
    positive one minus gold's, or without gold the panel's."""
    flip_rate: Finding | Undefined
    """The share of subjects on which its two orders disagree."""
    first_shown: float | Undefined
    """Of its flips, the share in which it chose whatever was shown first."""
    consistency: Finding | Undefined
    """Labels: the chance that two of its samples agree. Numbers: their standard deviation on one subject."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairHealth:
    """Two judges beside each other."""

    first: JudgeId
    second: JudgeId
    agreement: float | Undefined
    """Labels: the share of equal ones. Numbers: Pearson's correlation."""
    error_correlation: float | Undefined
    """Of their errors against gold; without gold, of their disagreement with what the others decide."""
    n: int
    same_family: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeHealth:
    """The best panel of one size, chosen without the groups that it is measured on."""

    size: int
    chosen: Recommended | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class PartHealth:
    """The panel on one part of the subjects."""

    name: str
    """"all", a category, or how hard the subjects are."""
    n_subjects: int
    judges: tuple[JudgeHealth, ...]
    panel: Finding | Undefined
    best_single: JudgeId | None
    panel_minus_best: Finding | None
    """Over the subjects that both decided, resampled in pairs."""
    pairs: tuple[PairHealth, ...]
    n_effective: float | Undefined
    mean_error_correlation: float | Undefined
    ideal: float | Undefined
    """Accuracy that a majority of judges as accurate as these would have if they erred independently (Condorcet)."""
    accuracy: float | Undefined
    """The panel's real accuracy, beside the ideal."""
    leave_one_out: tuple[tuple[JudgeId, Finding], ...]
    """The panel without a judge minus the panel."""
    sizes: tuple[SizeHealth, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelHealth:
    """The panel as a whole and by part."""

    criterion_id: CriterionId
    measure: ReplayMeasure
    against: Literal["gold", "the run's own verdicts"]
    rule: str
    parts: tuple[PartHealth, ...]
    """All subjects first."""
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    seed: int
