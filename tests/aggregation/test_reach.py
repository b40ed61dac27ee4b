"""Whether a verdict can still be decided without some judges."""

from typing import Any

import pytest

from venire.aggregation.reach import is_in_reach
from venire.domain.design import Aggregation, Design
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.panel import Judge
from venire.domain.rubric import Criterion, NominalScale, Rubric

SCALE = NominalScale(labels=("yes", "no"))


def design(n_judges: int, **aggregation: Any) -> Design:
    """A panel of judges 0, 1, ... and a baseline that does not vote."""
    judges = [Judge(id=JudgeId(str(n)), provider="openai_compatible", model=f"m{n}") for n in range(n_judges)]
    baseline = Judge(id=JudgeId("dice"), provider="random", votes=False)
    return Design(
        protocol="pointwise",
        rubric=Rubric(criteria=(Criterion(id=CriterionId("c"), question="?", scale=SCALE),)),
        judges=(*judges, baseline),
        aggregation=Aggregation(**aggregation),
    )


@pytest.mark.parametrize(
    ("aggregation", "n_judges", "most_lost"),
    [
        ({"rule": "majority"}, 3, 1),
        ({"rule": "majority"}, 4, 1),
        ({"rule": "majority"}, 2, 0),
        ({"rule": "majority", "denominator": "counted"}, 3, 2),
        ({"rule": "majority", "denominator": "counted", "quorum": 2}, 3, 1),
        ({"rule": "plurality"}, 3, 2),
        ({"rule": "unanimity"}, 3, 0),
        ({"rule": "max"}, 1, 0),
    ],
)
def test_so_many_judges_may_be_lost(aggregation: dict[str, Any], n_judges: int, most_lost: int) -> None:
    asked = design(n_judges, **aggregation)
    lost = [JudgeId(str(n)) for n in range(n_judges)]

    assert is_in_reach(asked, lost[:most_lost])
    assert not is_in_reach(asked, lost[: most_lost + 1])


def test_a_judge_that_does_not_vote_is_not_missed() -> None:
    assert is_in_reach(design(1), [JudgeId("dice")])
