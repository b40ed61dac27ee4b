"""Scales inferred from what was recorded: shown for confirmation, because nobody can see a bound that nobody used."""

from collections.abc import Iterable, Mapping, Sequence

from venire.datasets.recorded.votes import Recorded
from venire.domain.identity import CriterionId, Json
from venire.domain.rubric import BOTH_BAD, TIE, ChoiceScale, Criterion, IntervalScale, NominalScale, Scale
from venire.errors import UsageError

POSITIVE = ("correct", "yes", "true", "pass", "passed", "good", "faithful", "1")
"""Labels that count as success where one of them is in use."""
PAIRS = (("correct", "incorrect"), ("yes", "no"), ("true", "false"), ("pass", "fail"))
"""Labels of which one tells the other, where nobody used it."""
_QUESTIONS: Mapping[str, str] = {"correct": "Is the response correct?", "better": "Which response is better?"}


def infer_criteria(recorded: Recorded) -> tuple[Criterion, ...]:
    """One criterion for each that was voted on, in the order of first use.

    Comparisons get a choice, with ties where one was given. Numbers get whole or decimal numbers between the lowest
    and the highest that any judge or person gave; words become labels, a usual word for success first.

    Raises:
        UsageError: the values of a criterion are both words and numbers: a judge with two scales.
    """
    values: dict[CriterionId, dict[Json, str]] = {}
    for vote in recorded.votes:
        values.setdefault(vote.criterion_id, {}).setdefault(_key(vote.value), vote.judge)
    for label in recorded.labels:
        if label.criterion_id in values:
            values[label.criterion_id].setdefault(_key(label.value), label.annotator)
    return tuple(
        Criterion(
            id=criterion_id,
            question=_QUESTIONS.get(criterion_id, f"How good is the response in {criterion_id}?"),
            scale=recorded.scales.get(criterion_id) or _infer(recorded.protocol, criterion_id, used),
        )
        for criterion_id, used in values.items()
    )


def _key(value: Json) -> Json:
    return value if isinstance(value, str | int | float) else None


def _infer(protocol: str, criterion_id: CriterionId, used: Mapping[Json, str]) -> Scale:
    given = [value for value in used if value is not None]
    if protocol != "pointwise":
        return ChoiceScale(tie=TIE in given, both_bad=BOTH_BAD in given)
    words = [value for value in given if isinstance(value, str)]
    numbers = [float(value) for value in given if isinstance(value, int | float)]
    if words and numbers:
        number = next(value for value in given if not isinstance(value, str))
        raise UsageError(
            f"Criterion {criterion_id!r} was answered on two scales: {used[words[0]]!r} gave {words[0]!r}, "
            f"{used[number]!r} gave {number!r}. Split it into two criteria, or give a design with one scale."
        )
    if numbers:
        return _numbers(criterion_id, numbers)
    words = next(([*pair] for pair in PAIRS if set(words) <= set(pair) and words), words)
    if len(words) < 2:
        raise UsageError(
            f"Criterion {criterion_id!r} was only ever answered {words!r}: no scale can be told from that. "
            "Give a design that names its labels: --design DESIGN.yaml."
        )
    return _labels(words)


def _numbers(criterion_id: CriterionId, numbers: Sequence[float]) -> IntervalScale:
    low, high = min(numbers), max(numbers)
    if low == high:
        raise UsageError(
            f"Criterion {criterion_id!r} was only ever answered {low:g}: no scale can be told from that. "
            "Give a design that names its bounds: --design DESIGN.yaml."
        )
    return IntervalScale(min=low, max=high, integer=all(number == int(number) for number in numbers))


def _labels(words: Iterable[str]) -> NominalScale:
    ordered = sorted(set(words))
    positive = next((word for known in POSITIVE for word in ordered if word.casefold() == known), ordered[0])
    return NominalScale(labels=(positive, *(word for word in ordered if word != positive)), positive=positive)
