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

CUT: frozenset[FailureReason] = frozenset({"truncated", "empty_after_reasoning"})
"""Replies that the token limit ended: the same limit would end the next one, too."""

UNREAD: frozenset[FailureReason] = CUT | {
    "unreadable",
    "ambiguous",
    "contradictory",
    "out_of_range",
    "scale_mismatch",
    "not_an_integer",
    "incomplete_set",
}
"""Failures of a reply that came: the judge may do better when it is asked again."""

Step = Literal["native", "json", "embedded_json", "repaired_json", "truncated_json", "text", "imported", "none"]
"""How the verdict was found: the arguments of a tool call, strict JSON, a JSON object inside other words, JSON that
had to be repaired, JSON that was cut off after the verdict, the text rules, by whoever recorded it, or not at all."""


IMPORTED_READER = 0
"""The reader's version of judgments that were read elsewhere: there is no call behind them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelProbability:
    """How probable one label was where the verdict was written."""

    value: Value
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """The probabilities of the labels at the verdict's own position, by their tokens."""

    labels: tuple[LabelProbability, ...]
    """In the order of the scale; they sum to 1."""
    coverage: float
    """The probability of all of them together before they were made to sum to 1: the rest went elsewhere, or was
    not among the alternatives that the endpoint told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A value on the criterion's scale; in comparisons the index of the better response, tie or both_bad."""

    value: Value
    confidence: float | None = None
    """As the judge stated it, in [0, 1]; None where it was not asked for."""
    preference: float | None = None
    """Of two responses, how much the second of the subject's is preferred, from 0 (the first) to 1; None where the
    ballot's form does not say."""
    distribution: Distribution | None = None
    """None where no probabilities were asked for, or none came."""

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
