"""How a ballot is to be filled in: its form, the fields before the verdict, JSON or text, worked examples."""

import math
from dataclasses import dataclass
from typing import Literal

from venire.domain.identity import CriterionId, Json
from venire.domain.rubric import Value
from venire.errors import DesignError

Form = Literal["label", "likert", "pair", "preference", "rating", "multi", "boolean"]
Field = Literal["answer", "explanation", "confidence"]
Probabilities = Literal["off", "required", "if_supported"]

COMPARING: frozenset[Form] = frozenset({"likert", "pair", "preference"})
"""Forms that say how much better one of two responses is: each gives a preference from 0 to 1."""

STEEPNESS = 0.3
"""Of the sigmoid that turns a difference of two scores into a preference (arXiv:2501.17178, section 4.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A worked example: what was shown, and the ballot as it should have been filled in."""

    prompt: str
    responses: tuple[str, ...]
    reference: str | None = None
    verdicts: tuple[tuple[CriterionId, Value], ...]
    """By criterion; on a choice scale the position of the better response from 0, tie or both_bad."""
    answer: str = ""
    explanation: str = ""
    confidence: float | None = None

    def content(self) -> Json:
        """This example as canonical content."""
        return {
            "prompt": self.prompt,
            "responses": list(self.responses),
            "reference": self.reference,
            "verdicts": [[criterion_id, value] for criterion_id, value in self.verdicts],
            "answer": self.answer,
            "explanation": self.explanation,
            "confidence": self.confidence,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class BallotForm:
    """What a judge is told to write."""

    form: Form | None = None
    """label: a word of the scale; likert: A>>B to B>>A; pair: a score for each of two responses; preference: a
    number from 0 (A) to 1 (B); rating: a number; boolean: yes or no; multi: several criteria, each by its scale.
    None: what each criterion's scale asks for."""
    fields: tuple[Field, ...] = ()
    """Asked for before the verdict, in this order."""
    json: bool = True
    """A JSON object with a schema; otherwise plain text that ends with the verdict."""
    max_tokens: int = 512
    abstain: bool = False
    """Whether the judge is offered `cannot_assess`."""
    steepness: float = STEEPNESS
    """Form pair: preference = 1 / (1 + exp(-steepness (score of B - score of A)))."""
    threshold: float | None = None
    """The rating from which a yes or no in the same ballot must be yes: derived where it is missing, a failure
    where it contradicts."""
    probabilities: Probabilities = "off"
    """Whether the probabilities of the verdict's tokens are asked for and read."""
    examples: tuple[Example, ...] = ()
    """Worked examples, shown before the item."""

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise DesignError(f"ballot.max_tokens is {self.max_tokens!r}; a judge needs at least one token to answer")
        if len(set(self.fields)) < len(self.fields):
            raise DesignError(f"ballot.fields={list(self.fields)!r} repeat one another")
        if not (math.isfinite(self.steepness) and self.steepness > 0):
            raise DesignError(f"ballot.steepness is {self.steepness!r}; it must be above 0 and finite", ("steepness",))
        if self.threshold is not None and not math.isfinite(self.threshold):
            raise DesignError(f"ballot.threshold is {self.threshold!r}; a finite number was expected", ("threshold",))
        # Equal ballots must have equal ids: 1 and 1.0 are written, and so hashed, differently.
        object.__setattr__(self, "steepness", float(self.steepness))
        if self.threshold is not None:
            object.__setattr__(self, "threshold", float(self.threshold))

    def fingerprint(self) -> Json:
        """This form as canonical content; what came later stands in it only where it is used, so old ids last."""
        later: dict[str, Json] = {}
        if self.steepness != STEEPNESS:
            later["steepness"] = self.steepness
        if self.threshold is not None:
            later["threshold"] = self.threshold
        if self.probabilities != "off":
            later["probabilities"] = self.probabilities
        if self.examples:
            later["examples"] = [example.content() for example in self.examples]
        return {
            "form": self.form,
            "fields": list(self.fields),
            "json": self.json,
            "max_tokens": self.max_tokens,
            "abstain": self.abstain,
            **later,
        }
