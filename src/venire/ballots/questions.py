"""What was asked, said in a few words: a short form or an object of expectations becomes a ballot."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from venire.ballots.form import Ballot
from venire.domain.ballot import COMPARING, BallotForm, Form
from venire.domain.fitting import check_ballot
from venire.domain.identity import CriterionId
from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, NominalScale, Rubric, Scale
from venire.errors import DesignError, UsageError

YES_NO = NominalScale(labels=("yes", "no"))
USUAL_NAMES = ("score", "rating", "label", "verdict", "grade", "winner", "answer", "judgment", "value", "preference")
"""What judges call their verdict: of a short form the name of the field is not known."""

_RESERVED = ("answer",)
_BOUNDS = re.compile(r"(-?\d+(?:\.\d+)?)\s*(?:\.\.|-|to)\s*(-?\d+(?:\.\d+)?)")
_SHORT = "rating:1-10, label:correct,incorrect, multi:accuracy,tone, boolean, choice, likert, pair or preference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A ballot, and the other names under which its one verdict may stand."""

    ballot: Ballot
    alternatives: tuple[Ballot, ...] = ()
    """The same ballot with its criterion named otherwise."""
    share_of_yes: bool = False
    """Whether the value is the share of criteria that hold."""


def question_of_form(text: str) -> Question:
    """The question of a short form, such as rating:1-10 or label:correct,incorrect.

    Raises:
        UsageError: it is none.
    """
    kind, _, rest = text.strip().partition(":")
    words = tuple(word.strip() for word in rest.split(",") if word.strip())
    match kind.strip().casefold():
        case "rating" | "score":
            return _one(_interval(rest, integer="." not in rest.replace("..", "")))
        case "label" | "nominal":
            return _one(NominalScale(labels=words))
        case "multi" | "criteria":
            return _several(words)
        case "boolean":
            return _one(YES_NO, form="boolean")
        case "choice" | "pairwise":
            return _one(ChoiceScale(tie=not words or "tie" in words, both_bad="both_bad" in words))
        case "likert" | "pair" | "preference" as form:
            return _one(ChoiceScale(), form=form)
    raise UsageError(f"--form {text!r} is not known; give {_SHORT}")


def question_of_expectations(expects: Mapping[str, Any]) -> Question:
    """The question of an object of expectations: its form, and what goes with that.

    score: min, max, integer. object: fields by name, each "low..high" or bool, and a threshold. label, grade: labels.
    pairwise: labels, of which tie may be one. criteria: ids, each answered by yes or no.

    Raises:
        UsageError: the object says nothing that can be asked.
    """
    try:
        match expects:
            case {"form": "score", "min": low, "max": high}:
                scale = IntervalScale(min=low, max=high, integer=bool(expects.get("integer", False)))
                return Question(ballot=_ballot({"score": scale}))
            case {"form": "object", "fields": {**fields}}:
                scales = {str(name): _field(kind) for name, kind in fields.items()}
                return Question(ballot=_ballot(scales, threshold=expects.get("threshold")))
            case {"form": "label" | "grade" as name, "labels": [*labels]}:
                return Question(ballot=_ballot({name: NominalScale(labels=tuple(map(str, labels)))}))
            case {"form": "pairwise", "labels": [*labels]}:
                scale_of_choice = ChoiceScale(tie="tie" in labels, both_bad="both_bad" in labels)
                return Question(ballot=_ballot({"winner": scale_of_choice}))
            case {"form": "criteria", "ids": [*ids]}:
                return _several([str(name) for name in ids])
    except (DesignError, TypeError, ValueError) as error:
        raise UsageError(f"--expects {dict(expects)!r} cannot be asked: {error}") from error
    raise UsageError(
        f"--expects {dict(expects)!r} is not known; give an object such as "
        '{"form": "score", "min": 1, "max": 10} or {"form": "label", "labels": ["correct", "incorrect"]}'
    )


def _one(scale: Scale, form: Form | None = None) -> Question:
    names = [name for name in USUAL_NAMES if name not in _RESERVED]
    first, *others = (_ballot({name: scale}, form=form) for name in names)
    return Question(ballot=first, alternatives=tuple(others))


def _several(names: Sequence[str]) -> Question:
    if not names:
        raise UsageError("no criterion is named; give for example multi:accuracy,tone")
    return Question(ballot=_ballot(dict.fromkeys(names, YES_NO)), share_of_yes=True)


def _ballot(scales: Mapping[str, Scale], form: Form | None = None, threshold: float | None = None) -> Ballot:
    criteria = [
        Criterion(id=CriterionId(name), question="What was asked", scale=scale) for name, scale in scales.items()
    ]
    rubric = Rubric(criteria=tuple(criteria))
    compares = form in COMPARING or any(isinstance(scale, ChoiceScale) for scale in scales.values())
    ballot = BallotForm(form=form, threshold=threshold)
    check_ballot(ballot, rubric, "pairwise" if compares else "pointwise")
    return Ballot(rubric=rubric, form=ballot, n_shown=2 if compares else 1)


def _field(kind: object) -> Scale:
    if kind in ("bool", "boolean"):
        return YES_NO
    return _interval(str(kind), integer=False)


def _interval(text: str, *, integer: bool) -> IntervalScale:
    bounds = _BOUNDS.fullmatch(text.strip())
    if bounds is None:
        raise UsageError(f"{text!r} is no scale; write its ends, such as 1-10")
    return IntervalScale(min=float(bounds[1]), max=float(bounds[2]), integer=integer)
