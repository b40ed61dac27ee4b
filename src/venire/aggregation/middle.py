"""The rules median, trimmed_mean and majority_or_mean: what the middle of the votes says."""

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.result import RuleResult, Ties, no_ties
from venire.aggregation.tally import mean_of, n_votes, tally
from venire.coding.votes import CodedVotes
from venire.stats.coordinate_median import coordinate_median
from venire.stats.trimmed_mean import trimmed_mean


def decide_by_median(votes: CodedVotes) -> RuleResult:
    """Decide by the middle of the counted votes.

    Use it where a judge may be arbitrarily wrong: fewer than half of them move it no further than to another vote.
    Numbers: of an even number of votes the middle between the two in the middle. Ordered labels: two different
    labels in the middle are a tie. With several criteria each is decided on its own (the coordinate-wise median).

    Args:
        votes: of the voting judges, on an ordinal or interval scale.
    """
    decided = n_votes(votes, "counted") > 0
    if not votes.labels:
        codes = coordinate_median(votes.codes, votes.present).values
        return RuleResult(votes=votes, codes=codes, decided=decided, is_mean_of_numbers=True)
    ordered = np.sort(np.where(votes.present, votes.codes, np.inf), axis=0)
    n = votes.present.sum(axis=0)
    columns = np.arange(len(n))
    low, high = ordered[np.maximum(n - 1, 0) // 2, columns], ordered[np.minimum(n // 2, len(ordered) - 1), columns]
    is_tie = decided & (low != high)
    tied = Ties(np.flatnonzero(is_tie), lambda column: (float(low[column]), float(high[column])))
    return RuleResult(votes=votes, codes=np.where(decided, low, 0.0), decided=decided & ~is_tie, tied=tied)


def decide_by_trimmed_mean(votes: CodedVotes, share: float) -> RuleResult:
    """Decide by the mean of the numbers that are left when a share is cut off at each end.

    Args:
        votes: of the voting judges, on an interval scale.
        share: of the counted votes, rounded down: with three judges nothing is cut below one third.
    """
    found = trimmed_mean(votes.codes, votes.present, share)
    return RuleResult(
        votes=votes, codes=_within(found.values, votes), decided=found.defined, tied=no_ties(), is_mean_of_numbers=True
    )


def decide_by_majority_or_mean(votes: CodedVotes) -> RuleResult:
    """Decide for the number that more than half of the counted votes hold, else by their mean.

    Args:
        votes: of the voting judges, on an interval scale.

    References:
        Verga et al. (2024), Replacing Judges with Juries (PoLL), footnote 4: "max voting with average fallback", read
        here as the most frequent value where it has a majority. arXiv:2404.18796.
    """
    counted = tally(votes.codes, votes.present)
    has_majority = 2 * counted.top > n_votes(votes, "counted")
    codes = np.where(has_majority, counted.leader, mean_of(votes.codes, votes.present))
    return RuleResult(votes=votes, codes=codes, decided=n_votes(votes, "counted") > 0, is_mean_of_numbers=True)


def _within(values: NDArray[np.float64], votes: CodedVotes) -> NDArray[np.float64]:
    """Held to the range of the votes, which the last bit of a mean can leave."""
    lowest = np.where(votes.present, votes.codes, np.inf).min(axis=0, initial=np.inf)
    highest = np.where(votes.present, votes.codes, -np.inf).max(axis=0, initial=-np.inf)
    return np.where(lowest <= highest, np.minimum(np.maximum(values, lowest), highest), 0.0)
