"""The rule unanimity: all of the denominator say the same."""

from venire.aggregation.result import RuleResult
from venire.aggregation.tally import n_votes, tally
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import Denominator


def decide_by_unanimity(votes: CodedVotes, denominator: Denominator) -> RuleResult:
    """Decide where everybody agrees; one vote that differs leaves the subject undecided.

    Use it where a wrong decision costs more than none, and somebody looks at the undecided.

    Args:
        votes: of the voting judges, on any scale; numbers agree where they are equal.
        denominator: seated: a missing vote breaks unanimity too; counted: it does not.

    Returns:
        The common label, else undecided: "not unanimous". There are no ties: a tie is a disagreement.
    """
    counted = tally(votes.codes, votes.present)
    n = n_votes(votes, denominator)
    return RuleResult(
        votes=votes, codes=counted.leader, decided=(counted.top == n) & (n > 0), otherwise="not unanimous"
    )
