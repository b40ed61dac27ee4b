"""Effective votes: how many independent voters the errors of N correlated voters are worth."""

from dataclasses import dataclass

import numpy as np

from venire.errors import UndefinedStatistic
from venire.stats.phi_correlation import PhiCorrelations


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveVotes:
    """The number and what it is made of."""

    n_effective: float
    """Above n_voters where the mean correlation is below 0."""
    mean_correlation: float
    """Over all pairs, each counting once."""
    n_voters: int
    n_pairs: int
    is_below_zero: bool
    """Errors even out: one voter tends to be right where another errs."""


def effective_votes(correlations: PhiCorrelations) -> EffectiveVotes:
    """Compute N / (1 + (N − 1) ρ), with ρ the mean correlation of the errors of all pairs.

    Use it beside a panel's size: nine judges that err together may be worth two. A mean hides who errs with whom, so
    show the matrix too; and it is about the variance of a mean vote, not about accuracy.

    Args:
        correlations: of the voters' error indicators.

    Returns:
        The number, in (0, ∞), with ρ.

    Raises:
        UndefinedStatistic: there is one voter only; a pair has no correlation (an indicator is the same on all items
            they share); or ρ ≤ −1 / (N − 1), where the formula has no value.

    References:
        Kish (1965), Survey sampling, chapter 5 (the design effect 1 + (n − 1) ρ).
        Nine Judges, Two Effective Votes, arXiv:2605.29800.

    >>> from venire.stats.phi_correlation import phi_correlations
    >>> errors = np.array([[1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]], dtype=bool)
    >>> round(effective_votes(phi_correlations(errors, np.ones(errors.shape, dtype=bool))).n_effective, 9)
    1.0
    """
    n_voters = len(correlations.values)
    if n_voters < 2:
        raise UndefinedStatistic(f"effective votes: {n_voters} voter; at least two are needed to err together")
    pairs = np.triu_indices(n_voters, k=1)
    defined = correlations.defined[pairs]
    if not bool(defined.all()):
        missing = np.flatnonzero(~defined)
        first, second = int(pairs[0][missing[0]]), int(pairs[1][missing[0]])
        shared = int(correlations.n_shared[first, second])
        raise UndefinedStatistic(
            f"effective votes: {len(missing)} of {len(defined)} pairs have no correlation, the first being voters "
            f"{first} and {second}: on the {shared} items they share one of them is always right or always wrong"
        )
    rho = float(correlations.values[pairs].mean())
    growth = 1.0 + (n_voters - 1) * rho
    if growth <= 1e-12:
        raise UndefinedStatistic(
            f"effective votes: the mean correlation of errors is {rho:.3f}, at or below −1 / (N − 1) = "
            f"{-1 / (n_voters - 1):.3f}, where the formula has no value"
        )
    return EffectiveVotes(
        n_effective=n_voters / growth,
        mean_correlation=rho,
        n_voters=n_voters,
        n_pairs=len(defined),
        is_below_zero=rho < 0,
    )
