"""The rules reliability and calibrated: what the votes are worth is learned from gold, never from a subject's own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.calibrated import learn_calibration
from venire.aggregation.known import Training
from venire.aggregation.reliability import learn_reliability
from venire.aggregation.result import RuleResult
from venire.aggregation.weighted import by_heaviest
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import Aggregation
from venire.domain.identity import CriterionId
from venire.errors import DesignError, UndefinedStatistic
from venire.stats.cross_fitting import assign_folds, cross_fit

Columns = NDArray[np.intp]
Learn = Callable[[Columns, Columns], NDArray[np.float64]]
"""Learns from the subjects of the first array and weighs every label on those of the second: (n_subjects, n_labels)."""

UNLEARNED = "nothing to learn from"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighed:
    """What each label holds on every subject."""

    held: NDArray[np.float64]
    """Shape (n_subjects, n_labels), 0 or above; nothing where nothing could be learned."""
    notes: tuple[str, ...]


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
    weighed = _weigh_apart(learn, gold, groups, aggregation, len(votes.labels))
    held = np.empty((len(votes.labels), len(columns)))
    held[:, columns] = weighed.held.T
    return replace(
        by_heaviest(votes, np.where(votes.present.any(axis=0), held, 0.0)),
        otherwise=f"{rule}: {UNLEARNED}",
        notes=tuple(f"{rule} on {criterion_id}: {note}" for note in weighed.notes),
    )


def _weigh_apart(
    learn: Learn, gold: CodedVotes, groups: Sequence[str], aggregation: Aggregation, n_labels: int
) -> _Weighed:
    """Weigh every subject by what was learned from other groups' gold."""
    known = gold.present[0]
    with_gold, without = np.flatnonzero(known), np.flatnonzero(~known)
    held = np.zeros((len(known), n_labels))
    notes = [f"learned from gold on {len(with_gold):,} of {len(known):,} subjects."]
    try:
        held[without] = learn(with_gold, without) if len(without) else held[without]
    except UndefinedStatistic as reason:
        notes.append(f"Subjects without gold are undecided: {reason}.")
    places = {name: number for number, name in enumerate(sorted({groups[column] for column in with_gold.tolist()}))}
    numbers = np.array([places[groups[column]] for column in with_gold.tolist()], dtype=np.intp)
    n_groups = len(places)
    n_folds = min(aggregation.folds, n_groups)
    if n_folds < aggregation.folds:
        notes.append(f"{n_groups} groups with gold fill {n_folds} of {aggregation.folds} folds.")
    if n_folds < 2:
        notes.append("Gold is of one group alone, so that its own subjects are undecided: nothing else tells of them.")
        return _Weighed(held=held, notes=tuple(notes))
    folds = assign_folds(numbers, n_folds=n_folds, seed=aggregation.seed)
    try:
        held[with_gold] = cross_fit(folds, lambda some, rest: learn(with_gold[some], with_gold[rest]))
    except UndefinedStatistic as reason:
        notes.append(f"Subjects with gold are undecided: {reason}.")
    return _Weighed(held=held, notes=tuple(notes))


def _select(votes: CodedVotes, columns: Columns) -> CodedVotes:
    return replace(
        votes,
        subjects=tuple(votes.subjects[column] for column in columns.tolist()),
        codes=votes.codes[:, columns],
        missing=votes.missing[:, columns],
    )
