"""The rules at_least and, of two labels, min: how many positive votes the positive label needs."""

import numpy as np

from venire.aggregation.result import RuleResult
from venire.aggregation.tally import n_votes
from venire.coding.votes import CodedVotes
from venire.domain.rubric import NominalScale
from venire.errors import DesignError


def decide_by_at_least(votes: CodedVotes, n_needed: int) -> RuleResult:
    """Decide for the positive of two labels where so many counted votes hold it, else for the other.

    Use it to choose between the leniency of max (one is enough) and the strictness of min (all must agree).

    Args:
        votes: of the voting judges, on two nominal labels.
        n_needed: positive votes that are enough; a missing vote is none.

    Raises:
        DesignError: there are not two labels.
    """
    positive = _positive(votes, "at_least")
    n_positive = np.count_nonzero((votes.codes == positive) & votes.present, axis=0)
    codes = np.where(n_positive >= n_needed, float(positive), float(1 - positive))
    return RuleResult(votes=votes, codes=codes, decided=n_votes(votes, "counted") > 0)


def decide_by_min(votes: CodedVotes) -> RuleResult:
    """Decide for the worst counted vote: one negative label is enough (a logical AND).

    Use it where a judge errs by missing what is wrong. It is strict: every judge added makes the positive label rarer.

    Args:
        votes: of the voting judges; two nominal labels, an ordinal or an interval scale.

    Raises:
        DesignError: labels without an order, of which there are not two, have no worst.
    """
    any_vote = n_votes(votes, "counted") > 0
    if isinstance(votes.scale, NominalScale):
        positive = _positive(votes, "min")
        says_other = ((votes.codes != positive) & votes.present).any(axis=0)
        return RuleResult(votes=votes, codes=np.where(says_other, 1.0 - positive, positive), decided=any_vote)
    lowest = np.where(votes.present, votes.codes, np.inf).min(axis=0, initial=np.inf)
    return RuleResult(votes=votes, codes=np.where(any_vote, lowest, 0.0), decided=any_vote)


def _positive(votes: CodedVotes, rule: str) -> int:
    """The code of the positive of two labels."""
    if not isinstance(votes.scale, NominalScale) or len(votes.scale.labels) != 2:
        raise DesignError(f"rule {rule} on {votes.scale!r}: it decides between two labels. Use plurality.")
    return votes.scale.labels.index(votes.scale.positive)
