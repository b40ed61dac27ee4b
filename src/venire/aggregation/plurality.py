"""The rule plurality: the label with the most votes, however few."""

from venire.aggregation.result import RuleResult
from venire.aggregation.tally import leaders, tally
from venire.coding.votes import CodedVotes


def decide_by_plurality(votes: CodedVotes) -> RuleResult:
    """Decide for the label that more votes hold than any other.

    Use it with three labels or more, where a majority is often missing. It counts what was read: a missing vote
    weighs for nobody, and only the quorum guards against a handful deciding.

    Args:
        votes: of the voting judges, on any scale; numbers agree where they are equal.

    Returns:
        The leading label; labels that tie exactly at the top, for the tie policy.
    """
    counted = tally(votes.codes, votes.present)
    return RuleResult(votes=votes, codes=counted.leader, decided=counted.n_leaders == 1, tied=leaders(votes, counted))
