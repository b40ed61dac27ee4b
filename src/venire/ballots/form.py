"""The form of a ballot: from a rubric to the fields, the words and the schema of a reply."""

import json
import string
from dataclasses import dataclass
from functools import cached_property

from venire.domain.ballot import BallotForm, Form
from venire.domain.call import AnswerFormat
from venire.domain.fitting import form_for, points_of
from venire.domain.identity import Json
from venire.domain.rubric import (
    BOTH_BAD,
    CANNOT_ASSESS,
    TIE,
    ChoiceScale,
    Criterion,
    IntervalScale,
    NominalScale,
    OrdinalScale,
    Rubric,
)

LIKERT = ("A>>B", "A>B", "A=B", "B>A", "B>>A")
YES_NO = ("yes", "no")
PAIR_MAX = 10
"""Form pair: each response is scored from 0 to 10, as in Salinas et al. (2025), arXiv:2501.17178."""


@dataclass(frozen=True, kw_only=True)
class Ballot:
    """A form made from a rubric for a number of shown responses."""

    rubric: Rubric
    form: BallotForm
    n_shown: int

    @cached_property
    def format(self) -> AnswerFormat:
        """What the endpoint is asked to hold the reply to."""
        return answer_format(self)


def letters(n_shown: int) -> tuple[str, ...]:
    """The names under which responses are shown: A, B, C, …"""
    if n_shown > len(string.ascii_uppercase):
        raise ValueError(f"{n_shown} responses cannot be compared at once; at most 26 have a letter")
    return tuple(string.ascii_uppercase[:n_shown])


def form_of(criterion: Criterion, ballot: Ballot) -> Form:
    """The form in which the verdict on this criterion is written."""
    return form_for(criterion.scale, ballot.form.form)


def fields_of(criterion: Criterion, ballot: Ballot) -> tuple[str, ...]:
    """The names of the fields that hold the verdict on this criterion: one, or for a pair of scores one for each."""
    if form_of(criterion, ballot) == "pair":
        return tuple(f"{criterion.id}_{letter}" for letter in letters(2))
    return (criterion.id,)


def words_of(criterion: Criterion, ballot: Ballot) -> tuple[str, ...] | None:
    """The words that a verdict may be, as the judge sees them; None where it is one of too many numbers to list."""
    match form_of(criterion, ballot):
        case "likert":
            return LIKERT
        case "boolean":
            return YES_NO
        case "pair" | "preference":
            return None
    match criterion.scale:
        case NominalScale(labels=labels) | OrdinalScale(labels=labels):
            return labels
        case IntervalScale() as scale:
            points = points_of(scale)
            return None if points is None else tuple(str(number) for number in points)
        case ChoiceScale(tie=tie, both_bad=both_bad):
            return letters(ballot.n_shown) + (TIE,) * tie + (BOTH_BAD,) * both_bad


def ballot_schema(ballot: Ballot) -> dict[str, Json]:
    """The JSON schema of a reply: fields first, then what holds each criterion's verdict, nothing else."""
    properties: dict[str, Json] = {}
    for field in ballot.form.fields:
        properties[field] = {"type": "number"} if field == "confidence" else {"type": "string"}
    for criterion in ballot.rubric.criteria:
        for name in fields_of(criterion, ballot):
            properties[name] = _or_abstention(_verdict_schema(criterion, ballot), ballot)
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def answer_format(ballot: Ballot) -> AnswerFormat:
    """What the endpoint is asked to hold the reply to."""
    if ballot.form.json:
        return AnswerFormat(kind="json_schema", schema=_written(ballot_schema(ballot)))
    words = words_of(ballot.rubric.criteria[0], ballot)
    if words is not None and not ballot.form.fields:
        return AnswerFormat(kind="one_of", words=words + (CANNOT_ASSESS,) * ballot.form.abstain)
    return AnswerFormat(kind="text")


def _verdict_schema(criterion: Criterion, ballot: Ballot) -> dict[str, Json]:
    # Every part has a type and an alternative is an anyOf: the subset that strict structured outputs accept.
    words = words_of(criterion, ballot)
    match form_of(criterion, ballot):
        case "boolean":
            return {"type": "boolean"}
        case "preference":
            return {"type": "number"}
        case "pair":
            return {"type": "integer", "enum": list(range(PAIR_MAX + 1))}
        case "rating":
            number: dict[str, Json] = {"type": "integer" if _is_whole(criterion) else "number"}
            if words is not None:
                # Listed, because several APIs refuse minimum and maximum.
                number["enum"] = [int(word) for word in words]
            return number
        case _:
            return {"type": "string", "enum": list(words or ())}


def _or_abstention(verdict: dict[str, Json], ballot: Ballot) -> Json:
    if not ballot.form.abstain:
        return verdict
    listed = verdict.get("enum")
    if verdict["type"] == "string" and isinstance(listed, list):
        return {**verdict, "enum": [*listed, CANNOT_ASSESS]}
    return {"anyOf": [verdict, {"type": "string", "enum": [CANNOT_ASSESS]}]}


def _is_whole(criterion: Criterion) -> bool:
    return isinstance(criterion.scale, IntervalScale) and criterion.scale.integer


def _written(schema: dict[str, Json]) -> str:
    # The order of properties is the order in which a constrained model writes them, so it must survive:
    # an explanation after the verdict explains nothing. Canonical JSON would sort it away.
    return json.dumps(schema, separators=(",", ":"), allow_nan=False)
