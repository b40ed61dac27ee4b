"""The words that tell a judge how to fill in a ballot, and a ballot filled in as a worked example."""

import json
import re
from collections.abc import Mapping

from venire.ballots.form import PAIR_MAX, Ballot, fields_of, form_of, letters, words_of
from venire.domain.ballot import Example
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
    Value,
)

_FIELD_MEANING: Mapping[str, str] = {
    "answer": "your own answer to the prompt",
    "explanation": "at most three sentences that weigh what matters",
    "confidence": "how sure you are of the verdict, a number from 0 to 1",
}
_LIKERT_MEANING = (
    "one of: A>>B (response A is much better), A>B (A is slightly better), A=B (equally good), "
    "B>A (B is slightly better), B>>A (B is much better)"
)
# What a worked example shows where its verdict says which response is better, but not by how much.
_LIKERT_EXAMPLE: Mapping[Value, str] = {0: "A>B", TIE: "A=B", 1: "B>A"}
_PAIR_EXAMPLE: Mapping[Value, tuple[int, int]] = {0: (8, 4), TIE: (6, 6), 1: (4, 8)}
_PREFERENCE_EXAMPLE: Mapping[Value, float] = {0: 0.2, TIE: 0.5, 1: 0.8}


def instruct(ballot: Ballot) -> str:
    """The words that tell a judge how to fill in the ballot."""
    criteria = ballot.rubric.criteria
    if ballot.form.json:
        lines = [f'- "{field}": {_FIELD_MEANING[field]}' for field in ballot.form.fields]
        lines += [
            f'- "{name}": {_admissible(criterion, ballot, position)}'
            for criterion in criteria
            for position, name in enumerate(fields_of(criterion, ballot))
        ]
        return "\n".join(["Reply with one JSON object and nothing else. Its fields, in this order:", *lines])
    if form_of(criteria[0], ballot) == "pair":
        verdict = f'two lines, "Score A: …" and "Score B: …", each {_admissible(criteria[0], ballot)}'
    else:
        verdict = _admissible(criteria[0], ballot)
    if not ballot.form.fields:
        return f"Reply with {verdict}. Write nothing else."
    wanted = ", then ".join(_FIELD_MEANING[field] for field in ballot.form.fields)
    confidence = (
        ' Write the confidence on a line of its own: "Confidence: …".' if "confidence" in ballot.form.fields else ""
    )
    if form_of(criteria[0], ballot) == "pair":
        return f"First write {wanted}.{confidence} End with {verdict}."
    return f'First write {wanted}.{confidence} End with a line of its own: "Verdict: …", {verdict}.'


def describe_rubric(rubric: Rubric) -> str:
    """The rubric's questions, one a line."""
    if len(rubric.criteria) == 1:
        return rubric.criteria[0].question
    return "\n".join(f'- "{criterion.id}": {criterion.question}' for criterion in rubric.criteria)


def number_text(number: float) -> str:
    """A bound of a scale as people write it: 10, not 10.0; 10000000, not 1e+07."""
    return str(int(number)) if number == int(number) else repr(number)


def fill_in(ballot: Ballot, example: Example) -> str:
    """The ballot as a worked example fills it in."""
    verdicts = dict(example.verdicts)
    content: dict[str, Json] = {field: getattr(example, field) for field in ballot.form.fields}
    for criterion in ballot.rubric.criteria:
        written = _example_of(criterion, ballot, verdicts[criterion.id])
        content |= zip(fields_of(criterion, ballot), written, strict=True)
    if ballot.form.json:
        return json.dumps(content, ensure_ascii=False)
    verdict = [content.pop(name) for name in fields_of(ballot.rubric.criteria[0], ballot)]
    lines = [f"Confidence: {text}" if field == "confidence" else str(text) for field, text in content.items()]
    if len(verdict) > 1:
        lines += [f"Score {letter}: {score}" for letter, score in zip(letters(2), verdict, strict=True)]
    else:
        lines.append(f"Verdict: {verdict[0]}" if lines else str(verdict[0]))
    return "\n".join(lines)


def _example_of(criterion: Criterion, ballot: Ballot, value: Value) -> tuple[Json, ...]:
    match form_of(criterion, ballot):
        case "likert":
            return (_LIKERT_EXAMPLE[value],)
        case "pair":
            return _PAIR_EXAMPLE[value]
        case "preference":
            return (_PREFERENCE_EXAMPLE[value],)
        case "boolean":
            is_positive = isinstance(criterion.scale, NominalScale) and value == criterion.scale.positive
            return (is_positive,) if ballot.form.json else ("yes" if is_positive else "no",)
    if isinstance(criterion.scale, ChoiceScale) and isinstance(value, int):
        return (letters(ballot.n_shown)[value],)
    return (value,)


def _admissible(criterion: Criterion, ballot: Ballot, position: int = 0) -> str:
    abstain = f' (or "{CANNOT_ASSESS}" if you cannot tell)' if ballot.form.abstain else ""
    scale = criterion.scale
    match form_of(criterion, ballot):
        case "likert":
            return _LIKERT_MEANING + abstain
        case "pair":
            of = f" for response {letters(2)[position]}" if ballot.form.json else ""
            return f"a whole number from 0 (worst) to {PAIR_MAX} (best){of}{abstain}"
        case "preference":
            return f"a number from 0 (response A is better) to 1 (response B is better), 0.5 if they are even{abstain}"
        case "boolean":
            assert isinstance(scale, NominalScale)
            other = next(label for label in scale.labels if label != scale.positive)
            yes, no = ("true", "false") if ballot.form.json else ("yes", "no")
            return f"{yes} ({scale.positive}) or {no} ({other}){abstain}"
    if isinstance(scale, IntervalScale):
        kind = "a whole number" if scale.integer else "a number"
        return f"{kind} from {number_text(scale.min)} (worst) to {number_text(scale.max)} (best){abstain}"
    words = words_of(criterion, ballot) or ()
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
