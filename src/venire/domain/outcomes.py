"""What was read of each subject, without how it was read: all that verdicts are derived from."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from venire.domain.identity import CriterionId, ItemId, JudgeId
from venire.domain.judgment import Abstention, Failure, Judgment, Label, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOutcome:
    """What one attempt at one draw came to."""

    criterion_id: CriterionId
    judge_id: JudgeId
    shown: tuple[int, ...]
    sample: int
    attempt: int
    outcome: Outcome
    """A label's value, an abstention, or a failure's reason; confidence, probabilities and details are left out."""


class SubjectOutcomes(NamedTuple):
    """Everything that was read of one subject."""

    item_id: ItemId
    responses: tuple[int, ...]
    draws: tuple[DrawOutcome, ...]
    """Subjects of which the same was read hold one and the same tuple, so that it need be coded only once."""


def outcomes_of(judgments: Iterable[Judgment]) -> Iterator[SubjectOutcomes]:
    """Gather judgments, in any order, by their subject; subjects come in the order in which each is first met."""
    by_subject: dict[tuple[ItemId, tuple[int, ...]], list[DrawOutcome]] = {}
    for judgment in judgments:
        place = (judgment.subject.item_id, judgment.subject.responses)
        by_subject.setdefault(place, []).append(_draw_outcome(judgment))
    alike: dict[tuple[object, ...], tuple[DrawOutcome, ...]] = {}
    for (item_id, responses), draws in by_subject.items():
        key = tuple((draw, _type_of_value(draw.outcome)) for draw in draws)
        yield SubjectOutcomes(item_id=item_id, responses=responses, draws=alike.setdefault(key, tuple(draws)))


def _draw_outcome(judgment: Judgment) -> DrawOutcome:
    return DrawOutcome(
        criterion_id=judgment.criterion_id,
        judge_id=judgment.judge_id,
        shown=judgment.shown,
        sample=judgment.sample,
        attempt=judgment.attempt,
        outcome=_bare(judgment.outcome),
    )


def _bare(outcome: Outcome) -> Outcome:
    match outcome:
        case Label(value=value):
            return Label(value=value)
        case Abstention():
            return Abstention()
        case Failure(reason=reason):
            return Failure(reason=reason)


def _type_of_value(outcome: Outcome) -> type | None:
    # 1 and 1.0 are equal, but not both on every scale.
    return type(outcome.value) if isinstance(outcome, Label) else None
