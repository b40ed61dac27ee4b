"""Coded votes: what raters said about the same subjects, as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from venire.domain.item import Subject
from venire.domain.rubric import Scale, Value

ShownOrder = Literal["AB", "BA"]
"""AB: the responses were shown in the item's order; BA: in any other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedVotes:
    """One vote of every rater on every subject, for one criterion.

    A rater is a judge, the panel, gold or a person. Label scales are coded 0 … n_labels − 1 in the scale's own
    order; a choice is coded by its position among the subject's responses, then tie, then both bad. Interval
    scales are coded by the number itself. `codes` means something only where `missing` is 0.
    """

    scale: Scale
    labels: tuple[Value, ...]
    """What each code stands for; empty on an interval scale. On a choice scale positions, not response indices."""
    raters: tuple[str, ...]
    subjects: tuple[Subject, ...]
    codes: NDArray[np.float64]
    """Shape (n_raters, n_subjects)."""
    missing: NDArray[np.int16]
    """Shape (n_raters, n_subjects): 0 where there is a vote, else 1 + index into `reasons`."""
    reasons: tuple[str, ...]
    """Why votes are missing, such as "unreadable", "abstained" or "samples tied"."""

    @property
    def present(self) -> NDArray[np.bool_]:
        """Where there is a vote: shape (n_raters, n_subjects)."""
        return np.asarray(self.missing == 0, dtype=np.bool_)

    @property
    def n_positions(self) -> int:
        """On a choice scale how many positions have a code, before tie and both bad; 0 on other scales."""
        return sum(isinstance(label, int) for label in self.labels)

    def rater(self, name: str) -> int:
        """The row of this rater."""
        return self.raters.index(name)

    def at(self, columns: NDArray[np.intp]) -> "CodedVotes":
        """The votes on the subjects in these columns alone, in this order."""
        subjects = tuple(self.subjects[column] for column in columns.tolist())
        return replace(self, subjects=subjects, codes=self.codes[:, columns], missing=self.missing[:, columns])

    def only(self, names: Sequence[str]) -> "CodedVotes":
        """The votes of these raters alone, in this order."""
        rows = [self.rater(name) for name in names]
        return replace(self, raters=tuple(names), codes=self.codes[rows], missing=self.missing[rows])


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Draw:
    """Which of a judge's answers about a subject: in which order shown, and which sample."""

    order: ShownOrder
    sample: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedDraws:
    """Every draw of every judge on every subject, for one criterion; coded as `CodedVotes` are."""

    scale: Scale
    labels: tuple[Value, ...]
    raters: tuple[str, ...]
    subjects: tuple[Subject, ...]
    draws: tuple[Draw, ...]
    """Sorted by order, then sample."""
    codes: NDArray[np.float64]
    """Shape (n_judges, n_subjects, n_draws)."""
    missing: NDArray[np.int16]
    """Shape (n_judges, n_subjects, n_draws): 0 where there is a label, else 1 + index into `reasons`."""
    reasons: tuple[str, ...]

    @property
    def present(self) -> NDArray[np.bool_]:
        """Where there is a label: shape (n_judges, n_subjects, n_draws)."""
        return np.asarray(self.missing == 0, dtype=np.bool_)
