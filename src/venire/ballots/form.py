"""The form of a ballot: from a rubric to the fields, the schema and the words that tell a judge what to write."""

import json
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from venire.domain.ballot import BallotForm
from venire.domain.call import AnswerFormat
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

ENUM_MAX = 101
"""Whole-number scales up to this many points are listed in the schema: several APIs refuse minimum and maximum."""

_FIELD_MEANING: Mapping[str, str] = {
    "answer": "your own answer to the prompt",
    "explanation": "at most three sentences that weigh what matters",
    "confidence": "how sure you are of the verdict, a number from 0 to 1",
}


@dataclass(frozen=True, kw_only=True)
class Ballot:
    """A form made from a rubric for a number of shown responses; what is written from it is written once."""

    rubric: Rubric
    form: BallotForm
    n_shown: int

    @cached_property
    def description(self) -> str:
        """The rubric's questions, one a line."""
        return describe_rubric(self.rubric)

    @cached_property
    def instructions(self) -> str:
        """The words that tell a judge how to fill it in."""
        return instruct(self)

    @cached_property
    def format(self) -> AnswerFormat:
        """What the endpoint is asked to hold the reply to."""
        return answer_format(self)


def letters(n_shown: int) -> tuple[str, ...]:
    """The names under which responses are shown: A, B, C, …"""
    if n_shown > len(string.ascii_uppercase):
        raise ValueError(f"{n_shown} responses cannot be compared at once; at most 26 have a letter")
    return tuple(string.ascii_uppercase[:n_shown])


def words_of(criterion: Criterion, ballot: Ballot) -> tuple[str, ...] | None:
    """The words that a verdict may be, as the judge sees them; None where it is one of too many numbers to list."""
    match criterion.scale:
        case NominalScale(labels=labels) | OrdinalScale(labels=labels):
            return labels
        case IntervalScale(min=low, max=high, integer=integer):
            if not integer or high - low >= ENUM_MAX:
                return None
            return tuple(str(number) for number in range(int(low), int(high) + 1))
        case ChoiceScale(tie=tie, both_bad=both_bad):
            return letters(ballot.n_shown) + (TIE,) * tie + (BOTH_BAD,) * both_bad


def number_text(number: float) -> str:
    """A bound of a scale as people write it: 10, not 10.0; 10000000, not 1e+07."""
    return str(int(number)) if number == int(number) else repr(number)


def ballot_schema(ballot: Ballot) -> dict[str, Json]:
    """The JSON schema of a reply: fields first, then one property for each criterion, nothing else."""
    properties: dict[str, Json] = {}
    for field in ballot.form.fields:
        properties[field] = {"type": "number"} if field == "confidence" else {"type": "string"}
    for criterion in ballot.rubric.criteria:
        properties[criterion.id] = _verdict_schema(criterion, ballot)
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


def instruct(ballot: Ballot) -> str:
    """The words that tell a judge how to fill in the ballot."""
    criteria = ballot.rubric.criteria
    if ballot.form.json:
        lines = [f'- "{field}": {_FIELD_MEANING[field]}' for field in ballot.form.fields]
        lines += [f'- "{criterion.id}": {_admissible(criterion, ballot)}' for criterion in criteria]
        return "\n".join(["Reply with one JSON object and nothing else. Its fields, in this order:", *lines])
    verdict = _admissible(criteria[0], ballot)
    if not ballot.form.fields:
        return f"Reply with {verdict}. Write nothing else."
    wanted = ", then ".join(_FIELD_MEANING[field] for field in ballot.form.fields)
    confidence = (
        ' Write the confidence on a line of its own: "Confidence: …".' if "confidence" in ballot.form.fields else ""
    )
    return f'First write {wanted}.{confidence} End with a line of its own: "Verdict: …", {verdict}.'


def describe_rubric(rubric: Rubric) -> str:
    """The rubric's questions, one a line."""
    if len(rubric.criteria) == 1:
        return rubric.criteria[0].question
    return "\n".join(f'- "{criterion.id}": {criterion.question}' for criterion in rubric.criteria)


def _admissible(criterion: Criterion, ballot: Ballot) -> str:
    words = words_of(criterion, ballot)
    scale = criterion.scale
    abstain = f' (or "{CANNOT_ASSESS}" if you cannot tell)' if ballot.form.abstain else ""
    if isinstance(scale, IntervalScale):
        kind = "a whole number" if scale.integer else "a number"
        return f"{kind} from {number_text(scale.min)} (worst) to {number_text(scale.max)} (best){abstain}"
    assert words is not None
    if isinstance(scale, ChoiceScale):
        named = [f"{word} (response {word} is better)" for word in letters(ballot.n_shown)]
        named += [f"{TIE} (equally good)"] * scale.tie + [f"{BOTH_BAD} (none is acceptable)"] * scale.both_bad
        return "one of: " + ", ".join(named) + abstain
    order = ", from worst to best" if isinstance(scale, OrdinalScale) else ""
    return f"one of{order}: " + ", ".join(_shown_words(words, ballot)) + abstain


def _shown_words(words: tuple[str, ...], ballot: Ballot) -> tuple[str, ...]:
    # A label that looks like a number or a truth value would be written as one in JSON; one with a comma as two.
    looks_otherwise = any(re.match(r"[\W\d]|(?i:true|false|null)$", word) or "," in word for word in words)
    return tuple(f'"{word}"' for word in words) if ballot.form.json and looks_otherwise else words


def _verdict_schema(criterion: Criterion, ballot: Ballot) -> Json:
    # Every part has a type and an alternative is an anyOf: the subset that strict structured outputs accept.
    words = words_of(criterion, ballot)
    scale = criterion.scale
    if not isinstance(scale, IntervalScale):
        return {"type": "string", "enum": [*(words or ()), *([CANNOT_ASSESS] if ballot.form.abstain else ())]}
    number: dict[str, Json] = {"type": "integer" if scale.integer else "number"}
    if words is not None:
        number["enum"] = [int(word) for word in words]
    if not ballot.form.abstain:
        return number
    return {"anyOf": [number, {"type": "string", "enum": [CANNOT_ASSESS]}]}


def _written(schema: dict[str, Json]) -> str:
    # The order of properties is the order in which a constrained model writes them, so it must survive:
    # an explanation after the verdict explains nothing. Canonical JSON would sort it away.
    return json.dumps(schema, separators=(",", ":"), allow_nan=False)
