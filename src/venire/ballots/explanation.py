"""One reply, read and explained: for a person who asks why it was, or was not, understood."""

from collections.abc import Sequence

from venire.ballots.form import Ballot, form_of, letters
from venire.ballots.questions import Question
from venire.ballots.read import READER_VERSION, Reading, read_ballot
from venire.domain.call import Choice
from venire.domain.identity import Json
from venire.domain.judgment import Abstention, Failure, Label
from venire.domain.rubric import ChoiceScale, Criterion, NominalScale

_NOT_FOUND = frozenset({"unreadable", "incomplete_set"})
_SHARE_DIGITS = 4


def explain_reply(question: Question, choice: Choice, judged: Sequence[str] = ()) -> dict[str, Json]:
    """What a reply comes to: outcome, value, reason, detail and step; of several criteria also each one's."""
    readings, ballot = _read(question, choice, judged)
    criteria = ballot.rubric.criteria
    each = {
        str(criterion.id): _explain(reading, criterion, ballot)
        for criterion, reading in zip(criteria, readings, strict=True)
    }
    if len(each) == 1:
        (whole,) = each.values()
    else:
        whole = _together(readings, each, question)
        whole["criteria"] = dict(each)
    whole["reader_version"] = READER_VERSION
    return whole


def _read(question: Question, choice: Choice, judged: Sequence[str]) -> tuple[Sequence[Reading], Ballot]:
    """The readings under the first name by which the verdict is found."""
    for ballot in (question.ballot, *question.alternatives):
        readings = read_ballot(ballot, choice, tuple(range(ballot.n_shown)), judged)
        outcome = readings[0].outcome
        if not (isinstance(outcome, Failure) and outcome.reason in _NOT_FOUND):
            return readings, ballot
    return read_ballot(question.ballot, choice, tuple(range(question.ballot.n_shown)), judged), question.ballot


def _explain(reading: Reading, criterion: Criterion, ballot: Ballot) -> dict[str, Json]:
    told: dict[str, Json] = {"outcome": "label", "value": None, "reason": None, "detail": None, "step": reading.step}
    match reading.outcome:
        case Label() as label:
            told["value"] = _value(label, criterion, ballot)
            if label.confidence is not None:
                told["confidence"] = label.confidence
            if label.preference is not None:
                told["preference"] = label.preference
        case Abstention(reason=reason):
            told |= {"outcome": "abstention", "reason": reason}
        case Failure(reason=why, detail=detail):
            told |= {"outcome": "failure", "reason": why, "detail": detail}
    return told


def _together(readings: Sequence[Reading], each: dict[str, dict[str, Json]], question: Question) -> dict[str, Json]:
    """Several criteria as one: their values, or what the first one that has none says."""
    told = dict(next((one for one in each.values() if one["outcome"] != "label"), next(iter(each.values()))))
    if told["outcome"] != "label":
        return told
    if question.share_of_yes:
        n_yes = sum(isinstance(reading.outcome, Label) and reading.outcome.value == "yes" for reading in readings)
        told["value"] = round(n_yes / len(readings), _SHARE_DIGITS)
    else:
        told["value"] = {name: one["value"] for name, one in each.items()}
    return told


def _value(label: Label, criterion: Criterion, ballot: Ballot) -> Json:
    """A label as people would write it: letters for responses, whole numbers without a point, yes and no as truth."""
    value = label.value
    if isinstance(criterion.scale, ChoiceScale) and isinstance(value, int):
        return letters(ballot.n_shown)[value]
    if isinstance(value, float) and value == int(value):
        return int(value)
    is_one_of_several = len(ballot.rubric.criteria) > 1 or form_of(criterion, ballot) == "boolean"
    if is_one_of_several and isinstance(criterion.scale, NominalScale) and set(criterion.scale.labels) == {"yes", "no"}:
        return value == "yes"
    return value
