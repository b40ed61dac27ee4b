"""One field of a ballot to an outcome: the value must be of the scale, in type and in range."""

import re

from venire.ballots.form import Ballot, letters, number_text, words_of
from venire.ballots.vocabulary import vocabulary
from venire.domain.folding import fold
from venire.domain.identity import Json
from venire.domain.judgment import Abstention, Failure, Label, Outcome
from venire.domain.rubric import BOTH_BAD, CANNOT_ASSESS, TIE, ChoiceScale, Criterion, IntervalScale

_DIGITS = r"[-+]?[0-9]+(?:\.[0-9]+)?"
RATING = rf"({_DIGITS})(?:\s*(?:/|out of|of)\s*({_DIGITS}))?"
"""A number, perhaps with the end of its scale: 7, 7/10, 7 out of 10."""

_LONGEST_QUOTE = 80


def outcome_of(value: Json, criterion: Criterion, ballot: Ballot, shown: tuple[int, ...]) -> Outcome:
    """Read what a judge put into a criterion's field; a value of the wrong kind is a failure that quotes it.

    Args:
        value: the field as parsed, or a piece of the reply's text.
        criterion: whose field it is.
        ballot: what was asked.
        shown: the response indices in the order shown, so that a letter becomes an index.
    """
    if isinstance(value, str) and fold(value) == CANNOT_ASSESS:
        return Abstention(reason="the judge says that it cannot assess this")
    if isinstance(criterion.scale, IntervalScale):
        return _rating(value, criterion.scale)
    if not isinstance(value, str):
        detail = f"{criterion.id} is {quoted(value)}; a word of the scale was expected"
        return Failure(reason="unreadable", detail=detail)
    words = words_of(criterion, ballot) or ()
    word = vocabulary(words).word_of(value)
    if word is None:
        detail = f"{criterion.id} is {quoted(value)}, which is none of {list(words)!r}"
        return Failure(reason="out_of_range", detail=detail)
    if isinstance(criterion.scale, ChoiceScale) and word not in (TIE, BOTH_BAD):
        return Label(value=shown[letters(ballot.n_shown).index(word)])
    return Label(value=word)


def confidence_of(value: Json) -> float | None:
    """A stated confidence in [0, 1]; None where there is none or it is on another scale."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None


def quoted(value: Json) -> str:
    """A value as a message shows it: short, whatever the judge wrote."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = repr(value)
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:60]}…{text[-18:]}"


def _rating(value: Json, scale: IntervalScale) -> Outcome:
    if isinstance(value, str):
        match = re.fullmatch(RATING, fold(value).strip("[]* "))
        if match is None:
            return Failure(reason="unreadable", detail=f"{quoted(value)} is not a number")
        if match[2] is not None and float(match[2]) != scale.max:
            return Failure(
                reason="scale_mismatch",
                detail=f"{quoted(value)} is on a scale to {match[2]}, not {number_text(scale.max)}",
            )
        value = float(match[1])
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return Failure(reason="unreadable", detail=f"{quoted(value)} is not a number")
    if not scale.min <= value <= scale.max:
        return Failure(
            reason="out_of_range",
            detail=f"{quoted(value)} is outside {number_text(scale.min)} to {number_text(scale.max)}",
        )
    if scale.integer and value != int(value):
        return Failure(reason="not_an_integer", detail=f"{value} on a scale of whole numbers")
    return Label(value=int(value) if scale.integer else float(value))
