"""Learning apart: what decides a subject was learned from the gold of other groups."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.domain.aggregation import Aggregation
from venire.errors import UndefinedStatistic
from venire.stats.cross_fitting import assign_folds, cross_fit

Learn = Callable[[NDArray[np.intp], NDArray[np.intp]], NDArray[np.float64]]
"""Learns from the rows of the first array and predicts those of the second: shape (n_rows, n_choices)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """What each choice weighs on every row."""

    weights: NDArray[np.float64]
    """Shape (n_rows, n_choices), 0 or above; nothing where nothing could be learned."""
    notes: tuple[str, ...]


def predict_apart(
    learn: Learn, has_gold: NDArray[np.bool_], groups: Sequence[str], aggregation: Aggregation, n_choices: int
) -> Predicted:
    """Predict rows with gold by what the other folds taught, rows without it by all gold.

    Args:
        learn: what is learned, and how it predicts.
        has_gold: shape (n_rows,); at least one has.
        groups: of each row; folds are made of whole groups.
        aggregation: its folds and its seed; with fewer groups there are fewer folds.
        n_choices: what a prediction has one number for.
    """
    known, unknown = np.flatnonzero(has_gold), np.flatnonzero(~has_gold)
    weights = np.zeros((len(has_gold), n_choices))
    notes = [f"learned from gold on {len(known):,} of {len(has_gold):,}."]
    try:
        weights[unknown] = learn(known, unknown) if len(unknown) else weights[unknown]
    except UndefinedStatistic as reason:
        notes.append(f"What has no gold is undecided: {reason}.")
    places = {name: number for number, name in enumerate(sorted({groups[row] for row in known.tolist()}))}
    numbers = np.array([places[groups[row]] for row in known.tolist()], dtype=np.intp)
    n_folds = min(aggregation.folds, len(places))
    if n_folds < 2:
        notes.append("gold is of one group alone, which stays undecided: nothing else tells of it.")
        return Predicted(weights=weights, notes=tuple(notes))
    if n_folds < aggregation.folds:
        notes.append(f"{len(places)} groups with gold fill {n_folds} of {aggregation.folds} folds.")
    folds = assign_folds(numbers, n_folds=n_folds, seed=aggregation.seed)
    try:
        weights[known] = cross_fit(folds, lambda some, rest: learn(known[some], known[rest]))
    except UndefinedStatistic as reason:
        notes.append(f"What has gold is undecided: {reason}.")
    return Predicted(weights=weights, notes=tuple(notes))
