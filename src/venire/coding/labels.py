"""Labels and codes: the one place where a value of a scale becomes a number and a number a value again."""

from typing import assert_never

from venire.domain.item import Subject
from venire.domain.rubric import (
    BOTH_BAD,
    TIE,
    ChoiceScale,
    IntervalScale,
    NominalScale,
    OrdinalScale,
    Scale,
    Value,
    admits,
)


def labels_of(scale: Scale, n_responses: int) -> tuple[Value, ...]:
    """What each code stands for; on a choice scale positions 0 … n_responses − 1, then tie, then both bad.

    Args:
        n_responses: the most responses that any subject has; it matters on a choice scale alone.

    Returns:
        Labels in the order of their codes; empty on an interval scale, whose numbers are their own codes.
    """
    match scale:
        case NominalScale(labels=labels) | OrdinalScale(labels=labels):
            return labels
        case IntervalScale():
            return ()
        case ChoiceScale(tie=tie, both_bad=both_bad):
            return (*range(n_responses), *((TIE,) * tie), *((BOTH_BAD,) * both_bad))
        case _:
            assert_never(scale)


def code_value(scale: Scale, value: Value, subject: Subject, n_responses: int | None = None) -> float:
    """Turn a value of a scale into its code.

    Args:
        subject: what the value is about; its responses are what a choice may name.
        n_responses: the most responses of any subject coded together; None: this subject's own number.

    Raises:
        ValueError: the value is not on the scale. It is never made into a number.

    >>> from venire.domain.identity import ItemId
    >>> code_value(ChoiceScale(), 2, Subject(item_id=ItemId("q1"), responses=(0, 2)))
    1.0
    """
    if not admits(scale, value, subject.responses):
        raise ValueError(
            f"Item {subject.item_id!r}: {value!r} is not on the scale {scale!r} for responses {subject.responses!r}; "
            "votes must be labels of the scale. Record anything else as a failure."
        )
    match scale:
        case NominalScale(labels=labels) | OrdinalScale(labels=labels):
            return float(labels.index(str(value)))
        case IntervalScale():
            return float(value)
        case ChoiceScale():
            if isinstance(value, int):
                return float(subject.responses.index(value))
            n_positions = len(subject.responses) if n_responses is None else n_responses
            return float(labels_of(scale, n_positions).index(value))
        case _:
            assert_never(scale)


def value_of(scale: Scale, code: float, subject: Subject, n_responses: int | None = None) -> Value:
    """Turn a code into the value that it stands for: the inverse of `code_value`.

    On an integer scale whole numbers come back as integers; a mean that is not whole stays as it is.

    Raises:
        ValueError: no value of the scale has this code.
    """
    if isinstance(scale, IntervalScale):
        if not scale.min <= code <= scale.max:
            raise ValueError(f"Item {subject.item_id!r}: code {code!r} lies outside {scale.min} … {scale.max}")
        return int(code) if scale.integer and code == int(code) else float(code)
    labels = labels_of(scale, len(subject.responses) if n_responses is None else n_responses)
    index = int(code)
    if code != index or not 0 <= index < len(labels):
        raise ValueError(f"Item {subject.item_id!r}: code {code!r} stands for none of the labels {labels!r}")
    label = labels[index]
    if not isinstance(label, int):
        return label
    if label >= len(subject.responses):
        raise ValueError(f"Item {subject.item_id!r}: position {label} is beyond its responses {subject.responses!r}")
    return subject.responses[label]
