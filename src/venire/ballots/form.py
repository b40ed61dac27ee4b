"""The form of a ballot: from a rubric to the fields, the schema and the words that tell a judge what to write."""

import string
from collections.abc import Mapping
from dataclasses import dataclass

from venire.domain.ballot import BallotForm
from venire.domain.call import AnswerFormat
from venire.domain.identity import Json, canonical_json
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """A form made from a rubric for a number of shown responses."""

    rubric: Rubric
    form: BallotForm
    n_shown: int


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
            n_points = int(high - low) + 1
            return tuple(str(int(low) + step) for step in range(n_points)) if integer and n_points <= ENUM_MAX else None
        case ChoiceScale(tie=tie, both_bad=both_bad):
            return letters(ballot.n_shown) + (TIE,) * tie + (BOTH_BAD,) * both_bad


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
        return AnswerFormat(kind="json_schema", schema=_ordered_json(ballot_schema(ballot)))
    words = words_of(ballot.rubric.criteria[0], ballot)
    if words is not None and not ballot.form.fields:
        return AnswerFormat(kind="one_of", words=words + (CANNOT_ASSESS,) * ballot.form.abstain)
    return AnswerFormat(kind="text")


def instruct(ballot: Ballot) -> str:
    """The words that tell a judge how to fill in the ballot."""
    verdicts = [
        f'"{criterion.id}": {_admissible(criterion, ballot)}'
        if ballot.form.json
        else f"{_admissible(criterion, ballot)}"
        for criterion in ballot.rubric.criteria
    ]
    fields = [f'"{field}": {_FIELD_MEANING[field]}' for field in ballot.form.fields]
    if ballot.form.json:
        lines = "\n".join(f"- {line}" for line in [*fields, *verdicts])
        return f"Reply with one JSON object and nothing else. Its fields, in this order:\n{lines}"
    if not ballot.form.fields:
        return f"Reply with the verdict alone, {verdicts[0]}, and nothing else."
    wanted = ", then ".join(_FIELD_MEANING[field] for field in ballot.form.fields)
    confidence = (
        ' Write the confidence on a line of its own: "Confidence: …".' if "confidence" in ballot.form.fields else ""
    )
    return f'First write {wanted}.{confidence} End with a line of its own: "Verdict: …", {verdicts[0]}.'


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
        return f"{kind} from {scale.min:g} (worst) to {scale.max:g} (best){abstain}"
    assert words is not None
    if isinstance(scale, ChoiceScale):
        named = [f"{word} (response {word} is better)" for word in letters(ballot.n_shown)]
        named += [f"{TIE} (equally good)"] * scale.tie + [f"{BOTH_BAD} (none is acceptable)"] * scale.both_bad
        return "one of: " + ", ".join(named) + abstain
    order = ", from worst to best" if isinstance(scale, OrdinalScale) else ""
    return f"one of{order}: " + ", ".join(words) + abstain


def _verdict_schema(criterion: Criterion, ballot: Ballot) -> Json:
    words = words_of(criterion, ballot)
    abstain: list[Json] = [CANNOT_ASSESS] if ballot.form.abstain else []
    if isinstance(criterion.scale, IntervalScale):
        if words is not None:
            return {"enum": [*(int(word) for word in words), *abstain]}
        number: Json = {"type": "integer" if criterion.scale.integer else "number"}
        return {"anyOf": [number, {"enum": abstain}]} if abstain else number
    return {"type": "string", "enum": [*(words or ()), *abstain]}


def _ordered_json(schema: dict[str, Json]) -> str:
    # The order of properties is the order in which a constrained model writes them, so it must survive:
    # an explanation after the verdict explains nothing. Canonical JSON would sort it away.
    properties = schema["properties"]
    assert isinstance(properties, dict)
    inner = ",".join(f"{canonical_json(name)}:{canonical_json(body)}" for name, body in properties.items())
    required = canonical_json(list(properties))
    return f'{{"type":"object","properties":{{{inner}}},"required":{required},"additionalProperties":false}}'
