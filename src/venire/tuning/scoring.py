"""Scoring: how many variants' decisions stand against one reference, over the same resamples of groups."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes
from venire.domain.finding import Undefined
from venire.domain.frontier import ReplayMeasure
from venire.metaeval.intervals import Resampled
from venire.stats.cohen_kappa import Weights, kappa_of_tables

N_RESAMPLES = 1000
"""For a thousand variants at once; ends of a 95 % interval move by about a thirtieth of its width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What decisions are held to."""

    codes: NDArray[np.float64]
    """Shape (n_subjects,)."""
    present: NDArray[np.bool_]
    groups: NDArray[np.intp]
    """Shape (n_subjects,): the number of each subject's group among those with a reference; elsewhere −1."""
    n_groups: int
    n_labels: int
    """0: numbers."""
    weights: Weights
    measure: ReplayMeasure

    @property
    def n_cells(self) -> int:
        """Numbers that a group's sums are made of."""
        return self.n_labels**2 if self.measure == "kappa" else 2


def reference_of(
    votes: CodedVotes, groups: Sequence[str], kept: NDArray[np.bool_], weights: Weights, measure: ReplayMeasure
) -> Reference:
    """One rater's votes on some subjects as a reference.

    Args:
        kept: which subjects.
    """
    present = votes.present[0] & kept
    numbers = np.full(len(present), -1, dtype=np.intp)
    names, inverse = np.unique(np.array(groups, dtype=object)[present], return_inverse=True)
    numbers[present] = inverse
    return Reference(
        codes=votes.codes[0],
        present=present,
        groups=numbers,
        n_groups=len(names),
        n_labels=len(votes.labels),
        weights=weights,
        measure=measure,
    )


def sum_by_group(decisions: Sequence[CodedVotes], reference: Reference) -> NDArray[np.float32]:
    """What every group adds to each variant's figure: confusion tables, or (sum, number).

    Returns:
        Shape (n_groups, n_variants, n_cells); whole numbers, and sums of differences, that 32 bits hold well enough.
    """
    n_cells, n_labels = reference.n_cells, reference.n_labels
    sums = np.zeros((len(decisions), reference.n_groups * n_cells), dtype=np.float32)
    for row, decision in enumerate(decisions):
        both = decision.present[0] & reference.present
        group, ours, theirs = reference.groups[both], decision.codes[0][both], reference.codes[both]
        if reference.measure == "kappa":
            cells = (group * n_labels + ours.astype(np.intp)) * n_labels + theirs.astype(np.intp)
            sums[row] = np.bincount(cells, minlength=sums.shape[1])
            continue
        amounts = (ours == theirs).astype(np.float64) if n_labels else np.abs(ours - theirs)
        sums[row, 0::2] = np.bincount(group, weights=amounts, minlength=reference.n_groups)
        sums[row, 1::2] = np.bincount(group, minlength=reference.n_groups)
    return np.moveaxis(sums.reshape(len(decisions), reference.n_groups, n_cells), 0, 1)


def figures_of(sums: NDArray[np.floating], reference: Reference) -> Resampled:
    """The figure of every row of sums (n_rows, n_cells)."""
    if reference.measure == "kappa":
        n_labels = reference.n_labels
        kappas = kappa_of_tables(sums.astype(np.float64).reshape(-1, n_labels, n_labels), reference.weights)
        return Resampled(values=kappas.values, defined=kappas.defined)
    amounts, numbers = sums[:, 0].astype(np.float64), sums[:, 1].astype(np.float64)
    defined = numbers > 0
    return Resampled(values=np.divide(amounts, numbers, out=np.zeros(len(sums)), where=defined), defined=defined)


def counts_of(sums: NDArray[np.floating], reference: Reference) -> NDArray[np.floating]:
    """How many subjects are in sums of shape (…, n_cells)."""
    counted = sums if reference.measure == "kappa" else sums[..., 1:]
    return np.asarray(counted.sum(axis=-1))


def value_of(figures: Resampled, row: int, measure: ReplayMeasure) -> float | Undefined:
    """One figure, or why there is none."""
    if figures.defined[row]:
        return float(figures.values[row])
    if measure == "kappa":
        return Undefined("kappa: no subject has both labels, or both gave one and the same label throughout")
    return Undefined("no subject has both a decision and a reference")
