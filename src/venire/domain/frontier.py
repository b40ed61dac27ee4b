"""Frontiers: what other designs would have given and cost, told from judgments that are there already."""

from dataclasses import dataclass
from typing import Literal

from venire.domain.aggregation import RuleName
from venire.domain.finding import Finding, Undefined
from venire.domain.identity import CriterionId, JudgeId

ReplayMeasure = Literal["kappa", "accuracy", "mean_absolute_error", "agreement", "mean_absolute_difference"]
"""The last two are proxies: with the run's own verdicts, where there is no gold."""
LOWER_IS_BETTER: frozenset[ReplayMeasure] = frozenset({"mean_absolute_error", "mean_absolute_difference"})
PROXIES: frozenset[ReplayMeasure] = frozenset({"agreement", "mean_absolute_difference"})
LEAST_DECIDED = 0.95
"""A variant that decides a smaller share of subjects is not on the frontier: to leave the hard ones out is no merit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One way to decide by a run's judgments."""

    judges: tuple[JudgeId, ...]
    n_samples: int
    """The first so many draws of each judge and order."""
    orders: Literal["AB", "BA", "both"]
    rule: RuleName

    @property
    def name(self) -> str:
        """In short, for tables and plots."""
        panel = " + ".join(self.judges)
        parts = [f"{self.rule} of {panel}" if len(self.judges) > 1 else panel]
        if self.n_samples > 1:
            parts.append(f"k={self.n_samples}")
        if self.orders != "AB":
            parts.append("both orders" if self.orders == "both" else "order BA")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What one variant would have given, and cost."""

    variant: Variant
    figure: Finding
    minus_own: Finding
    """Its figure minus that of the run's own design, the groups resampled for both at once."""
    n_undecided: int
    """Subjects of the reference that it leaves undecided, or shared: not counted in the figure."""
    usd_per_item: float | Undefined
    calls_per_item: float
    is_own: bool = False
    """Whether it is the run's own design."""
    on_frontier: bool = False
    """Whether no other variant gives as much for less, or more for as much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommended:
    """The variant that is best, and what it is worth on groups that it was not chosen on."""

    variant: Variant
    in_sample: Finding
    """On all groups: it was chosen on them, which flatters it."""
    out_of_sample: Finding
    """Chosen on four fifths of the groups and measured on the fifth that was left out, five times."""
    n_chosen: int
    """In how many of the five it was the one chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontier:
    """All variants over one part of the items."""

    category: str | None
    """None: all items."""
    rows: tuple[Replayed, ...]
    recommended: Recommended | Undefined
    n_subjects: int
    """Subjects with a reference."""

    def decides_enough(self, row: Replayed) -> bool:
        """Whether a variant decides so many subjects that its figure may be compared."""
        return self.n_subjects - row.n_undecided >= LEAST_DECIDED * self.n_subjects


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What other designs would have given and cost."""

    criterion_id: CriterionId
    measure: ReplayMeasure
    against: Literal["gold", "the run's own verdicts"]
    cost_axis: Literal["usd", "calls"]
    """calls: no cost is known, so that calls for each item stand in."""
    frontiers: tuple[Frontier, ...]
    """Over all items first, then by category where that was asked."""
    notes: tuple[str, ...]
    seed: int
