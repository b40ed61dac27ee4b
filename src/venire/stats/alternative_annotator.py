"""The alternative annotator test: whether a judge may stand in for a person."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic
from venire.stats.multiple_tests import benjamini_yekutieli
from venire.stats.student_t import mean_below_test

LEAST_ANNOTATORS, LEAST_SHARED = 3, 30


@dataclass(frozen=True, slots=True, kw_only=True)
class AlternativeAnnotator:
    """The test's outcome."""

    winning_rate: float
    """The share of annotators whom the judge may replace: at least 0.5 passes."""
    passes: bool
    advantage: float
    """The mean chance that the judge is as close to the other annotators as the one left out."""
    p_values: NDArray[np.float64]
    """Shape (n_annotators,): adjusted by Benjamini and Yekutieli."""
    epsilon: float
    n_shared: NDArray[np.intp]
    """Shape (n_annotators,): items that each labelled together with others and the judge."""


def alternative_annotator_test(
    judge: NDArray[np.float64],
    people: NDArray[np.float64],
    judge_present: NDArray[np.bool_],
    people_present: NDArray[np.bool_],
    *,
    epsilon: float = 0.2,
    level: float = 0.05,
    is_label: bool = True,
) -> AlternativeAnnotator:
    """Leave each annotator out in turn and ask who is closer to the others: that annotator or the judge.

    An item counts for both where both are equally close. A judge replaces an annotator where the annotator's share of
    items exceeds the judge's by less than epsilon, the price that the judge's being cheaper is worth.

    Args:
        judge, judge_present: shape (n_items,).
        people, people_present: shape (n_annotators, n_items).
        epsilon: 0.2 where annotators are experts, 0.15 skilled, 0.1 crowd workers.
        level: of the false discovery rate over annotators.
        is_label: labels are alike or not; numbers are compared by their root mean square distance.

    Raises:
        UndefinedStatistic: fewer than 3 annotators, or fewer than 30 items that one of them shares with others.

    References:
        Calderon, Reichart and Dror (2025), The alternative annotator test for LLM-as-a-judge, arXiv:2501.10970.

    Three people of one mind, and a judge that always says the opposite:

    >>> people = np.tile(np.arange(40.0) % 2, (3, 1))
    >>> everybody = np.ones((3, 40), dtype=bool)
    >>> alternative_annotator_test(1 - people[0], people, everybody[0], everybody).winning_rate
    0.0
    >>> alternative_annotator_test(people[0], people, everybody[0], everybody).winning_rate
    1.0
    """
    n_annotators = len(people)
    if n_annotators < LEAST_ANNOTATORS:
        raise UndefinedStatistic(
            f"alternative annotator test: {n_annotators} of at least {LEAST_ANNOTATORS} annotators"
        )
    p_values, advantages, shared = np.zeros(n_annotators), np.zeros(n_annotators), np.zeros(n_annotators, dtype=np.intp)
    for row in range(n_annotators):
        others = np.delete(np.arange(n_annotators), row)
        known = people_present[row] & judge_present & people_present[others].any(axis=0)
        shared[row] = known.sum()
        if shared[row] < LEAST_SHARED:
            raise UndefinedStatistic(
                f"alternative annotator test: an annotator shares {shared[row]} items with others; at least "
                f"{LEAST_SHARED} are needed"
            )
        rest, is_there = people[others][:, known], people_present[others][:, known]
        by_judge = _closeness(judge[known], rest, is_there, is_label=is_label)
        by_person = _closeness(people[row, known], rest, is_there, is_label=is_label)
        judge_wins, person_wins = by_judge >= by_person, by_person >= by_judge
        advantages[row] = judge_wins.mean()
        p_values[row] = mean_below_test(person_wins.astype(float) - judge_wins.astype(float), epsilon).p_value
    adjusted = benjamini_yekutieli(p_values)
    winning_rate = float((adjusted <= level).mean())
    return AlternativeAnnotator(
        winning_rate=winning_rate,
        passes=winning_rate >= 0.5,
        advantage=float(advantages.mean()),
        p_values=adjusted,
        epsilon=epsilon,
        n_shared=shared,
    )


def _closeness(
    one: NDArray[np.float64], others: NDArray[np.float64], present: NDArray[np.bool_], *, is_label: bool
) -> NDArray[np.float64]:
    """How close one rater is to the others on every item; higher is closer."""
    n = present.sum(axis=0)
    if is_label:
        return np.asarray(((others == one) & present).sum(axis=0) / n)
    return np.asarray(-np.sqrt(np.where(present, (others - one) ** 2, 0.0).sum(axis=0) / n))
