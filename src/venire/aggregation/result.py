"""What a rule hands on: decisions, exact ties and, by their absence, the undecided."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes


class Ties(Mapping[int, tuple[float, ...]]):
    """Codes that tie exactly, ascending, by the column of the subject.

    They are looked for only when somebody asks: most tie policies never do, and a replay of a thousand designs
    would spend most of its time on them.
    """

    def __init__(self, columns: NDArray[np.intp], codes_at: Callable[[int], tuple[float, ...]]) -> None:
        """Set up.

        Args:
            columns: the subjects on which there is a tie, ascending.
            codes_at: gives the tied codes of one of them.
        """
        self.columns = columns
        self._codes_at = codes_at

    def __getitem__(self, column: int) -> tuple[float, ...]:
        if column not in self._known:
            raise KeyError(column)
        return self._codes_at(column)

    def __iter__(self) -> Iterator[int]:
        return iter(self.columns.tolist())

    def __len__(self) -> int:
        return len(self.columns)

    @cached_property
    def _known(self) -> frozenset[int]:
        return frozenset(self.columns.tolist())


def no_ties() -> Ties:
    """What a rule hands on that leaves nothing to the tie policy."""
    return Ties(np.zeros(0, dtype=np.intp), lambda _: ())


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleResult:
    """One rule's decision on every subject, before quorum and tie policy."""

    votes: CodedVotes
    """The votes that the rule counted; the mean of choices leaves "both bad" out, other rules count all."""
    codes: NDArray[np.float64]
    """Shape (n_subjects,): the decision, where `decided`."""
    decided: NDArray[np.bool_]
    """Shape (n_subjects,)."""
    tied: Ties = field(default_factory=no_ties)
    """Subjects whose votes tie exactly; where a rule has decided all the same, its decision stands."""
    otherwise: str = "no vote counted"
    """Why a subject is undecided that is neither decided nor tied."""
    is_mean_of_numbers: bool = False
    """Whether decisions are means of numbers, which no single vote need hold."""
    notes: tuple[str, ...] = ()
    """What the rule has to say about itself, such as that it should not be believed here."""

    def at(self, columns: NDArray[np.intp]) -> "RuleResult":
        """The decisions on the subjects in these columns alone, in this order."""
        is_tied = np.isin(columns, self.tied.columns)
        tied, kept = self.tied, columns.tolist()
        return replace(
            self,
            votes=self.votes.at(columns),
            codes=self.codes[columns],
            decided=self.decided[columns],
            tied=Ties(np.flatnonzero(is_tied), lambda place: tied[kept[place]]),
        )
