"""Stress: what was done to a panel's votes, and what each rule made of it."""

import math
from dataclasses import dataclass, replace
from typing import Literal

from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId, JudgeId
from venire.errors import UsageError

CorruptionName = Literal["zeros", "inverted", "bimodal-random", "cauchy-far", "unbiased-noise"]
CORRUPTIONS: tuple[CorruptionName, ...] = ("zeros", "inverted", "bimodal-random", "cauchy-far", "unbiased-noise")
MOST_REPEATS = 20
FEWEST_REPEATS = 5
ENOUGH_VECTORS = 200_000
"""Vectors over all repeats, after which more repeats tell nothing new."""
Who = Literal["independent", "fixed"]
Over = Literal["criteria", "responses"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StressPlan:
    """What is done to the votes, how often and how much.

    The defaults of location, scale and standard deviation are ours: RoPoLL (arXiv:2606.30931) names the corruptions and
    prints none of these numbers. They are in units of each scale's range, so that they mean the same on every scale.
    """

    corruptions: tuple[CorruptionName, ...] = CORRUPTIONS
    rates: tuple[float, ...] = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
    n_repeats: int | None = None
    """None: as `for_vectors` says."""
    seed: int = 0
    who: Who = "independent"
    """independent: the rate is the probability of each judge's vector; fixed: the share of judges, throughout."""
    trim: float = 0.2
    """Of the trimmed mean: the share of votes cut off at each end."""
    bimodal_low: float = 0.0
    """Position on the scale: 0 is its lowest end, 1 its highest."""
    bimodal_high: float = 1.0
    cauchy_location: float = 10.0
    """Ranges above the middle of the scale."""
    cauchy_scale: float = 10.0
    """Ranges."""
    noise_sd: float = 0.25
    """Ranges."""

    @property
    def repeats(self) -> int:
        """How many repeats are made."""
        return MOST_REPEATS if self.n_repeats is None else self.n_repeats

    def for_vectors(self, n_vectors: int) -> "StressPlan":
        """The same with a number of repeats: 20, fewer where one repeat has many vectors and the others are alike."""
        if self.n_repeats is not None:
            return self
        return replace(
            self, n_repeats=max(FEWEST_REPEATS, min(MOST_REPEATS, math.ceil(ENOUGH_VECTORS / max(n_vectors, 1))))
        )

    def __post_init__(self) -> None:
        for name in self.corruptions:
            if name not in CORRUPTIONS:
                raise UsageError(f"there is no corruption {name!r}; choose among {', '.join(CORRUPTIONS)}")
        for rate in self.rates:
            if not (math.isfinite(rate) and 0 <= rate <= 1):
                raise UsageError(f"the rate {rate!r} is not a share; rates from 0 to 1 were expected, such as 0.3")
        if not self.rates or not self.corruptions:
            raise UsageError("there is no rate or no corruption; name at least one of each")
        if self.repeats < 1:
            raise UsageError(f"repeats is {self.n_repeats!r}; at least one was expected")
        if not 0 <= self.trim < 0.5:
            raise UsageError(f"trim is {self.trim!r}; a share from 0 to below 0.5 was expected")
        for what in ("bimodal_low", "bimodal_high", "cauchy_location", "cauchy_scale", "noise_sd"):
            value = getattr(self, what)
            if not math.isfinite(value) or (what in ("cauchy_scale", "noise_sd") and value < 0):
                raise UsageError(f"{what} is {value!r}; a number{' of 0 or more' if value < 0 else ''} was expected")
        # Rate 0 is what every other one is held against.
        object.__setattr__(self, "rates", tuple(sorted({0.0, *self.rates})))
        object.__setattr__(self, "corruptions", tuple(name for name in CORRUPTIONS if name in self.corruptions))


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """An error over the subjects that were decided, and how many those are."""

    value: float
    """Numbers: √(mean ‖e‖²) of the consensus's vectors. Labels: the share that is wrong."""
    mean_distance: float
    """Numbers: mean ‖e‖. Labels: the share again."""
    n: int
    n_undecided: int
    """Subjects with a reference on which no vote was left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StressPoint:
    """One rule at one rate."""

    rate: float
    loss: Loss | Undefined
    """Each figure the median over the repeats in which it has a value."""
    low: float | Undefined
    """The smallest value among the repeats."""
    high: float | Undefined
    n_repeats: int
    """Repeats in which the loss has a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StressCurve:
    """One rule, or one judge alone, under one corruption."""

    corruption: CorruptionName
    rule: str
    is_checked: bool
    """Whether values outside the scale were refused before the rule."""
    points: tuple[StressPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Premium:
    """What a rule costs while nothing is broken."""

    rule: str
    loss: Loss | Undefined
    relative: float | Undefined
    """How much larger its loss is than that of the first rule, as a share of that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown:
    """How many judges, broken throughout, a rule bears."""

    corruption: CorruptionName
    rule: str
    is_checked: bool
    n_broken: int | Undefined
    """The fewest broken judges at which the loss exceeds the bound; undefined: it never does."""
    bound: float
    meaning: str
    """What the bound is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizePoint:
    """The losses of panels of one size, on clean votes."""

    n_judges: int
    n_panels: int
    losses: tuple[tuple[str, Loss | Undefined], ...]
    """By rule: the mean over the panels drawn."""
    n_effective: float | Undefined
    """n / (1 + (n − 1) γ)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorCorrelation:
    """How far judges err together."""

    mean: float
    """γ: the mean correlation of the errors of two judges, over pairs and coordinates."""
    plateau: float | Undefined
    """1/γ: what no number of such judges exceeds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stress:
    """Everything that a stress test has found."""

    plan: StressPlan
    criteria: tuple[CriterionId, ...]
    over: Over
    is_labels: bool
    dims: int
    """Numbers in a vector, at most."""
    is_rescaled: bool
    """Whether scales differ and every one was put on 0 … 1 first."""
    judges: tuple[JudgeId, ...]
    rules: tuple[str, ...]
    n_subjects: int
    """Vectors that were stressed."""
    left_out: tuple[tuple[str, int], ...]
    """Vectors that were not, by reason."""
    fewest_votes: int
    """Whole vectors on the subject that has fewest."""
    has_gold: bool
    """Whether losses are against gold; else against the rule's own consensus on clean votes."""
    curves: tuple[StressCurve, ...]
    singles: tuple[StressCurve, ...]
    """The same of every judge alone."""
    premiums: tuple[Premium, ...]
    breakdowns: tuple[Breakdown, ...]
    sizes: tuple[SizePoint, ...]
    correlation: ErrorCorrelation | Undefined
    notes: tuple[str, ...]

    def curve(self, corruption: CorruptionName, rule: str, *, is_checked: bool = False) -> StressCurve:
        """The curve of a rule, or of a judge alone, under a corruption."""
        for curve in (*self.curves, *self.singles):
            if (curve.corruption, curve.rule, curve.is_checked) == (corruption, rule, is_checked):
                return curve
        raise KeyError(f"no curve of {rule!r} under {corruption!r}; rules are {self.rules!r}")

    def changes_when_checked(self, corruption: CorruptionName, rule: str) -> bool:
        """Whether refusing values outside the scale makes any difference."""
        checked = [c for c in self.curves if c.is_checked and (c.corruption, c.rule) == (corruption, rule)]
        return any(curve.points != self.curve(corruption, rule).points for curve in checked)

    @property
    def theoretical_breakdown(self) -> int:
        """⌈N/2⌉: the most that any rule can bear is one fewer."""
        return math.ceil(len(self.judges) / 2)
