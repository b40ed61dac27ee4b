"""Signals made ready for a fit: missing ones filled, a column that says so, all with mean 0 and variance 1."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Standardisation:
    """What was learned of the signals of the items that a fit learns from."""

    means: NDArray[np.float64]
    """Shape (n_signals,): of the present values; what a missing one is filled with."""
    deviations: NDArray[np.float64]
    """Shape (n_signals,): 0 where all present values are equal; such a signal says nothing and is left out (as 0)."""
    flagged: NDArray[np.intp]
    """The signals that were present in some items only: each has a second column, 1 where it is missing."""
    shares: NDArray[np.float64]
    """Shape (n_flagged,): how often each of those was missing."""

    @property
    def n_columns(self) -> int:
        """Signals, and one more for each that is flagged."""
        return len(self.means) + len(self.flagged)


def learn_standardisation(signals: NDArray[np.float64], present: NDArray[np.bool_]) -> Standardisation:
    """Learn how to fill and scale signals from the items that a fit learns from.

    Args:
        signals: shape (n_items, n_signals), read only where `present`.
        present: the same shape.

    Raises:
        ValueError: the shapes differ, or a present signal is not finite.

    >>> learnt = learn_standardisation(np.array([[1.0], [3.0], [9.0]]), np.array([[True], [True], [False]]))
    >>> learnt.means.tolist(), learnt.deviations.tolist(), learnt.flagged.tolist()
    ([2.0], [1.0], [0])
    """
    values = checked_signals(signals, present)
    n = present.sum(axis=0)
    means = values.sum(axis=0) / np.maximum(n, 1)
    centred = np.where(present, values - means, 0.0)
    deviations = np.sqrt(np.square(centred).sum(axis=0) / np.maximum(n, 1))
    # What rounding leaves of equal values is no signal.
    deviations[deviations <= 1e-12 * np.maximum(np.abs(means), 1e-300)] = 0.0
    flagged = np.flatnonzero((n > 0) & (n < len(values)))
    return Standardisation(means=means, deviations=deviations, flagged=flagged, shares=1.0 - n[flagged] / len(values))


def standardise(
    learnt: Standardisation, signals: NDArray[np.float64], present: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Fill a missing signal with its mean (0 once standardised) and add the columns that say what is missing.

    A signal that was never missing where it was learned has no such column: where it is missing now, its mean stands.

    Returns:
        Shape (n_items, n_columns): the signals, then the flags of those flagged, all standardised.

    Raises:
        ValueError: the shapes differ from what was learned, or a present signal is not finite.

    >>> seen = np.array([[True], [True], [False], [False]])
    >>> values = np.array([[1.0], [3.0], [0.0], [0.0]])
    >>> standardise(learn_standardisation(values, seen), values, seen).tolist()
    [[-1.0, -1.0], [1.0, -1.0], [0.0, 1.0], [0.0, 1.0]]
    """
    values = checked_signals(signals, present)
    if values.shape[1] != len(learnt.means):
        raise ValueError(f"{values.shape[1]} signals are given, {len(learnt.means)} were learned")
    divisors = np.where(learnt.deviations > 0, learnt.deviations, np.inf)
    columns = np.where(present, values - learnt.means, 0.0) / divisors
    missing = ~present[:, learnt.flagged]
    spread = np.sqrt(learnt.shares * (1.0 - learnt.shares))
    return np.concatenate([columns, (missing - learnt.shares) / spread], axis=1)


def checked_signals(signals: NDArray[np.float64], present: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The present signals, 0 elsewhere; their last axis is the signals.

    Raises:
        ValueError: the shapes differ, or a present signal is not finite.
    """
    if signals.shape != present.shape or signals.ndim < 2:
        raise ValueError(f"signals and present have shapes {signals.shape!r} and {present.shape!r}; they must be equal")
    values = np.where(present, signals, 0.0)
    if not bool(np.isfinite(values).all()):
        place = tuple(int(one) for one in np.argwhere(~np.isfinite(values))[0])
        raise ValueError(f"signal {place!r} is {values[place]!r}; mark what is missing as not present")
    return values
