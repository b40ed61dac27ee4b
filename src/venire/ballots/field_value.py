"""One field of a ballot to an outcome: the value must be of the scale, in type and in range."""

import math
import re

from venire.ballots.form import Ballot, letters, words_of
from venire.domain.identity import Json
from venire.domain.judgment import Abstention, Failure, Label, Outcome
from venire.domain.rubric import BOTH_BAD, CANNOT_ASSESS, TIE, ChoiceScale, Criterion, IntervalScale

_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_RATING = re.compile(rf"({_NUMBER})(?:\s*(?:/|out of|of)\s*({_NUMBER}))?")


def outcome_of(value: Json, criterion: Criterion, ballot: Ballot, shown: tuple[int, ...]) -> Outcome:
    """Read what a judge put into a criterion's field; a value of the wrong kind is a failure that quotes it.

    Args:
        value: the field as parsed, or a piece of the reply's text.
        criterion: whose field it is.
        ballot: what was asked.
        shown: the response indices in the order shown, so that a letter becomes an index.
    """
    if isinstance(value, str) and value.strip().casefold() == CANNOT_ASSESS:
        return Abstention(reason="the judge says that it cannot assess this")
    if isinstance(criterion.scale, IntervalScale):
        return _rating(value, criterion.scale)
    if not isinstance(value, str):
        return Failure(reason="unreadable", detail=f"{criterion.id} is {value!r}; a word of the scale was expected")
    wanted = value.strip().strip("[]()\"'.").strip().casefold()
    words = words_of(criterion, ballot) or ()
    matches = [word for word in words if word.casefold() == wanted]
    if len(matches) != 1:
        return Failure(reason="out_of_range", detail=f"{criterion.id} is {value!r}, which is none of {list(words)!r}")
    if isinstance(criterion.scale, ChoiceScale) and matches[0] not in (TIE, BOTH_BAD):
        return Label(value=shown[letters(ballot.n_shown).index(matches[0])])
    return Label(value=matches[0])


def confidence_of(value: Json) -> float | None:
    """A stated confidence in [0, 1]; None where there is none or it is on another scale."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None


def _rating(value: Json, scale: IntervalScale) -> Outcome:
    if isinstance(value, str):
        match = _RATING.fullmatch(value.strip().strip("[]*").strip())
        if match is None:
            return Failure(reason="unreadable", detail=f"{value!r} is not a number")
        if match[2] is not None and float(match[2]) != scale.max:
            return Failure(reason="scale_mismatch", detail=f"{value!r} is on a scale to {match[2]}, not {scale.max:g}")
        value = float(match[1])
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return Failure(reason="unreadable", detail=f"{value!r} is not a number")
    if not scale.min <= value <= scale.max:
        return Failure(reason="out_of_range", detail=f"{value:g} is outside {scale.min:g} to {scale.max:g}")
    if scale.integer and value != int(value):
        return Failure(reason="not_an_integer", detail=f"{value:g} on a scale of whole numbers")
    return Label(value=int(value) if scale.integer else float(value))
