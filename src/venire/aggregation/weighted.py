"""The rule weighted: every judge's vote has the weight that the design gives it."""

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.result import RuleResult, Ties
from venire.coding.votes import CodedVotes

_EQUAL = 1e-9
"""Sums of weights that differ by no more, as a share of all weights, tie: 0.1 + 0.2 and 0.3 do."""


def decide_by_weight(votes: CodedVotes, weights: NDArray[np.float64]) -> RuleResult:
    """Decide for the label with the most weight; of numbers, by their weighted mean.

    A missing vote leaves with its weight. A judge of weight 0 has no say.

    Args:
        votes: of the voting judges, on any scale.
        weights: shape (n_judges,), 0 or above.
    """
    spread = weights[:, None] * votes.present
    total = spread.sum(axis=0)
    decided = np.asarray(total > 0, dtype=np.bool_)
    if not votes.labels:
        # Sorted before adding, so that the last bit does not depend on the order of judges.
        sums = np.sort(spread * np.where(votes.present, votes.codes, 0.0), axis=0).sum(axis=0)
        mean = sums / np.where(decided, np.sort(spread, axis=0).sum(axis=0), 1.0)
        lowest = np.where(spread > 0, votes.codes, np.inf).min(axis=0, initial=np.inf)
        highest = np.where(spread > 0, votes.codes, -np.inf).max(axis=0, initial=-np.inf)
        codes = np.where(decided, np.minimum(np.maximum(mean, lowest), highest), 0.0)
        return RuleResult(votes=votes, codes=codes, decided=decided, is_mean_of_numbers=True)
    held = np.stack([np.sort(spread * (votes.codes == code), axis=0).sum(axis=0) for code in range(len(votes.labels))])
    return by_heaviest(votes, held)


def by_heaviest(votes: CodedVotes, held: NDArray[np.float64]) -> RuleResult:
    """Decide for the label that holds most of something; near-equal ones tie.

    Args:
        held: shape (n_labels, n_subjects), 0 or above; nothing at all decides nothing.
    """
    total = held.sum(axis=0)
    leads = (held >= held.max(axis=0) - _EQUAL * total) & (held > 0)
    n_leaders = leads.sum(axis=0)
    tied = Ties(
        np.flatnonzero(n_leaders > 1), lambda column: tuple(np.flatnonzero(leads[:, column]).astype(float).tolist())
    )
    return RuleResult(votes=votes, codes=leads.argmax(axis=0).astype(float), decided=n_leaders == 1, tied=tied)
