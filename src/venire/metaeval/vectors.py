"""Vectors: the votes of a run on an item's criteria, or on its responses, as one vector of every judge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes
from venire.domain.identity import CriterionId
from venire.domain.rubric import ChoiceScale, IntervalScale, OrdinalScale
from venire.domain.stress import Over
from venire.errors import UsageError
from venire.metaeval.stressed_votes import LabelKind, Mask, Numbers, StressedVotes

NO_GOLD = "no gold"
NO_VOTE = "no judge has voted on all of it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vectors:
    """The items that can be stressed, and how many others there are."""

    votes: StressedVotes
    kept: Mask
    """Which of all items these are."""
    left_out: tuple[tuple[str, int], ...]
    """Items without a vector or without gold, by reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Places:
    """Which votes make the vectors: criteria and columns, both (n_items, n_dims); column −1: the item lacks it."""

    criteria: NDArray[np.intp]
    columns: NDArray[np.intp]

    @property
    def lacking(self) -> Mask:
        return np.asarray(self.columns < 0, dtype=np.bool_)

    def take(self, of_criteria: Sequence[NDArray[np.generic]]) -> Numbers:
        """From one (n_raters, n_subjects) for each criterion to (n_raters, n_items, n_dims)."""
        stacked = np.stack(of_criteria).astype(np.float64)
        return np.moveaxis(stacked[self.criteria, :, self.columns], -1, 0)


def number_vectors(
    votes: Mapping[CriterionId, CodedVotes], golds: Mapping[CriterionId, CodedVotes], over: Over
) -> Vectors:
    """Make vectors of numbers; where scales differ, every one is put on 0 … 1.

    Args:
        votes: by criterion, of the judges that are stressed.
        golds: by criterion, one rater over the same subjects; gold counts where an item has all of it.
        over: what a vector holds; responses need one criterion.

    Raises:
        UsageError: no item has a whole vector of any judge, or responses were not judged one by one.
    """
    keys = list(votes)
    places = _places(votes[keys[0]], len(keys), over)
    lacking = places.lacking
    ends = np.array([[scale.min, scale.max] for scale in map(interval_of, votes.values())])[places.criteria]
    low, high = ends[..., 0], ends[..., 1]
    shift, unit = (low, high - low) if scales_differ(votes) else (np.zeros_like(low), np.ones_like(low))

    def scaled(values: Numbers) -> Numbers:
        return np.where(lacking, 0.0, (values - shift) / unit)

    present = places.take([one.present for one in votes.values()]) > 0
    gold, has_gold = None, np.ones(len(lacking), dtype=np.bool_)
    if set(golds) >= set(keys):
        labelled = places.take([golds[key].present for key in keys])[0] > 0
        gold, has_gold = scaled(places.take([golds[key].codes for key in keys])[0]), _all(labelled | lacking)
    stressed = StressedVotes(
        values=np.where(present, scaled(places.take([one.codes for one in votes.values()])), 0.0),
        present=present | lacking,
        low=scaled(low),
        high=scaled(high),
        zero=scaled(np.zeros_like(low)),
        gold=gold,
    )
    return _usable(stressed, has_gold)


def label_vectors(votes: CodedVotes, gold: CodedVotes | None) -> Vectors:
    """Make vectors of one label; the responses that a choice is among are its labels.

    Raises:
        UsageError: no subject has a vote (and gold, where there is any).
    """
    shape = (len(votes.subjects), 1)
    is_choice = isinstance(votes.scale, ChoiceScale)
    n_labels = [len(subject.responses) if is_choice else len(votes.labels) for subject in votes.subjects]
    stressed = StressedVotes(
        values=np.where(votes.present, votes.codes, 0.0)[:, :, None],
        present=votes.present[:, :, None],
        low=np.zeros(shape),
        high=np.array(n_labels, dtype=np.float64)[:, None] - 1,
        zero=np.zeros(shape),
        gold=None if gold is None else gold.codes[0][:, None],
        labels=LabelKind(n_labels=np.array(n_labels, dtype=np.intp), is_ordered=isinstance(votes.scale, OrdinalScale)),
    )
    return _usable(stressed, np.ones(shape[0], dtype=np.bool_) if gold is None else gold.present[0])


def interval_of(votes: CodedVotes) -> IntervalScale:
    """The scale of votes that are numbers.

    Raises:
        UsageError: they are labels.
    """
    if not isinstance(votes.scale, IntervalScale):
        raise UsageError(f"{votes.scale!r} holds no numbers; numbers were expected")
    return votes.scale


def scales_differ(votes: Mapping[CriterionId, CodedVotes]) -> bool:
    """Whether criteria have unlike scales."""
    return len({(scale.min, scale.max) for scale in map(interval_of, votes.values())}) > 1


def _places(votes: CodedVotes, n_criteria: int, over: Over) -> _Places:
    if over == "criteria":
        columns = np.repeat(np.arange(len(votes.subjects))[:, None], n_criteria, axis=1)
        return _Places(criteria=np.broadcast_to(np.arange(n_criteria), columns.shape), columns=columns)
    of_item: dict[str, list[int]] = {}
    for column, subject in enumerate(votes.subjects):
        if len(subject.responses) != 1:
            raise UsageError("judges of this run compare responses; a vector over responses needs a number for each")
        of_item.setdefault(subject.item_id, []).append(column)
    width = max(map(len, of_item.values()), default=1)
    table = np.array([[*columns, *[-1] * (width - len(columns))] for columns in of_item.values()], dtype=np.intp)
    return _Places(criteria=np.zeros_like(table), columns=table)


def _usable(stressed: StressedVotes, has_gold: Mask) -> Vectors:
    """The items with gold and a whole vector of at least one judge."""
    voted = np.asarray(stressed.present.all(axis=2).any(axis=0), dtype=np.bool_)
    kept = has_gold & voted
    if not kept.any():
        raise UsageError(
            f"None of {len(kept)} subjects can be stressed: {int((~voted).sum())} have no whole vector of any judge, "
            f"{int((~has_gold).sum())} no gold. Choose other criteria: --criterion ID."
        )
    left_out = ((NO_GOLD, int((~has_gold).sum())), (NO_VOTE, int((has_gold & ~voted).sum())))
    return Vectors(votes=stressed.on(kept), kept=kept, left_out=tuple((reason, n) for reason, n in left_out if n))


def _all(mask: Mask) -> Mask:
    return np.asarray(mask.all(axis=1), dtype=np.bool_)
