"""Preferences: which of two responses a panel prefers, for training."""

from dataclasses import dataclass

from venire.domain.identity import ItemId


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """One preferred response beside another of the same item."""

    item_id: ItemId
    chosen: int
    """Index of the response in the item."""
    rejected: int
    margin: float
    """Comparisons: the chosen one's share of the votes minus the other's. Responses scored alone: the difference of
    their mean scores, on the scale's own points; of two labels, of their shares of the positive one."""
    confidence: float
    """The share of judges behind it: that chose it, or that scored it higher (equal scores by half)."""
    n_judges: int
    """Whose votes count here."""
