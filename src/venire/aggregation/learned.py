"""The rules reliability and calibrated: what the votes are worth is learned from gold, never from a subject's own."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.apart import predict_apart
from venire.aggregation.calibrated import learn_calibration
from venire.aggregation.known import Training
from venire.aggregation.reliability import learn_reliability
from venire.aggregation.result import RuleResult
from venire.aggregation.weighted import by_heaviest
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import Aggregation
from venire.domain.identity import CriterionId
from venire.errors import DesignError, UndefinedStatistic
from venire.stats.brier import brier
from venire.stats.log_loss import log_loss

UNLEARNED = "nothing to learn from"


def decide_by_learning(
    votes: CodedVotes, criterion_id: CriterionId, aggregation: Aggregation, training: Training
) -> RuleResult:
    """Decide for the label that weighs most, once the judges' votes have been held against gold.

    A subject with gold is decided by what was learned from the other folds' gold, where folds are made of whole
    groups, so that accuracy against the same gold is honest. A subject without gold is decided by all of it.

    Args:
        votes: of the voting judges, on labels; a choice is between two responses.
        criterion_id: whose gold counts.
        aggregation: the rule, its folds and its seed.
        training: gold, groups and categories over the same subjects.

    Raises:
        DesignError: the votes are numbers or choices among more than two responses, or there is no gold.
    """
    rule = aggregation.rule
    if not votes.labels or votes.n_positions > 2:
        raise DesignError(
            f"rule {rule} on {votes.scale!r} with {votes.n_positions} responses: it needs labels, or a choice of two. "
            "Use plurality."
        )
    if criterion_id not in training.gold:
        raise DesignError(
            f"aggregation.rule {rule} learns from gold, but criterion {criterion_id!r} has none on these subjects. "
            "Give people's labels with --annotations, or use another rule.",
            ("aggregation", "rule"),
        )
    # The same bits whatever the order of judges and subjects.
    raters = sorted(votes.raters)
    columns = np.array(sorted(range(len(votes.subjects)), key=lambda column: votes.subjects[column]), dtype=np.intp)
    sorted_votes = _select(votes.only(raters), columns)
    gold = _select(training.gold[criterion_id], columns)
    groups = [training.groups[column] for column in columns.tolist()]
    if rule == "calibrated":
        learn = learn_calibration(sorted_votes, gold)
    else:
        categories = [training.categories[column] for column in columns.tolist()] if aggregation.by_category else None
        learn = learn_reliability(sorted_votes, gold, categories)
    weighed = predict_apart(learn, gold.present[0], groups, aggregation, len(votes.labels))
    scores = _proper_scores(weighed.weights, gold) if rule == "calibrated" else ()
    held = np.empty((len(votes.labels), len(columns)))
    held[:, columns] = weighed.weights.T
    return replace(
        by_heaviest(votes, np.where(votes.present.any(axis=0), held, 0.0)),
        otherwise=f"{rule}: {UNLEARNED}",
        notes=tuple(f"{rule} on {criterion_id}: {note}" for note in (*weighed.notes, *scores)),
    )


def _proper_scores(chances: NDArray[np.float64], gold: CodedVotes) -> tuple[str, ...]:
    """How good probabilities are on the subjects with gold, none of which taught what decides it."""
    held = gold.present[0] & (chances.sum(axis=1) > 0)
    if not held.any():
        return ()
    chances, truth = chances[held], gold.codes[0, held]
    known_nothing = 1 - 1 / chances.shape[1]
    told = f"on gold the Brier score is {brier(chances, truth).loss:.3f} (0 is best, {known_nothing:.3f} knows nothing)"
    try:
        return (f"{told}, the log loss {log_loss(chances, truth).loss:.3f}.",)
    except UndefinedStatistic:
        return (f"{told}, the log loss undefined: a label of gold was held impossible.",)


def _select(votes: CodedVotes, columns: NDArray[np.intp]) -> CodedVotes:
    return replace(
        votes,
        subjects=tuple(votes.subjects[column] for column in columns.tolist()),
        codes=votes.codes[:, columns],
        missing=votes.missing[:, columns],
    )
