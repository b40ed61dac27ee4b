"""Audits: how far a run's judges, rules and people agree, what that is worth, and how judges lean."""

from dataclasses import dataclass
from typing import Literal

from venire.domain.finding import Finding, Undefined
from venire.domain.identity import CriterionId, JudgeId

RaterKind = Literal["panel", "judge", "rule", "person"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterAudit:
    """One rater against gold."""

    name: str
    kind: RaterKind
    figure: Finding | Undefined
    """Kappa, or of numbers the mean absolute error."""
    accuracy: Finding | Undefined
    of_ceiling: Finding | Undefined
    """Its kappa as a share of the human ceiling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaceable:
    """Whether a rater may stand in for a person: the alternative annotator test."""

    name: str
    winning_rate: float | Undefined
    advantage: float | Undefined
    passes: bool
    epsilon: float


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """What people agree on among themselves."""

    annotators: tuple[str, ...]
    ceiling: Finding | Undefined
    """Mean kappa of each annotator with the majority of the others: as good as a judge can be held to be."""
    alpha: float | Undefined
    ac1: float | Undefined
    pairs: tuple[tuple[str, str, Finding | Undefined], ...]
    """Kappa of every two annotators."""
    replaceable: tuple[Replaceable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedSystem:
    """One system's pass rate, as the panel says it and corrected for the panel's errors."""

    system: str
    n: int
    apparent: float | Undefined
    corrected: Finding | Undefined
    powered: Finding | Undefined
    """Prediction-powered: the mean of labels, sharpened by the verdicts."""
    labels_only: Finding | Undefined
    n_labelled: int
    calibrated: Literal["its own labels", "the labels of all systems"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedRates:
    """The corrected pass rates of all systems."""

    rows: tuple[CorrectedSystem, ...]
    pooled: bool
    why: str
    """Why calibration was pooled, or was not."""
    advice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lean:
    """One bias of one rater."""

    kind: Literal["position", "self-preference", "verbosity", "severity", "noise"]
    judge_id: str
    figure: Finding | Undefined
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemDelta:
    """How much better or worse a judge makes a system look than gold does."""

    judge_id: JudgeId
    system: str
    delta: Finding | Undefined
    is_kin: bool
    """Whether judge and system are of one model or family."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """Whether the panel's support can be read as a probability."""

    brier: float | Undefined
    calibration_error: float | Undefined
    bins: tuple[tuple[float, float, int], ...]
    """Mean support, share right, and number, in ascending order of support."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The panel on one part of the subjects."""

    name: str
    figure: Finding | Undefined
    accuracy: Finding | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Everything."""

    criterion_id: CriterionId
    gold_is: str
    raters: tuple[RaterAudit, ...]
    """The panel first, then judges, rules and people."""
    people: People
    alpha_of_judges: float | Undefined
    corrected: CorrectedRates | Undefined
    support: Support
    leans: tuple[Lean, ...]
    deltas: tuple[SystemDelta, ...]
    delta_spread: tuple[tuple[JudgeId, float], ...]
    """By judge, the standard deviation of its deltas over systems (PoLL's figure)."""
    parts: tuple[Part, ...]
    """By category and by difficulty."""
    warnings: tuple[str, ...]
    seed: int
