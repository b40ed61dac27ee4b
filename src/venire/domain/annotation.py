"""What people say: annotations, and the gold labels derived from them."""

from dataclasses import dataclass
from typing import Literal

from venire.domain.identity import CriterionId
from venire.domain.item import Subject
from venire.domain.rubric import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """One person's label for one subject and criterion."""

    subject: Subject
    criterion_id: CriterionId
    annotator: str
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """A label trusted for a stated reason."""

    subject: Subject
    criterion_id: CriterionId
    value: Value
    reason: Literal["given", "majority"]
    n_annotators: int


GIVEN = "given"
"""The annotator's name under which an item's own `gold` field is kept."""
