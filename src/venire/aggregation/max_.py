"""The rule max: the best vote wins; on two labels, the logical OR."""

import numpy as np

from venire.aggregation.result import RuleResult
from venire.aggregation.tally import n_votes
from venire.coding.votes import CodedVotes
from venire.domain.rubric import NominalScale, OrdinalScale
from venire.errors import DesignError


def decide_by_max(votes: CodedVotes) -> RuleResult:
    """Decide for the best counted vote: one positive label is enough.

    Use it where a judge errs by missing what is there, such as a right response in other words. It is lenient:
    every judge added makes the positive label more likely.

    Args:
        votes: of the voting judges; two nominal labels, an ordinal or an interval scale.

    Returns:
        The positive label where any judge gave it, else the other; on an ordered scale the highest vote. A missing
        vote stands for no label at all, neither positive nor negative.

    Raises:
        DesignError: labels without an order, of which there are not two, have no best.

    References:
        Verga et al. (2024), Replacing Judges with Juries (PoLL), section 3: "max voting" for question answering,
        read here as OR. arXiv:2404.18796.
    """
    present, scale = votes.present, votes.scale
    any_vote = n_votes(votes, "counted") > 0
    if isinstance(scale, NominalScale):
        if len(scale.labels) != 2:
            raise DesignError(f"rule max on labels {scale.labels!r}: only of two is one the best. Use plurality.")
        positive = scale.labels.index(scale.positive)
        says_positive = ((votes.codes == positive) & present).any(axis=0)
        codes = np.where(says_positive, float(positive), float(1 - positive))
        return RuleResult(votes=votes, codes=codes, decided=any_vote)
    if isinstance(scale, OrdinalScale) or not votes.labels:
        highest = np.where(present, votes.codes, -np.inf).max(axis=0, initial=-np.inf)
        return RuleResult(votes=votes, codes=np.where(any_vote, highest, 0.0), decided=any_vote)
    raise DesignError(f"rule max on {scale!r}: no response is better by its place. Use majority or plurality.")
