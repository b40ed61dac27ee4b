"""Collected: all that a run has stored, coded once, as the arrays from which every other design is derived."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedDraws, CodedVotes, Draw
from venire.domain.design import Design
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.item import Item, Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawCosts:
    """What every draw of every judge has cost, re-asked ballots and failed round trips included.

    One round trip may bring several samples: its input is billed once, to the first of them, its output in equal
    parts. What was asked once for several subjects is billed to the first of them.
    """

    draws: tuple[Draw, ...]
    """Sorted by order, then sample."""
    usd: NDArray[np.float64]
    """Shape (n_judges, n_subjects, n_draws); means something only where `known`."""
    known: NDArray[np.bool_]
    """Shape (n_judges, n_subjects, n_draws)."""
    unknown: Mapping[JudgeId, str]
    """By judge, why some of its draws have no known cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """Everything that a run has collected; whatever a design says of it needs no call and no second reading."""

    design: Design
    items: tuple[Item, ...]
    """The run's, without their words."""
    subjects: tuple[Subject, ...]
    groups: tuple[str, ...]
    """The group of each subject's item."""
    categories: tuple[str | None, ...]
    """The category of each subject's item; None: it has none."""
    draws: Mapping[CriterionId, CodedDraws]
    """By criterion; all judges of the design, also those that do not vote."""
    gold: Mapping[CriterionId, CodedVotes]
    """By criterion, as one rater "gold" over the same subjects; no entry where nobody labelled any of them."""
    costs: DrawCosts
    people: Mapping[CriterionId, CodedVotes] = field(default_factory=dict)
    """By criterion, every person that labelled some of the subjects; no entry where nobody did."""

    @property
    def judge_ids(self) -> tuple[JudgeId, ...]:
        """The judges in the order of the arrays' first axis."""
        return tuple(judge.id for judge in self.design.judges)

    def rows_of(self, judge_ids: Sequence[JudgeId]) -> NDArray[np.intp]:
        """The rows of these judges in the arrays."""
        return np.array([self.judge_ids.index(judge_id) for judge_id in judge_ids], dtype=np.intp)
