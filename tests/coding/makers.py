"""Short ways to write subjects and judgments."""

from venire.domain.identity import CallId, CriterionId, ItemId, JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Judgment, Label, Outcome
from venire.domain.rubric import Criterion, Scale, Value

Q = CriterionId("q")


def subject(item: str = "i1", *responses: int) -> Subject:
    return Subject(item_id=ItemId(item), responses=responses or (0,))


def criterion(scale: Scale, name: str = "q", weight: float = 1.0) -> Criterion:
    return Criterion(id=CriterionId(name), question="Is it right?", scale=scale, weight=weight)


def judgment(
    judge: str,
    about: Subject,
    outcome: Outcome | Value,
    *,
    swapped: bool = False,
    sample: int = 0,
    attempt: int = 0,
    on: str = "q",
) -> Judgment:
    shown = about.responses[::-1] if swapped else about.responses
    return Judgment(
        subject=about,
        criterion_id=CriterionId(on),
        judge_id=JudgeId(judge),
        shown=shown,
        sample=sample,
        attempt=attempt,
        call_id=CallId("sha256:0"),
        outcome=Label(value=outcome) if isinstance(outcome, str | int | float) else outcome,
        step="json",
        reader_version=1,
    )
