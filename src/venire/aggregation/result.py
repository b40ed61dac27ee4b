"""What a rule hands on: decisions, exact ties and, by their absence, the undecided."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleResult:
    """One rule's decision on every subject, before quorum and tie policy."""

    votes: CodedVotes
    """The votes that the rule counted; the mean of choices leaves "both bad" out, other rules count all."""
    codes: NDArray[np.float64]
    """Shape (n_subjects,): the decision, where `decided`."""
    decided: NDArray[np.bool_]
    """Shape (n_subjects,)."""
    tied: Mapping[int, tuple[float, ...]] = field(default_factory=dict)
    """Codes that tie exactly, ascending, by the column of the subject; such subjects are not decided."""
    otherwise: str = "no vote counted"
    """Why a subject is undecided that is neither decided nor tied."""
    is_mean_of_numbers: bool = False
    """Whether decisions are means of numbers, which no single vote need hold."""
