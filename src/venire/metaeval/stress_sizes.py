"""Sizes: what more judges buy on clean votes, beside the plateau that their common errors set."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

import numpy as np

from venire.domain.finding import Undefined
from venire.domain.stress import ErrorCorrelation, Loss, SizePoint, StressPlan
from venire.errors import UndefinedStatistic
from venire.metaeval.stress_rules import Bench, StressRule
from venire.metaeval.stressed_votes import StressedVotes
from venire.stats.effective_votes import effective_votes
from venire.stats.pearson_correlations import pearson_correlations

N_PANELS = 5
"""Panels drawn of each size; all of them where there are no more."""


def correlate_errors(votes: StressedVotes) -> ErrorCorrelation | Undefined:
    """The mean correlation of two judges' errors, each coordinate on its own: a common severity is no correlation."""
    if votes.gold is None:
        return Undefined("there is no gold, and without it there are no errors")
    found = []
    for dim in range(votes.shape[2]):
        own = votes.high[:, dim] > votes.low[:, dim]  # a place that an item lacks has no errors
        errors = votes.values[:, own, dim] - votes.gold[own, dim]
        if votes.labels is not None:
            errors = (errors != 0).astype(np.float64)
        try:
            correlations = pearson_correlations(errors, votes.present[:, own, dim])
            found.append(effective_votes(correlations).mean_correlation)
        except UndefinedStatistic as error:
            return Undefined(str(error))
    gamma = float(np.mean(found))
    plateau = 1 / gamma if gamma > 0 else Undefined(f"the mean correlation is {gamma:.2f}: errors even out")
    return ErrorCorrelation(mean=gamma, plateau=plateau)


def measure_sizes(
    votes: StressedVotes, rules: Sequence[StressRule], plan: StressPlan, correlation: ErrorCorrelation | Undefined
) -> Iterator[SizePoint]:
    """The mean loss of panels of 1, 2, … N of the judges against gold; nothing without gold.

    References:
        Acharya, Pan and Verkhovsky (2026), RoPoLL, lemma 3: N_eff = N / (1 + (N − 1) γ). arXiv:2606.30931.
    """
    if votes.gold is None:
        return
    for size in range(1, votes.shape[0] + 1):
        panels = _panels(votes.shape[0], size, plan.seed)
        by_rule: dict[str, list[Loss | Undefined]] = {rule.name: [] for rule in rules}
        for panel in panels:
            some = votes.of(panel)
            for name, loss in Bench(votes=some, rules=tuple(rules)).losses(some.values, is_checked=False).items():
                by_rule[name].append(loss)
        yield SizePoint(
            n_judges=size,
            n_panels=len(panels),
            losses=tuple((name, _mean_loss(losses)) for name, losses in by_rule.items()),
            n_effective=_effective(size, correlation),
        )


def _effective(size: int, correlation: ErrorCorrelation | Undefined) -> float | Undefined:
    if isinstance(correlation, Undefined):
        return correlation
    growth = 1 + (size - 1) * correlation.mean
    return size / growth if growth > 0 else Undefined(f"γ = {correlation.mean:.2f} has no such panel of {size}")


def _panels(n_judges: int, size: int, seed: int) -> list[tuple[int, ...]]:
    if comb(n_judges, size) <= N_PANELS:
        return list(combinations(range(n_judges), size))
    generator = np.random.Generator(np.random.PCG64([seed, size]))
    drawn: dict[tuple[int, ...], None] = {}
    while len(drawn) < N_PANELS:
        drawn[tuple(sorted(generator.permutation(n_judges)[:size].tolist()))] = None
    return list(drawn)


def _mean_loss(losses: Sequence[Loss | Undefined]) -> Loss | Undefined:
    known = [loss for loss in losses if isinstance(loss, Loss)]
    if not known:
        return Undefined("no subject was decided")
    return Loss(
        value=float(np.mean([loss.value for loss in known])),
        mean_distance=float(np.mean([loss.mean_distance for loss in known])),
        n=min(loss.n for loss in known),
        n_undecided=max(loss.n_undecided for loss in known),
    )
