"""One field of a ballot to an outcome: the value must be of the scale, in type and in range."""

import re
from collections.abc import Sequence

from venire.ballots.comparing import likert_preference, likert_word, pair_preference, preferring
from venire.ballots.form import LIKERT, PAIR_MAX, Ballot, form_of, letters, words_of
from venire.ballots.instructions import number_text
from venire.ballots.vocabulary import vocabulary
from venire.domain.folding import fold
from venire.domain.identity import Json
from venire.domain.judgment import Abstention, Failure, Label, Outcome
from venire.domain.rubric import (
    BOTH_BAD,
    CANNOT_ASSESS,
    TIE,
    ChoiceScale,
    Criterion,
    IntervalScale,
    NominalScale,
)

_DIGITS = r"[-+]?[0-9]+(?:\.[0-9]+)?"
RATING = rf"({_DIGITS})(?:\s*(?:/|out of|of)\s*({_DIGITS}))?"
"""A number, perhaps with the end of its scale: 7, 7/10, 7 out of 10."""

TRUTH = {"yes": True, "true": True, "no": False, "false": False}
"""The usual spellings of yes and no."""

_SCORES = IntervalScale(min=0, max=PAIR_MAX, integer=False)
_SHARES = IntervalScale(min=0, max=1, integer=False)
_LONGEST_QUOTE = 80


def outcome_of(values: Sequence[Json], criterion: Criterion, ballot: Ballot, shown: tuple[int, ...]) -> Outcome:
    """Read what a judge put into a criterion's fields; a value of the wrong kind is a failure that quotes it.

    Args:
        values: the fields as parsed, or pieces of the reply's text: two for a pair of scores, else one.
        criterion: whose fields they are.
        ballot: what was asked.
        shown: the response indices in the order shown, so that a letter becomes an index.
    """
    if any(isinstance(value, str) and fold(value) == CANNOT_ASSESS for value in values):
        return Abstention(reason="the judge says that it cannot assess this")
    match form_of(criterion, ballot):
        case "pair":
            return _pair(values, ballot, shown)
        case "preference":
            preference = _rating(values[0], _SHARES)
            return preferring(float(preference.value), shown) if isinstance(preference, Label) else preference
        case "likert":
            return _likert(values[0], criterion, shown)
        case "rating":
            assert isinstance(criterion.scale, IntervalScale)
            return _rating(values[0], criterion.scale)
        case _:
            return _word(values[0], criterion, ballot, shown)


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


def _word(value: Json, criterion: Criterion, ballot: Ballot, shown: tuple[int, ...]) -> Outcome:
    truth = _truth(value, criterion, ballot)
    if truth is not None:
        return Label(value=truth)
    if not isinstance(value, str):
        detail = f"{criterion.id} is {quoted(value)}; a word of the scale was expected"
        return Failure(reason="unreadable", detail=detail)
    scale = criterion.scale
    words = scale.labels if isinstance(scale, NominalScale) else words_of(criterion, ballot) or ()
    word = vocabulary(words).word_of(value)
    if word is None:
        detail = f"{criterion.id} is {quoted(value)}, which is none of {list(words)!r}"
        return Failure(reason="out_of_range", detail=detail)
    if isinstance(scale, ChoiceScale) and word not in (TIE, BOTH_BAD):
        return Label(value=shown[letters(ballot.n_shown).index(word)])
    return Label(value=word)


def _truth(value: Json, criterion: Criterion, ballot: Ballot) -> str | None:
    """The label that a yes or no stands for; None where the value is neither, or the scale has no such labels."""
    said = TRUTH.get(fold(value).strip(".!*_` \"'")) if isinstance(value, str) else value
    scale = criterion.scale
    if not isinstance(said, bool) or not isinstance(scale, NominalScale) or len(scale.labels) != 2:
        return None
    if form_of(criterion, ballot) == "boolean":
        return next(label for label in scale.labels if (label == scale.positive) is said)
    by_truth = {TRUTH.get(fold(label)): label for label in scale.labels}
    return by_truth[said] if set(by_truth) == {True, False} else None


def _likert(value: Json, criterion: Criterion, shown: tuple[int, ...]) -> Outcome:
    word = likert_word(value) if isinstance(value, str) else None
    if word is None:
        detail = f"{criterion.id} is {quoted(value)}, which is none of {list(LIKERT)!r}"
        return Failure(reason="out_of_range" if isinstance(value, str) else "unreadable", detail=detail)
    return preferring(likert_preference(word), shown)


def _pair(values: Sequence[Json], ballot: Ballot, shown: tuple[int, ...]) -> Outcome:
    first, second = (_rating(value, _SCORES) for value in values)
    if not isinstance(first, Label):
        return first
    if not isinstance(second, Label):
        return second
    return preferring(pair_preference(float(first.value), float(second.value), ballot.form.steepness), shown)


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
