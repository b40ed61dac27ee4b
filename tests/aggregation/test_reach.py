"""Whether a panel that has lost judges can still decide, by quorum and rule."""

from typing import Any

import pytest

from venire.aggregation.reach import can_decide
from venire.domain.aggregation import Aggregation
from venire.domain.design import Design
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.panel import Judge
from venire.domain.rubric import Criterion, NominalScale, Rubric

RUBRIC = Rubric(criteria=(Criterion(id=CriterionId("q"), question="Is it?", scale=NominalScale(labels=("yes", "no"))),))


def _design(n_voting: int, **aggregation: Any) -> Design:
    voting = [Judge(id=JudgeId(f"j{n}"), provider="openai_compatible", model=f"m{n}") for n in range(n_voting)]
    beside = Judge(id=JudgeId("beside"), provider="length", votes=False)
    return Design(protocol="pointwise", rubric=RUBRIC, judges=(*voting, beside), aggregation=Aggregation(**aggregation))


@pytest.mark.parametrize(
    ("n_voting", "aggregation", "n_lost", "can"),
    [
        (1, {}, 1, False),
        (3, {}, 1, True),
        (3, {}, 2, False),
        (3, {"denominator": "counted"}, 2, True),
        (3, {"denominator": "counted", "quorum": 2}, 2, False),
        (4, {}, 2, False),
        (3, {"rule": "plurality"}, 2, True),
        (3, {"rule": "unanimity"}, 1, False),
        (3, {"rule": "mean"}, 2, True),
        (3, {"rule": "max"}, 3, False),
    ],
)
def test_a_decision_needs_votes(n_voting: int, aggregation: dict[str, Any], n_lost: int, *, can: bool) -> None:
    lost = {JudgeId(f"j{n}") for n in range(n_lost)}

    assert can_decide(_design(n_voting, **aggregation), lost) is can


def test_a_judge_without_a_vote_may_go() -> None:
    assert can_decide(_design(1), {JudgeId("beside")})
