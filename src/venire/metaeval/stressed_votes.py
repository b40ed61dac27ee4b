"""Stressed votes: a panel's votes as vectors, what broken judges would give instead, and how far off a consensus is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from venire.domain.finding import Undefined
from venire.domain.stress import CORRUPTIONS, CorruptionName, Loss, StressPlan
from venire.errors import UndefinedStatistic
from venire.stats.contamination import (
    bimodal_random,
    cauchy_far,
    corrupt_voters,
    inverted,
    unbiased_noise,
    within_range,
    zeros,
)
from venire.stats.label_contamination import another_label, extreme_label, first_label, mirrored_label
from venire.stats.vector_distance import average_distances

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
ON_LABELS: tuple[CorruptionName, ...] = ("zeros", "inverted", "bimodal-random")
"""The corruptions that have a meaning on labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelKind:
    """What the codes of labels stand for."""

    n_labels: NDArray[np.intp]
    """Shape (n_items,): codes 0 … n_labels − 1 have another label; a code beyond, such as a tie, has none."""
    is_ordered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StressedVotes:
    """One vector of every judge on every item; labels are vectors of one code.

    A place that an item lacks (it has fewer responses than others) holds 0 for everybody, on a scale from 0 to 0: it
    adds nothing to any distance.
    """

    values: Numbers
    """Shape (n_judges, n_items, n_dims): 0 where not present."""
    present: Mask
    """The same shape."""
    low: Numbers
    """Shape (n_items, n_dims): the lowest end of the scale."""
    high: Numbers
    zero: Numbers
    """Shape (n_items, n_dims): where 0 lies, which is not 0 on scales that were put on 0 … 1."""
    gold: Numbers | None
    """Shape (n_items, n_dims); None: there is none."""
    labels: LabelKind | None = None
    """None: numbers."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Judges, items and dimensions."""
        n_judges, n_items, n_dims = self.values.shape
        return n_judges, n_items, n_dims

    @property
    def diagonal(self) -> float:
        """The largest distance within the scales; of labels 1."""
        return 1.0 if self.labels else float(np.sqrt(np.square(self.high - self.low).sum(axis=1)).max(initial=0.0))

    def of(self, judges: Sequence[int]) -> "StressedVotes":
        """The votes of these judges alone."""
        rows = np.array(judges, dtype=np.intp)
        return replace(self, values=self.values[rows], present=self.present[rows])

    def on(self, items: Mask | NDArray[np.intp]) -> "StressedVotes":
        """The votes on these items alone."""
        kind = self.labels
        return replace(
            self,
            values=self.values[:, items],
            present=self.present[:, items],
            low=self.low[items],
            high=self.high[items],
            zero=self.zero[items],
            gold=None if self.gold is None else self.gold[items],
            labels=None if kind is None else replace(kind, n_labels=kind.n_labels[items]),
        )

    def admitted(self, values: Numbers) -> Mask:
        """Which values lie on their scale; labels always do."""
        if self.labels:
            return np.ones(values.shape, dtype=np.bool_)
        return within_range(values, self.low, self.high)

    def distances(self, values: Numbers, truths: Numbers) -> Numbers:
        """How far vectors (…, n_items, n_dims) are off: Euclidean; of labels 1 where they differ, else 0."""
        if self.labels:
            return np.asarray((values != truths).any(axis=-1), dtype=np.float64)
        return np.asarray(np.sqrt(np.square(values - truths).sum(axis=-1)), dtype=np.float64)

    def loss(self, distances: Numbers, scored: Mask, wanted: Mask) -> Loss | Undefined:
        """Average the distances (n_items,) over the items that are scored.

        Args:
            wanted: items that have a reference; those of them that are not scored are counted as undecided.
        """
        kept = distances[scored & wanted]
        try:
            averaged = average_distances(kept)
        except UndefinedStatistic:
            return Undefined("no subject was decided: no vote was left")
        return Loss(
            value=averaged.mean if self.labels else averaged.root_mean_square,
            mean_distance=averaged.mean,
            n=averaged.n,
            n_undecided=int(np.count_nonzero(wanted & ~scored)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Contamination:
    """One draw of one corruption: what every judge would give if it were broken."""

    name: CorruptionName
    values: Numbers
    """Shape (n_judges, n_items, n_dims)."""
    votes: StressedVotes
    plan: StressPlan
    repeat: int

    def broken(self, rate: float) -> Mask:
        """Which judges are broken on which items, the same under every corruption: shape (n_judges, n_items)."""
        n_judges, n_items, _ = self.votes.shape
        return corrupt_voters(n_judges, n_items, rate, _generator(self.plan.seed, self.repeat, 0), self.plan.who)

    def at(self, rate: float) -> Numbers:
        """The votes, those of broken judges replaced. Who has not voted does not vote by being broken."""
        changed = np.where(self.broken(rate)[:, :, None], self.values, self.votes.values)
        return np.where(self.votes.present, changed, 0.0)

    @property
    def leaves_scale(self) -> bool:
        """Whether any replacement of a vote lies outside its scale."""
        return not bool((self.votes.admitted(self.values) | ~self.votes.present).all())


def contaminate(
    name: CorruptionName, votes: StressedVotes, plan: StressPlan, repeat: int, centre: Numbers
) -> Contamination:
    """Draw what broken judges would give.

    Args:
        repeat: numbers the draw; each has its own, the same in every run with this seed.
        centre: shape (n_items, n_dims): what unbiased noise lies around.
    """
    generator = _generator(plan.seed, repeat, 1 + CORRUPTIONS.index(name))
    if votes.labels is None:
        values = _replace_numbers(name, votes, plan, generator, centre)
    else:
        values = _replace_labels(name, votes.values[:, :, 0], votes.labels, generator)[:, :, None]
    return Contamination(name=name, values=values, votes=votes, plan=plan, repeat=repeat)


def _generator(*key: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(list(key)))


def _replace_numbers(
    name: CorruptionName, votes: StressedVotes, plan: StressPlan, generator: np.random.Generator, centre: Numbers
) -> Numbers:
    values, low, reach = votes.values, votes.low, votes.high - votes.low
    match name:
        case "zeros":
            return zeros(values) + votes.zero
        case "inverted":
            return inverted(values, low, votes.high)
        case "bimodal-random":
            ends = low + plan.bimodal_low * reach, low + plan.bimodal_high * reach
            return bimodal_random(values, *ends, generator)
        case "cauchy-far":
            middle = low + reach / 2
            return cauchy_far(values, middle + plan.cauchy_location * reach, plan.cauchy_scale * reach, generator)
        case "unbiased-noise":
            return unbiased_noise(values, centre, plan.noise_sd * reach, generator)


def _replace_labels(name: CorruptionName, codes: Numbers, kind: LabelKind, generator: np.random.Generator) -> Numbers:
    match name:
        case "zeros":
            return first_label(codes)
        case "bimodal-random":
            return extreme_label(codes, kind.n_labels, generator)
        case "inverted":
            return (
                mirrored_label(codes, kind.n_labels)
                if kind.is_ordered
                else another_label(codes, kind.n_labels, generator)
            )
        case _:
            raise ValueError(f"{name!r} has no meaning on labels; {', '.join(ON_LABELS)} have")
