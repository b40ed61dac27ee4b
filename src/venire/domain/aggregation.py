"""Aggregation: how judgments become a verdict, and which rule has a meaning on which scale."""

import math
from dataclasses import dataclass, field
from typing import Literal, get_args

from venire.domain.best_of import BestOf
from venire.domain.identity import JudgeId
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, OrdinalScale, Scale
from venire.errors import DesignError

RuleName = Literal[
    "max",
    "min",
    "majority",
    "plurality",
    "unanimity",
    "at_least",
    "mean",
    "median",
    "trimmed_mean",
    "weighted",
    "majority_or_mean",
    "geometric_median",
    "dawid_skene",
    "one_coin",
    "reliability",
    "calibrated",
]
RULES: tuple[RuleName, ...] = get_args(RuleName)
LEARNED: frozenset[RuleName] = frozenset({"reliability", "calibrated"})
"""Rules that learn from gold."""
POOLED: frozenset[RuleName] = LEARNED | {"dawid_skene", "one_coin"}
"""Rules that learn from all items: what they say of one depends on the others."""
NEEDY: frozenset[RuleName] = frozenset({"at_least", "weighted"})
"""Rules that need a further field."""
Denominator = Literal["seated", "counted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TiePolicy:
    """What becomes of an exact tie between labels."""

    kind: Literal["undecided", "label", "fractional", "random"] = "undecided"
    label: str | None = None
    """The label that an exact tie becomes; only with kind "label"."""
    seed: int = 0
    """Only with kind "random"."""

    def __post_init__(self) -> None:
        if (self.kind == "label") != (self.label is not None):
            raise DesignError(f"tie kind {self.kind!r} with label {self.label!r}; a label goes with kind 'label' alone")


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregation:
    """How judgments become a verdict: samples, then orders, then judges, then criteria."""

    rule: RuleName = "majority"
    denominator: Denominator = "seated"
    """seated: a missing ballot counts against a majority; counted: only ballots that were read count."""
    quorum: int = 1
    """Fewest counted votes for a decision; fewer give an undecided verdict with the reason."""
    tie: TiePolicy = field(default_factory=TiePolicy)
    flip: Literal["tie", "undecided"] = "tie"
    """What a judge's vote becomes when the two orders disagree (tie needs a scale with ties, else undecided)."""
    criteria: Literal["weighted", "all"] = "weighted"
    """How criteria combine: weighted mean of positions on their scales, or every one must be positive."""
    at_least: int | None = None
    """Rule at_least: how many votes the positive label needs."""
    trim: float = 0.2
    """Rule trimmed_mean: the share of votes cut off at each end."""
    weights: tuple[tuple[JudgeId, float], ...] = ()
    """Rule weighted: the weight of every voting judge, sorted by judge."""
    over: Literal["criteria", "responses"] = "criteria"
    """Rule geometric_median: a judge's vector holds an item's criteria, or the responses of an item."""
    seed: int = 0
    """Rule dawid_skene: of the random starts; reliability and calibrated: of the split into folds."""
    by_category: bool = False
    """Rule reliability: whether a judge has a weight for each category of items."""
    folds: int = 5
    """Rules that learn from gold: in how many parts it is split, so that no subject is decided by its own gold."""
    recuse: Literal["nobody", "own_family"] = "nobody"
    """Whose vote does not count: a judge's on what a system of its own family has written."""
    best_of: BestOf | None = None
    """How the best response of an item is chosen as well; None: it is not."""

    def __post_init__(self) -> None:
        if self.quorum < 1:
            raise DesignError(f"aggregation.quorum is {self.quorum!r}; at least one vote must count")
        if self.rule == "at_least" and (self.at_least is None or self.at_least < 1):
            raise DesignError(
                f"aggregation.rule at_least needs how many votes: at_least: 2. It is {self.at_least!r}.", ("at_least",)
            )
        if self.rule == "weighted" and not self.weights:
            raise DesignError(
                "aggregation.rule weighted needs the weight of every voting judge: weights: {ann: 2, bob: 1}",
                ("weights",),
            )
        if not (math.isfinite(self.trim) and 0 <= self.trim < 0.5):
            raise DesignError(f"aggregation.trim is {self.trim!r}; 0 to below 0.5 was expected", ("trim",))
        if self.folds < 2:
            raise DesignError(
                f"aggregation.folds is {self.folds!r}; at least 2 are needed, one to learn from and one to decide",
                ("folds",),
            )
        for judge_id, weight in self.weights:
            if not (math.isfinite(weight) and weight >= 0):
                raise DesignError(
                    f"the weight of judge {judge_id!r} is {weight!r}; 0 or above was expected", ("weights",)
                )
        if self.weights and not any(weight for _, weight in self.weights):
            raise DesignError("aggregation.weights are all 0; nobody's vote would count", ("weights",))
        object.__setattr__(self, "weights", tuple(sorted(self.weights)))

    def weight_of(self, judge_id: JudgeId) -> float:
        """The weight of a judge."""
        return dict(self.weights)[judge_id]


def rule_fits(rule: RuleName, scale: Scale) -> bool:
    """Whether a rule has a meaning on a scale."""
    two_labels = isinstance(scale, NominalScale) and len(scale.labels) == 2
    match rule:
        case "max" | "min":
            return two_labels or isinstance(scale, OrdinalScale | IntervalScale)
        case "at_least":
            return two_labels
        case "mean":
            return two_labels or isinstance(scale, IntervalScale | ChoiceScale)
        case "median":
            return isinstance(scale, OrdinalScale | IntervalScale)
        case "trimmed_mean" | "majority_or_mean" | "geometric_median":
            return isinstance(scale, IntervalScale)
        case "dawid_skene" | "one_coin" | "reliability" | "calibrated":
            return not isinstance(scale, IntervalScale)
        case _:
            return True


def is_calibrated_best(aggregation: Aggregation) -> bool:
    """Whether numbers are combined by what was learned of the best response: the one use of calibrated on them."""
    return aggregation.rule == "calibrated" and aggregation.best_of is not None


def rules_that_fit(scale: Scale) -> tuple[RuleName, ...]:
    """The rules that have a meaning on a scale and need nothing but votes, in their usual order."""
    return tuple(rule for rule in RULES if rule not in NEEDY | LEARNED and rule_fits(rule, scale))
