"""The rule mean: average pooling of numbers, of two labels, or of a choice between two responses."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.result import RuleResult, Ties
from venire.aggregation.tally import mean_of, n_votes
from venire.coding.votes import CodedVotes
from venire.domain.rubric import BOTH_BAD, TIE, ChoiceScale, IntervalScale, NominalScale
from venire.errors import DesignError

NO_SIDE = "both bad"
"""Why a vote for "both bad" is left out of the mean of a choice."""


def decide_by_mean(votes: CodedVotes) -> RuleResult:
    """Decide by the mean of the counted votes.

    Numbers: the mean itself. Two labels: the positive one as 1, the other as 0; above one half the positive wins,
    exactly one half is a tie. A choice: the first response as 0, a tie as ½, the second as 1; exactly one half is
    the label tie where the scale has it, else a tie between the two. "Both bad" names no side: it is left out of
    the mean and counted as missing.

    Args:
        votes: of the voting judges.

    Raises:
        DesignError: three labels or more, an ordinal scale, or a choice among more than two responses.

    References:
        Verga et al. (2024), Replacing Judges with Juries (PoLL), section 3: average pooling. arXiv:2404.18796.
    """
    match votes.scale:
        case IntervalScale():
            codes = mean_of(votes.codes, votes.present)
            return RuleResult(votes=votes, codes=codes, decided=n_votes(votes, "counted") > 0, is_mean_of_numbers=True)
        case NominalScale(labels=labels, positive=positive) if len(labels) == 2:
            return _by_lead(votes, lead=_lead(votes, labels.index(positive)), winner=labels.index(positive))
        case ChoiceScale():
            return _mean_of_choice(votes)
        case scale:
            raise DesignError(f"rule mean on {scale!r}: its labels have no mean. Use majority or plurality.")


def _mean_of_choice(votes: CodedVotes) -> RuleResult:
    for subject in votes.subjects:
        if len(subject.responses) != 2:
            raise DesignError(
                f"rule mean on item {subject.item_id!r} with responses {subject.responses!r}: a mean of choices "
                "is defined between two. Use plurality."
            )
    if BOTH_BAD in votes.labels:
        votes = _without(votes, code=votes.labels.index(BOTH_BAD), reason=NO_SIDE)
    second = 1
    lead = _holders(votes, second) - _holders(votes, 1 - second)
    if TIE not in votes.labels:
        return _by_lead(votes, lead=lead, winner=second)
    code_of_even = float(votes.labels.index(TIE))
    codes = np.where(lead == 0, code_of_even, np.where(lead > 0, 1.0, 0.0))
    return RuleResult(votes=votes, codes=codes, decided=n_votes(votes, "counted") > 0)


def _by_lead(votes: CodedVotes, *, lead: NDArray[np.intp], winner: int) -> RuleResult:
    """Decide between the codes 0 and 1 by how many more votes one side, the winner's, has."""
    codes = np.where(lead > 0, float(winner), float(1 - winner))
    any_vote = n_votes(votes, "counted") > 0
    even = Ties(np.flatnonzero(any_vote & (lead == 0)), lambda _: (0.0, 1.0))
    return RuleResult(votes=votes, codes=codes, decided=lead != 0, tied=even)


def _lead(votes: CodedVotes, code: int) -> NDArray[np.intp]:
    """By how many votes a label of two is ahead: above 0 exactly where its mean is above one half."""
    return 2 * _holders(votes, code) - n_votes(votes, "counted")


def _holders(votes: CodedVotes, code: int) -> NDArray[np.intp]:
    return np.asarray(np.count_nonzero((votes.codes == code) & votes.present, axis=0), dtype=np.intp)


def _without(votes: CodedVotes, *, code: int, reason: str) -> CodedVotes:
    """The same votes, those with a code taken for missing."""
    reasons = (*votes.reasons, reason)
    gone = votes.present & (votes.codes == code)
    missing = np.where(gone, len(reasons), votes.missing).astype(np.int16)
    return replace(votes, missing=missing, reasons=reasons)
