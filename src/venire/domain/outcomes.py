"""What was read of every subject, without how it was read: all that verdicts are derived from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """What was read of some subjects, as columns; what was read alike of several is held once."""

    item_ids: Sequence[ItemId]
    """By subject."""
    responses: Sequence[tuple[int, ...]]
    """By subject."""
    numbers: Sequence[int]
    """By subject, which of the kinds was read of it."""
    kinds: Sequence[tuple[DrawOutcome, ...]]
    """Distinct up to the order of their draws."""


def outcomes_of(judgments: Iterable[Judgment]) -> Outcomes:
    """Gather judgments, in any order, by their subject; subjects come in the order in which each is first met."""
    by_subject: dict[tuple[ItemId, tuple[int, ...]], list[DrawOutcome]] = {}
    for judgment in judgments:
        place = (judgment.subject.item_id, judgment.subject.responses)
        by_subject.setdefault(place, []).append(_draw_outcome(judgment))
    kinds: dict[tuple[object, ...], tuple[DrawOutcome, ...]] = {}
    found: dict[tuple[object, ...], int] = {}
    numbers: list[int] = []
    for draws in by_subject.values():
        # 1 and 1.0 are equal, but not both on every scale.
        key = tuple((draw, _type_of_value(draw.outcome)) for draw in draws)
        numbers.append(found.setdefault(key, len(found)))
        kinds.setdefault(key, tuple(draws))
    return Outcomes(
        item_ids=[item_id for item_id, _ in by_subject],
        responses=[responses for _, responses in by_subject],
        numbers=numbers,
        kinds=list(kinds.values()),
    )


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
    return type(outcome.value) if isinstance(outcome, Label) else None
