"""The best of n under the rule calibrated: the most probable one by a conditional logit on all scores."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.apart import predict_apart
from venire.aggregation.best_of_n import EQUAL, Contest, settle_best
from venire.aggregation.known import Training
from venire.aggregation.result import RuleResult
from venire.domain.aggregation import Aggregation
from venire.domain.best_of import BestOf, no_score
from venire.domain.identity import BEST_OF_N
from venire.domain.verdict import Undecided, VerdictOutcome
from venire.errors import DesignError
from venire.stats.conditional_logit import choice_probabilities, conditional_logit

NOTHING_LEARNED = Undecided(reason="best of n: nothing to learn from")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What was chosen in each contest, in their order."""

    outcomes: tuple[VerdictOutcome, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scores:
    """Every judge's scores of every response."""

    values: NDArray[np.float64]
    """Shape (n_items, n_responses, n_judges × n_criteria)."""
    present: NDArray[np.bool_]
    """The same shape."""
    is_offered: NDArray[np.bool_]
    """Shape (n_items, n_responses): False where an item has fewer responses."""


def choose_by_logit(
    contests: Sequence[Contest],
    results: Sequence[RuleResult],
    training: Training,
    how: Aggregation,
    is_scored: NDArray[np.bool_],
) -> Choices:
    """Choose the response that all judges' scores on all criteria make the most probable best one.

    It learns from gold that names the best response; an item with gold is decided by other groups' gold.

    Args:
        contests: the items with several responses.
        results: on every criterion; their votes are what is learned from.
        training: the best responses that people named, and the groups.
        how: its folds, its seed, and what becomes of a tie at the top.
        is_scored: shape (n_subjects,); a response without a score leaves its item open.

    Raises:
        DesignError: nobody has named the best response of any item.
    """
    if not contests or how.best_of is None:
        return Choices(outcomes=(), notes=())
    order = sorted(range(len(contests)), key=lambda place: contests[place].subject)
    items = [contests[place] for place in order]
    named = [training.best.get(item.subject) for item in items]
    has_gold = np.array([value is not None for value in named], dtype=np.bool_)
    if not has_gold.any():
        raise DesignError(
            f"aggregation.rule calibrated with best_of learns from gold, but nobody has named the best response of any "
            f"item (criterion {BEST_OF_N}). Give people's labels with --annotations, or use another rule.",
            ("aggregation", "rule"),
        )
    scores = _scores_of(items, results)
    chosen = np.array(
        [
            item.subject.responses.index(value) if value is not None else 0
            for item, value in zip(items, named, strict=True)
        ],
        dtype=np.intp,
    )

    def learn(some: NDArray[np.intp], rest: NDArray[np.intp]) -> NDArray[np.float64]:
        values, present, offered = scores.values, scores.present, scores.is_offered
        fit = conditional_logit(values[some], present[some], offered[some], chosen[some])
        return choice_probabilities(fit, values[rest], present[rest], offered[rest])

    groups = [training.groups[item.columns[0]] for item in items]
    predicted = predict_apart(learn, has_gold, groups, how, scores.is_offered.shape[1])
    outcomes: list[VerdictOutcome] = [NOTHING_LEARNED] * len(contests)
    for row, (place, item) in enumerate(zip(order, items, strict=True)):
        outcomes[place] = _choose(item, is_scored[list(item.columns)], predicted.weights[row], how.best_of)
    return Choices(
        outcomes=tuple(outcomes), notes=tuple(f"calibrated on {BEST_OF_N}: {note}" for note in predicted.notes)
    )


def _choose(
    item: Contest, is_scored: NDArray[np.bool_], chances: NDArray[np.float64], best_of: BestOf
) -> VerdictOutcome:
    responses = item.subject.responses
    for place, response in enumerate(responses):
        if not is_scored[place]:
            return Undecided(reason=no_score(response))
    own = chances[: len(responses)]
    if not own.any():
        return NOTHING_LEARNED
    leaders = np.flatnonzero(own >= own.max() - EQUAL).tolist()
    return settle_best(item.subject, [responses[place] for place in leaders], best_of)


def _scores_of(items: Sequence[Contest], results: Sequence[RuleResult]) -> _Scores:
    n_most = max(len(item.columns) for item in items)
    columns = np.zeros((len(items), n_most), dtype=np.intp)
    is_offered = np.zeros(columns.shape, dtype=np.bool_)
    for row, item in enumerate(items):
        columns[row, : len(item.columns)] = item.columns
        is_offered[row, : len(item.columns)] = True
    # Judges sorted by name: the same bits in any order of theirs.
    rows = [(result.votes, result.votes.rater(name)) for result in results for name in sorted(result.votes.raters)]
    values = np.stack([np.where(votes.present[row], votes.codes[row], 0.0)[columns] for votes, row in rows], axis=2)
    present = np.stack([votes.present[row][columns] for votes, row in rows], axis=2) & is_offered[:, :, None]
    return _Scores(values=values, present=present, is_offered=is_offered)
