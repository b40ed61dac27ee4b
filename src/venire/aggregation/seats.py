"""Seats: who of the voting judges is counted on each subject, and why the others are not."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.result import RuleResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats:
    """Who of the voting judges is counted on each subject."""

    n_seated: int
    n_counted: list[int]
    missing: list[tuple[tuple[str, int], ...]]
    """By subject: reasons with the judges that they hold for, sorted."""


def seats_of(result: RuleResult) -> Seats:
    """The seats on one criterion."""
    return _seats(result.votes.missing, result.votes.reasons)


def seats_on_all(results: Sequence[RuleResult]) -> Seats:
    """A judge is counted on a combination where its vote counts on every criterion.

    Its reason is that of the first criterion, in the rubric's order, on which it is missing.
    """
    return _seats(*_missing_on_any(results))


def seats_on_items(results: Sequence[RuleResult], columns: Sequence[Sequence[int]]) -> Seats:
    """A judge is counted on an item where its vote counts on every criterion of every one of its responses.

    Args:
        columns: by item, those of its subjects.
    """
    missing, reasons = _missing_on_any(results)
    of_items = np.zeros((len(missing), len(columns)), dtype=np.int16)
    for place, own in enumerate(columns):
        parts = missing[:, list(own)]
        of_items[:, place] = parts[np.arange(len(parts)), (parts != 0).argmax(axis=1)]
    return _seats(of_items, reasons)


def _missing_on_any(results: Sequence[RuleResult]) -> tuple[NDArray[np.int16], tuple[str, ...]]:
    reasons = tuple(sorted({reason for result in results for reason in result.votes.reasons}))
    missing = np.zeros_like(results[0].votes.missing)
    for result in results:
        own = [0, *(1 + reasons.index(reason) for reason in result.votes.reasons)]
        missing = np.where(missing == 0, np.array(own, dtype=np.int16)[result.votes.missing], missing)
    return missing, reasons


def _seats(missing: NDArray[np.int16], reasons: tuple[str, ...]) -> Seats:
    n_seated = len(missing)
    n_counted = (missing == 0).sum(axis=0).tolist()
    by_reason: list[tuple[tuple[str, int], ...]] = [()] * len(n_counted)
    for column in np.flatnonzero((missing != 0).any(axis=0)).tolist():
        names = (reasons[number - 1] for number in missing[:, column].tolist() if number)
        by_reason[column] = tuple(sorted(Counter(names).items()))
    return Seats(n_seated=n_seated, n_counted=n_counted, missing=by_reason)
