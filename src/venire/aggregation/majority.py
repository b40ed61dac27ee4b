"""The rule majority: more than half of the denominator."""

from venire.aggregation.result import RuleResult
from venire.aggregation.tally import leaders, n_votes, tally
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import Denominator


def decide_by_majority(votes: CodedVotes, denominator: Denominator) -> RuleResult:
    """Decide for the label that more than half of the denominator hold.

    Args:
        votes: of the voting judges, on any scale; numbers agree where they are equal.
        denominator: seated: missing votes stand against every majority; counted: they are left out.

    Returns:
        The majority's label; labels that tie exactly at the top, for the tie policy; else undecided,
        "no majority". Two of four seated is no majority, and one vote of three is none either.
    """
    counted = tally(votes.codes, votes.present)
    decided = 2 * counted.top > n_votes(votes, denominator)
    return RuleResult(
        votes=votes, codes=counted.leader, decided=decided, tied=leaders(votes, counted), otherwise="no majority"
    )
