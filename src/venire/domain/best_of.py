"""The best of n: how it is chosen, why it may stay open, and how often it is gold's."""

from dataclasses import dataclass
from typing import Literal

from venire.domain.finding import Finding, Undefined

BestTie = Literal["strict", "fractional", "random"]
MissingBest = Literal["left_out", "wrong"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOf:
    """How the best of an item's responses is chosen, where each was scored alone."""

    tie: BestTie = "strict"
    """Responses that share the highest score: no choice, an equal part of it for each, or one drawn by lot."""
    missing: MissingBest = "left_out"
    """Which accuracy comes first in a report: of the items with a score for every response, or of all items."""
    seed: int = 0
    """Only with tie "random"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOfMeasure:
    """How the best of n came out, and how often it was the response that gold names."""

    how: BestOf
    n_items: int
    """Items with two responses or more."""
    n_decided: int
    n_shared: int
    """Ties at the top under tie "fractional"."""
    n_tied: int
    """Ties at the top under tie "strict": undecided, and wrong."""
    n_unscored: int
    """Items with a response that has no score."""
    left_out: Finding | Undefined
    """Accuracy over the items with gold and a score for every response."""
    wrong: Finding | Undefined
    """Accuracy over all items with gold; one with a response without a score counts as wrong."""
    chance: float | Undefined
    """Accuracy of a draw among all responses, over all items with gold."""

    @property
    def accuracies(self) -> tuple[Finding | Undefined, Finding | Undefined]:
        """Both, the one first that the design asks for."""
        return (self.left_out, self.wrong) if self.how.missing == "left_out" else (self.wrong, self.left_out)


_NO_SCORE = "best of n: response {} has no score"
_TIED = "best of n: {} responses share the top score"


def no_score(response: int) -> str:
    """Why nothing is chosen where this response has no score."""
    return _NO_SCORE.format(response)


def tied(n_responses: int) -> str:
    """Why nothing is chosen where so many responses lead."""
    return _TIED.format(n_responses)


def is_tied(reason: str) -> bool:
    """Whether nothing was chosen because of a tie at the top."""
    return reason.endswith(_TIED.rpartition("{}")[2])
