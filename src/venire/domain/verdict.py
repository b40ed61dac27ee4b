"""Verdicts: what the panel decided, with how many votes behind it."""

from collections.abc import Iterator, Mapping, Sequence
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What a verdict says, whatever subject it is about; the fields are those of `Verdict`."""

    outcome: VerdictOutcome
    support: float | Undefined
    spread: float | Undefined
    n_seated: int
    n_counted: int
    missing: tuple[tuple[str, int], ...] = ()

    def on(self, subject: Subject, criterion_id: CriterionId) -> Verdict:
        """The verdict on this subject."""
        return Verdict(
            subject=subject,
            criterion_id=criterion_id,
            outcome=self.outcome,
            support=self.support,
            spread=self.spread,
            n_seated=self.n_seated,
            n_counted=self.n_counted,
            missing=self.missing,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulings:
    """The rulings on one criterion; what is decided alike is held once."""

    criterion_id: CriterionId
    kinds: tuple[Ruling, ...]
    number: Sequence[int]
    """By subject, its kind."""

    def of(self, place: int) -> Ruling:
        """The ruling on the subject at this place."""
        return self.kinds[self.number[place]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """The verdicts of a run, made one by one when somebody wants them."""

    subjects: tuple[Subject, ...]
    rulings: tuple[Rulings, ...]
    """One for every criterion, in the rubric's order; the combination of several comes last."""
    after: Mapping[int, Verdict]
    """Verdicts that follow those on the subject at a place: the best of its item's responses."""

    def __iter__(self) -> Iterator[Verdict]:
        """By subject, then by criterion."""
        for place, subject in enumerate(self.subjects):
            for rulings in self.rulings:
                yield rulings.of(place).on(subject, rulings.criterion_id)
            if place in self.after:
                yield self.after[place]
