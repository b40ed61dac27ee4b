"""Judgments: one annotator's outcome on one subject and criterion. Absence is a type, never a number."""

import math
from dataclasses import dataclass
from typing import Literal

from venire.domain.identity import CallId, CriterionId, JudgeId
from venire.domain.item import Subject
from venire.domain.rubric import Value

FailureReason = Literal[
    "unreadable",  # no verdict found in the reply
    "ambiguous",  # several verdicts, none in the agreed place
    "contradictory",  # two fields of the reply exclude one another
    "out_of_range",  # a number outside the scale
    "scale_mismatch",  # a number given on another scale ("8/20")
    "not_an_integer",
    "truncated",  # cut at the token limit before the verdict was complete
    "empty_after_reasoning",  # the whole budget went into hidden reasoning
    "filtered",  # the provider's content filter
    "refused",  # the model declined to judge
    "incomplete_set",  # a criterion is missing or given twice
    "provider_error",  # no reply at all
    "timeout",
]

Step = Literal["json", "embedded_json", "text", "none"]
"""How the verdict was found: strict JSON, a JSON object inside other words, the text rules, or not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A value on the criterion's scale; in comparisons the index of the better response, tie or both_bad."""

    value: Value
    confidence: float | None = None
    """As the judge stated it, in [0, 1]; None where it was not asked for."""

    def __post_init__(self) -> None:
        if isinstance(self.value, bool) or (isinstance(self.value, float) and not math.isfinite(self.value)):
            raise ValueError(f"value={self.value!r} is no label; labels are words, finite numbers or response indices")


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstention:
    """The annotator says that it cannot assess this."""

    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """No label came: why, in one word of a closed set, and what was seen."""

    reason: FailureReason
    detail: str = ""


Outcome = Label | Abstention | Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgment:
    """One judge's outcome for one draw; derived from a completion, and derivable again for free."""

    subject: Subject
    criterion_id: CriterionId
    judge_id: JudgeId
    shown: tuple[int, ...]
    sample: int
    attempt: int
    call_id: CallId
    outcome: Outcome
    step: Step
    reader_version: int
