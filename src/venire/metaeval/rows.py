"""Rows of votes: one rater's codes, laid against a reference rater's, group by group."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterRow:
    """One rater's votes on all subjects; `codes` means something only where `missing` is 0."""

    name: str
    codes: NDArray[np.float64]
    """Shape (n_subjects,)."""
    missing: NDArray[np.int16]
    """Shape (n_subjects,): 0, or 1 + index into `reasons`."""
    reasons: tuple[str, ...]

    @property
    def present(self) -> NDArray[np.bool_]:
        """Where there is a vote."""
        present: NDArray[np.bool_] = self.missing == 0
        return present


@dataclass(frozen=True, slots=True, kw_only=True)
class Clusters:
    """Which group every subject belongs to, by number."""

    numbers: NDArray[np.intp]
    """Shape (n_subjects,)."""

    def count(self, counted: NDArray[np.bool_]) -> int:
        """How many groups the counted subjects fall into."""
        return len(np.unique(self.numbers[counted]))

    def among(self, counted: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Numbers 0 … n − 1 of the groups that hold a counted subject, one for each counted subject."""
        return np.unique(self.numbers[counted], return_inverse=True)[1]


def rows_of(votes: CodedVotes) -> tuple[RaterRow, ...]:
    """Every rater of coded votes as a row of its own."""
    return tuple(
        RaterRow(name=name, codes=votes.codes[row], missing=votes.missing[row], reasons=votes.reasons)
        for row, name in enumerate(votes.raters)
    )


def number_groups(groups: Sequence[str], n_subjects: int) -> Clusters:
    """Number the groups.

    Raises:
        ValueError: there is not one group for each subject.
    """
    if len(groups) != n_subjects:
        raise ValueError(f"there are {len(groups)} groups for {n_subjects} subjects; give one group for each subject")
    return Clusters(numbers=np.unique(np.array(groups, dtype=object), return_inverse=True)[1])


def count_missing(*raters: RaterRow, named: bool = False) -> tuple[tuple[str, int], ...]:
    """Count the subjects on which one of the raters has no vote, by the first such rater's reason.

    Args:
        named: put the rater's name before its reason, for all but the first.
    """
    counts: Counter[str] = Counter()
    open_ = np.ones(len(raters[0].missing), dtype=np.bool_)
    for place, rater in enumerate(raters):
        for number, n in enumerate(np.bincount(rater.missing[open_], minlength=1)[1:]):
            reason = rater.reasons[number]
            counts[f"{rater.name}: {reason}" if named and place else reason] += int(n)
        open_ &= rater.present
    return tuple(sorted((reason, n) for reason, n in counts.items() if n))


def table_sums(
    raters: Sequence[RaterRow], reference: RaterRow, clusters: Clusters, n_labels: int
) -> NDArray[np.float64]:
    """Confusion tables of every rater with the reference, for every group in which the reference has a vote.

    Returns:
        Shape (n_groups, n_raters, n_labels, n_labels): rater's label by reference's label.
    """
    known = reference.present
    group = clusters.among(known)
    n_groups = int(group.max(initial=-1)) + 1
    sums = np.zeros((len(raters), n_groups * n_labels * n_labels))
    for row, rater in enumerate(raters):
        both = rater.present[known]
        ours, theirs = rater.codes[known][both].astype(np.intp), reference.codes[known][both].astype(np.intp)
        cells = (group[both] * n_labels + ours) * n_labels + theirs
        sums[row] = np.bincount(cells, minlength=sums.shape[1])
    return np.moveaxis(sums.reshape(len(raters), n_groups, n_labels, n_labels), 0, 1)


def ratio_sums(
    raters: Sequence[RaterRow], reference: RaterRow, clusters: Clusters, *, absolute: bool
) -> NDArray[np.float64]:
    """What an average over subjects is made of, for every group in which the reference has a vote.

    Args:
        absolute: sum absolute differences (numbers); otherwise count equal codes (labels).

    Returns:
        Shape (n_groups, n_raters, 2): the sum, and the number of subjects in it.
    """
    known = reference.present
    group = clusters.among(known)
    n_groups = int(group.max(initial=-1)) + 1
    sums = np.zeros((n_groups, len(raters), 2))
    for row, rater in enumerate(raters):
        both = rater.present[known]
        ours, theirs = rater.codes[known][both], reference.codes[known][both]
        amounts = np.abs(ours - theirs) if absolute else (ours == theirs).astype(np.float64)
        sums[:, row, 0] = np.bincount(group[both], weights=amounts, minlength=n_groups)
        sums[:, row, 1] = np.bincount(group[both], minlength=n_groups)
    return sums
