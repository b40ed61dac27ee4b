"""Rules under stress: from the judges' vectors to one consensus for every item, as plain functions on arrays."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from venire.domain.finding import Undefined
from venire.domain.stress import Loss
from venire.metaeval.stressed_votes import Mask, Numbers, StressedVotes
from venire.stats.coordinate_median import coordinate_median
from venire.stats.geometric_median import geometric_median
from venire.stats.trimmed_mean import trimmed_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Consensus:
    """One vector for every item."""

    values: Numbers
    """Shape (n_items, n_dims): means something only where `decided`."""
    decided: Mask
    """Shape (n_items,): whether every coordinate has a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StressRule:
    """A rule by name."""

    name: str
    decide: Callable[[Numbers, Mask], Consensus]
    """From values and present, both (n_judges, n_items, n_dims)."""
    needs_whole: bool = False
    """Whether a judge's vector counts only where none of it is missing."""


MEAN = "mean"
COORDINATE_MEDIAN = "coordinate median"
TRIMMED_MEAN = "trimmed mean"
GEOMETRIC_MEDIAN = "geometric median"


def number_rules(n_dims: int, trim: float) -> tuple[StressRule, ...]:
    """The rules for numbers, the mean first; of one number the geometric median is the median."""
    rules = [
        StressRule(name=MEAN, decide=_mean),
        StressRule(name=COORDINATE_MEDIAN, decide=_coordinate_median),
        StressRule(name=TRIMMED_MEAN, decide=lambda values, present: _trimmed_mean(values, present, trim)),
    ]
    if n_dims > 1:
        rules.append(StressRule(name=GEOMETRIC_MEDIAN, decide=_geometric_median, needs_whole=True))
    return tuple(rules)


def _mean(values: Numbers, present: Mask) -> Consensus:
    n = np.count_nonzero(present, axis=0)
    total = np.where(present, values, 0.0).sum(axis=0)
    return Consensus(values=total / np.maximum(n, 1), decided=_all_defined(np.asarray(n > 0)))


def _coordinate_median(values: Numbers, present: Mask) -> Consensus:
    found = coordinate_median(values, present)
    return Consensus(values=found.values, decided=_all_defined(found.defined))


def _trimmed_mean(values: Numbers, present: Mask, trim: float) -> Consensus:
    found = trimmed_mean(values, present, trim)
    return Consensus(values=found.values, decided=_all_defined(found.defined))


def _all_defined(defined: Mask) -> Mask:
    return np.asarray(defined.all(axis=1), dtype=np.bool_)


def _geometric_median(values: Numbers, present: Mask) -> Consensus:
    found = geometric_median(values, present[:, :, 0])
    return Consensus(values=found.points, decided=found.defined)


@dataclass(slots=True)
class Bench:
    """Holds votes against a reference by every rule; the same votes are decided once."""

    votes: StressedVotes
    rules: tuple[StressRule, ...]
    references: Mapping[str, Consensus] = field(init=False)
    """By rule: gold, or without it the rule's own consensus on the clean votes."""
    _known: dict[tuple[str, bytes], Loss | Undefined] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.references = {rule.name: self._reference(rule) for rule in self.rules}

    def losses(
        self, values: Numbers, *, is_checked: bool, only: Sequence[str] | None = None
    ) -> dict[str, Loss | Undefined]:
        """The loss of every rule on these values in place of the clean ones.

        Args:
            values: shape (n_judges, n_items, n_dims).
            is_checked: whether values outside their scale are refused first.
            only: names of rules; None: all.
        """
        present = self.votes.present & self.votes.admitted(values) if is_checked else self.votes.present
        wanted = [rule for rule in self.rules if only is None or rule.name in only]
        found: dict[str, Loss | Undefined] = {}
        for needs_whole in sorted({rule.needs_whole for rule in wanted}):
            counted, mask = _counted(values, present, needs_whole=needs_whole)
            key = sha256(mask.data)
            key.update(counted.data)
            for rule in wanted:
                if rule.needs_whole == needs_whole:
                    place = (rule.name, key.digest())
                    if place not in self._known:
                        self._known[place] = self._loss(rule, counted, mask)
                    found[rule.name] = self._known[place]
        return {rule.name: found[rule.name] for rule in wanted}

    def forget(self) -> None:
        """Let go of what was decided, before votes come that have nothing in common with it."""
        self._known.clear()

    def _loss(self, rule: StressRule, values: Numbers, present: Mask) -> Loss | Undefined:
        reference = self.references[rule.name]
        found = rule.decide(values, present)
        return self.votes.loss(self.votes.distances(found.values, reference.values), found.decided, reference.decided)

    def _reference(self, rule: StressRule) -> Consensus:
        if self.votes.gold is not None:
            return Consensus(values=self.votes.gold, decided=np.ones(len(self.votes.gold), dtype=np.bool_))
        values, present = _counted(self.votes.values, self.votes.present, needs_whole=rule.needs_whole)
        return rule.decide(values, present)


def _counted(values: Numbers, present: Mask, *, needs_whole: bool) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """What a rule looks at, with 0 for everything else; laid out in one way, so that it can be compared."""
    if needs_whole:
        present = np.broadcast_to(present.all(axis=2, keepdims=True), present.shape)
    return np.ascontiguousarray(np.where(present, values, 0.0)), np.ascontiguousarray(present)
