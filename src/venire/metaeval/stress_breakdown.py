"""Breakdown: the fewest judges, broken throughout, at which a rule's loss exceeds what bounded damage allows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from venire.domain.finding import Undefined
from venire.domain.stress import Breakdown, Loss, StressPlan
from venire.metaeval.stress import centre_of, corruptions_on
from venire.metaeval.stress_rules import Bench, StressRule
from venire.metaeval.stressed_votes import Contamination, StressedVotes, contaminate

N_REPEATS = 3
"""Draws of who is broken; the middle one counts."""
MOST_ITEMS = 400
"""Items with numbers looked at, evenly spaced: a breakdown shows on a part as on the whole."""
FARTHER = 1000.0
"""What is far is moved so much farther: only whether damage has a bound shall count, not how far somebody chose."""
DIAGONALS = 10.0
"""A loss of more diagonals of the scale than this has no bound that means anything."""


def find_breakdowns(votes: StressedVotes, rules: Sequence[StressRule], plan: StressPlan) -> Iterator[Breakdown]:
    """Find the breakdown point of every rule under every corruption, unchecked and checked.

    The number of broken judges is bisected: the loss grows with it, as each broken judge stays broken. The bound: where
    replacements lie on the scale, or are refused otherwise, the clean loss and half the scale's diagonal; where they
    are counted outside it, ten diagonals. A rule that has no vote left has broken down too.
    """
    far = replace(
        plan,
        who="fixed",
        n_repeats=min(plan.repeats, N_REPEATS),
        cauchy_location=plan.cauchy_location * FARTHER,
        cauchy_scale=plan.cauchy_scale * FARTHER,
    )
    if votes.labels is None:  # rules of labels are made for all items
        votes = votes.on(_spread(votes.shape[1], MOST_ITEMS))
    bench = Bench(votes=votes, rules=tuple(rules))
    clean = bench.losses(votes.values, is_checked=False)
    for name in corruptions_on(votes, far):
        drawn = [contaminate(name, votes, far, repeat, centre_of(bench)) for repeat in range(far.repeats)]
        leaves = any(one.leaves_scale for one in drawn)
        for rule in rules:
            loss = clean[rule.name]
            at_rest = loss.value if isinstance(loss, Loss) else 0.0
            for is_checked in (False, True):
                is_far = leaves and not is_checked
                bound = DIAGONALS * votes.diagonal if is_far else at_rest + votes.diagonal / 2
                yield Breakdown(
                    corruption=name,
                    rule=rule.name,
                    is_checked=is_checked,
                    n_broken=_bisect(bench, rule.name, drawn, bound, is_checked=is_checked),
                    bound=bound,
                    meaning="ten diagonals of the scale" if is_far else "the clean loss and half the scale's diagonal",
                )


def _spread(n_items: int, most: int) -> NDArray[np.intp]:
    return np.unique(np.linspace(0, n_items - 1, min(n_items, most)).astype(np.intp))


def _bisect(
    bench: Bench, rule: str, drawn: Sequence[Contamination], bound: float, *, is_checked: bool
) -> int | Undefined:
    n_judges = bench.votes.shape[0]
    sound, broken = 0, n_judges
    if not _exceeds(bench, rule, drawn, n_judges, bound=bound, is_checked=is_checked):
        return Undefined(f"it stays within the bound with all {n_judges} judges broken")
    while broken - sound > 1:
        middle = (sound + broken) // 2
        if _exceeds(bench, rule, drawn, middle, bound=bound, is_checked=is_checked):
            broken = middle
        else:
            sound = middle
    return broken


def _exceeds(
    bench: Bench, rule: str, drawn: Sequence[Contamination], n_broken: int, *, bound: float, is_checked: bool
) -> bool:
    found = []
    for one in drawn:
        values = one.at(n_broken / bench.votes.shape[0])
        loss = bench.losses(values, is_checked=is_checked, only=[rule])[rule]
        found.append(loss.value if isinstance(loss, Loss) else np.inf)
    return float(np.median(found)) > bound
