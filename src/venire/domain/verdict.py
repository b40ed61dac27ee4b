"""Verdicts: what the panel decided, with how many votes behind it."""

from dataclasses import dataclass

from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId
from venire.domain.item import Subject
from venire.domain.rubric import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """The panel agreed on a value of the scale."""

    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """An exact tie under the tie policy "fractional": each of these values holds an equal share."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided:
    """No decision, and why: a result of its own, never a tie and never a loss."""

    reason: str


VerdictOutcome = Decided | Shared | Undecided


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The panel's decision on one subject and criterion (or on their combination, "overall")."""

    subject: Subject
    criterion_id: CriterionId
    outcome: VerdictOutcome
    support: float | Undefined
    """Share of the denominator's votes that the decision holds; for a mean, undefined."""
    spread: float | Undefined
    """Labels: chance that two counted votes differ; numbers: population standard deviation of the votes."""
    n_seated: int
    n_counted: int
    missing: tuple[tuple[str, int], ...] = ()
    """Seated judges without a vote, by reason; n_seated = n_counted + their sum."""
