"""Tallies: how many counted votes share each vote, without regard to the order of voters."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.result import Ties
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import Denominator


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The votes on every subject, counted."""

    holders: NDArray[np.intp]
    """Shape (n_voters, n_subjects): how many counted votes equal this one, itself included; 0 where it is missing."""
    top: NDArray[np.intp]
    """Shape (n_subjects,): votes of the strongest label; 0 where nobody voted."""
    leader: NDArray[np.float64]
    """Shape (n_subjects,): the lowest code among the strongest; the strongest where it stands alone."""
    n_leaders: NDArray[np.intp]
    """Shape (n_subjects,): labels that hold as many votes as the strongest; 0 where nobody voted."""


def tally(codes: NDArray[np.float64], present: NDArray[np.bool_]) -> Tally:
    """Count equal votes; equality of codes is all that is asked, so it serves labels and numbers alike.

    Args:
        codes: shape (n_voters, n_subjects).
        present: shape (n_voters, n_subjects): where there is a vote.
    """
    holders = np.zeros(codes.shape, dtype=np.intp)
    for vote, is_there in zip(codes, present, strict=True):
        holders += (codes == vote) & is_there
    holders[~present] = 0
    top = holders.max(axis=0, initial=0)
    leads = present & (holders == top)
    leader = np.where(leads, codes, np.inf).min(axis=0, initial=np.inf)
    return Tally(
        holders=holders,
        top=top,
        leader=np.where(top > 0, leader, 0.0),
        # Every strongest label is held by `top` voters, so voters divided by `top` are labels.
        n_leaders=leads.sum(axis=0) // np.maximum(top, 1),
    )


def leaders(votes: CodedVotes, counted: Tally) -> Ties:
    """The codes that tie at the top of each subject where more than one does."""
    leads = votes.present & (counted.holders == counted.top)

    def codes_at(column: int) -> tuple[float, ...]:
        return tuple(np.unique(votes.codes[leads[:, column], column]).tolist())

    return Ties(np.flatnonzero(counted.n_leaders > 1), codes_at)


def mean_of(codes: NDArray[np.float64], present: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The mean of the counted votes on every subject; 0 where there is none, which the quorum never lets pass.

    Votes are added in ascending order, so that the last bit does not depend on the order of voters.
    """
    n = present.sum(axis=0)
    # Missing votes become 0 and stay in the sort: adding 0 changes no sum.
    mean = np.sort(np.where(present, codes, 0.0), axis=0).sum(axis=0) / np.maximum(n, 1)
    lowest = np.where(present, codes, np.inf).min(axis=0, initial=np.inf)
    highest = np.where(present, codes, -np.inf).max(axis=0, initial=-np.inf)
    # Three times 0.1 has the mean 0.10000000000000002; a mean never leaves the range of its votes.
    return np.where(n > 0, np.minimum(np.maximum(mean, lowest), highest), 0.0)


def n_votes(votes: CodedVotes, denominator: Denominator) -> NDArray[np.intp]:
    """The number that a share or a majority is taken of: everybody seated, or those whose vote counts."""
    if denominator == "seated":
        return np.full(len(votes.subjects), len(votes.raters), dtype=np.intp)
    return np.asarray(np.count_nonzero(votes.present, axis=0), dtype=np.intp)
