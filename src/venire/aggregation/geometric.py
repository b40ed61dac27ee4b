"""The rule geometric_median: a judge's numbers on an item are one vector, and the panel's is in their midst."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.middle import decide_by_median
from venire.aggregation.result import RuleResult
from venire.coding.votes import CodedVotes
from venire.domain.identity import CriterionId
from venire.domain.item import Subject
from venire.domain.rubric import IntervalScale
from venire.errors import DesignError
from venire.stats.geometric_median import geometric_median

INCOMPLETE = "vector incomplete"
"""Why a vote does not count where its judge misses another part of the vector."""


def decide_by_geometric_median(
    votes: Mapping[CriterionId, CodedVotes], over: Literal["criteria", "responses"]
) -> Mapping[CriterionId, RuleResult]:
    """Decide several numbers at once, by the geometric median of the judges' vectors.

    Use it where a judge may be arbitrarily wrong in a way that looks plausible on each number alone.

    Args:
        votes: of the voting judges, by criterion, all on interval scales.
        over: criteria: a vector holds the criteria of a subject, each put on [0, 1] first; responses: the responses of
            an item, for each criterion by itself. A vector of one number has the median.

    Returns:
        By criterion. A judge's vector counts where it is whole; a vote beside a missing one is itself missing.

    References:
        Acharya, Pan and Verkhovsky (2026), RoPoLL, arXiv:2606.30931.
    """
    scales = [_interval(one) for one in votes.values()]
    if over == "responses":
        return {criterion_id: _over_responses(one) for criterion_id, one in votes.items()}
    if len(votes) == 1:
        return {criterion_id: decide_by_median(one) for criterion_id, one in votes.items()}
    codes = [
        (one.codes - scale.min) / (scale.max - scale.min) for one, scale in zip(votes.values(), scales, strict=True)
    ]
    whole = np.logical_and.reduce([one.present for one in votes.values()])
    points, decided = _medians(np.stack(codes, axis=2), whole)
    results = {}
    for number, ((criterion_id, one), scale) in enumerate(zip(votes.items(), scales, strict=True)):
        values = np.clip(scale.min + points[:, number] * (scale.max - scale.min), scale.min, scale.max)
        results[criterion_id] = RuleResult(
            votes=_only_whole(one, whole), codes=values, decided=decided, is_mean_of_numbers=True
        )
    return results


def _over_responses(votes: CodedVotes) -> RuleResult:
    scale = _interval(votes)
    whole = votes.present.copy()
    codes, decided = np.zeros(len(votes.subjects)), np.zeros(len(votes.subjects), dtype=np.bool_)
    for columns in _by_number_of_responses(votes.subjects):
        of_item = np.logical_and.reduce([votes.present[:, places] for places in columns.T])
        points, some = _medians(votes.codes[:, columns], of_item)
        codes[columns], decided[columns] = np.clip(points, scale.min, scale.max), some[:, None]
        whole[:, columns] = of_item[:, :, None]
    return RuleResult(votes=_only_whole(votes, whole), codes=codes, decided=decided, is_mean_of_numbers=True)


def _by_number_of_responses(subjects: Sequence[Subject]) -> list[NDArray[np.intp]]:
    """The columns of each item's subjects, in tables (n_items, n_responses) of items with equally many."""
    of_item: dict[str, list[int]] = {}
    for column, subject in enumerate(subjects):
        of_item.setdefault(subject.item_id, []).append(column)
    tables: dict[int, list[list[int]]] = {}
    for columns in of_item.values():
        tables.setdefault(len(columns), []).append(columns)
    return [np.array(table, dtype=np.intp) for table in tables.values()]


def _medians(values: NDArray[np.float64], whole: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Geometric medians (n_items, n_dims) of (n_judges, n_items, n_dims), the same in any order of judges."""
    safe = np.where(whole[:, :, None], values, np.inf)
    order = np.lexsort(safe.transpose(2, 1, 0)[::-1]).T
    found = geometric_median(
        np.take_along_axis(np.where(whole[:, :, None], values, 0.0), order[:, :, None], axis=0),
        np.take_along_axis(whole, order, axis=0),
    )
    return found.points, found.defined


def _only_whole(votes: CodedVotes, whole: NDArray[np.bool_]) -> CodedVotes:
    """The votes that are part of a whole vector; the others are missing."""
    if INCOMPLETE not in votes.reasons:
        votes = replace(votes, reasons=(*votes.reasons, INCOMPLETE))
    number = 1 + votes.reasons.index(INCOMPLETE)
    return replace(votes, missing=np.where(votes.present & ~whole, number, votes.missing).astype(np.int16))


def _interval(votes: CodedVotes) -> IntervalScale:
    if not isinstance(votes.scale, IntervalScale):
        raise DesignError(f"rule geometric_median on {votes.scale!r}: it needs numbers. Use majority or plurality.")
    return votes.scale
