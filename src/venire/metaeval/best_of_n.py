"""The best of n against gold: how often the panel's best response is the one that people named."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.domain.annotation import Gold
from venire.domain.best_of import BestOf, BestOfMeasure, is_tied
from venire.domain.finding import Finding, Undefined
from venire.domain.identity import BEST_OF_N
from venire.domain.item import Item
from venire.domain.measures import PANEL
from venire.domain.verdict import Decided, Shared, Undecided, Verdict, VerdictOutcome
from venire.metaeval.intervals import N_RESAMPLES, interval_of, ratios
from venire.stats.cluster_bootstrap import resampled_sums

_NO_GOLD = Undefined(f"there is no gold: nobody has named the best response of any item (criterion {BEST_OF_N})")
_TIES = {
    "strict": "a tie at the top is wrong",
    "fractional": "of a tie at the top each response has an equal part",
    "random": "a tie at the top is drawn by lot",
}
NO_SCORE = "a response without a score"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hits:
    """The items that have gold."""

    hits: NDArray[np.float64]
    """Shape (n_items,): the part of the choice that is gold's; 0 where nothing could be chosen."""
    scored: NDArray[np.bool_]
    """Where every response has a score."""
    groups: NDArray[np.intp]
    """The number of each item's group."""


def measure_best_of_n(
    verdicts: Sequence[Verdict], golds: Sequence[Gold], items: Sequence[Item], how: BestOf, *, seed: int = 0
) -> BestOfMeasure:
    """Count how the best of n came out, and hold it against gold.

    Accuracy is told twice: over the items in which every response has a score, and over all, where the others are
    wrong. A panel that fails on hard items looks better in the first.

    Args:
        verdicts: of all kinds; those on the best of n count.
        golds: of all kinds, likewise.
        items: for their groups, which are resampled.
        how: by which the verdicts were reached.
        seed: of the resampling.
    """
    best = [verdict for verdict in verdicts if verdict.criterion_id == BEST_OF_N]
    tied = sum(isinstance(one.outcome, Undecided) and is_tied(one.outcome.reason) for one in best)
    undecided = sum(isinstance(one.outcome, Undecided) for one in best)
    named = {gold.subject: gold.value for gold in golds if gold.criterion_id == BEST_OF_N}
    held = [verdict for verdict in best if verdict.subject in named]
    group_of = {item.id: item.group for item in items}
    groups = [group_of[verdict.subject.item_id] for verdict in held]
    places = {name: number for number, name in enumerate(dict.fromkeys(groups))}
    found = _Hits(
        hits=np.array([_hit(one.outcome, named[one.subject]) for one in held], dtype=np.float64),
        scored=np.array([_is_scored(one.outcome) for one in held], dtype=np.bool_),
        groups=np.array([places[name] for name in groups], dtype=np.intp),
    )
    return BestOfMeasure(
        how=how,
        n_items=len(best),
        n_decided=sum(isinstance(one.outcome, Decided) for one in best),
        n_shared=sum(isinstance(one.outcome, Shared) for one in best),
        n_tied=tied,
        n_unscored=undecided - tied,
        left_out=_accuracy(found, how, seed, leaves_out=True) if held else _NO_GOLD,
        wrong=_accuracy(found, how, seed, leaves_out=False) if held else _NO_GOLD,
        chance=sum(1 / len(one.subject.responses) for one in held) / len(held) if held else _NO_GOLD,
    )


def _hit(outcome: VerdictOutcome, gold: object) -> float:
    match outcome:
        case Decided(value=value):
            return float(value == gold)
        case Shared(values=values):
            return (gold in values) / len(values)
        case Undecided():
            return 0.0


def _is_scored(outcome: VerdictOutcome) -> bool:
    return not isinstance(outcome, Undecided) or is_tied(outcome.reason)


def _accuracy(found: _Hits, how: BestOf, seed: int, *, leaves_out: bool) -> Finding:
    counted = found.scored if leaves_out else np.ones_like(found.scored)
    n = int(counted.sum())
    sums = np.zeros((int(found.groups.max()) + 1, 2))
    np.add.at(sums[:, 0], found.groups[counted], found.hits[counted])
    np.add.at(sums[:, 1], found.groups[counted], 1.0)
    total = sums.sum(axis=0)
    point = float(total[0] / total[1]) if n else Undefined("no item with gold has a score for every response")
    n_groups = int((sums[:, 1] > 0).sum())
    drawn = ratios(resampled_sums(sums, N_RESAMPLES, seed) if len(sums) > 1 else np.zeros((0, 2)))
    n_missing = len(found.scored) - n
    missing = "left out" if leaves_out else "wrong"
    return Finding(
        name="accuracy",
        about=PANEL,
        value=point,
        interval=interval_of(point, drawn, n_groups=n_groups, seed=seed, is_share=True),
        n=n,
        n_groups=n_groups,
        missing=((NO_SCORE, n_missing),) if n_missing else (),
        provenance=f"best of n against gold: share of items whose best response is the one that gold names; "
        f"{_TIES[how.tie]}; items with {NO_SCORE} are {missing}",
    )
