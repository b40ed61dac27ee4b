"""Reach: whether any verdict can still be decided when some judges are lost."""

from collections.abc import Collection

from venire.domain.design import Design
from venire.domain.identity import JudgeId


def is_in_reach(design: Design, lost: Collection[JudgeId]) -> bool:
    """Whether the judges that are left can decide anything by themselves.

    Not without a voting judge, below the quorum, or where every seat counts and too few are taken: more than half for
    a majority, all for unanimity. Votes that lost judges gave before are not counted on: they are few, and a run that
    is ended here goes on where it was when the judge is mended.
    """
    n_left = sum(judge.id not in lost for judge in design.seated)
    if n_left == 0 or n_left < design.aggregation.quorum:
        return False
    if design.aggregation.denominator == "counted":
        return True
    match design.aggregation.rule:
        case "majority":
            return 2 * n_left > len(design.seated)
        case "unanimity":
            return n_left == len(design.seated)
        case _:
            return True
