"""Reach: whether a panel that has lost judges can still come to a decision."""

from collections.abc import Set

from venire.domain.design import Design
from venire.domain.identity import JudgeId


def can_decide(design: Design, lost: Set[JudgeId]) -> bool:
    """Whether verdicts are possible when these judges give no more votes.

    Their votes so far count on the subjects where they gave them; on all others they are missing.
    """
    n_seated = len(design.seated)
    n_left = sum(judge.id not in lost for judge in design.seated)
    if n_left == 0 or n_left < design.aggregation.quorum:
        return False
    if design.aggregation.denominator != "seated":
        return True
    match design.aggregation.rule:
        case "majority":
            return 2 * n_left > n_seated
        case "unanimity":
            return n_left == n_seated
        case _:
            return True
