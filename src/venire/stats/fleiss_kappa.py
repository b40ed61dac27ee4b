"""Fleiss' kappa: agreement beyond chance of several raters, each subject labelled by as many."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic


@dataclass(frozen=True, slots=True, kw_only=True)
class FleissKappa:
    """Kappa and what it is made of."""

    kappa: float
    observed: float
    expected: float
    n_subjects: int


def fleiss_kappa(counts: NDArray[np.number]) -> FleissKappa:
    """Measure agreement with chance set to the labels' overall shares.

    Use it where every subject has equally many labels; where some are missing, Krippendorff's alpha is made for that.

    Args:
        counts: shape (n_subjects, n_labels): how many raters gave each label; every row has the same sum, at least 2.

    Returns:
        Kappa in [−1, 1].

    Raises:
        UndefinedStatistic: there is no subject, or all labels are the same.
        ValueError: subjects have different numbers of labels, or fewer than 2.

    References:
        Fleiss (1971), Measuring nominal scale agreement among many raters, doi:10.1037/h0031619.

    >>> round(fleiss_kappa(np.array([[3, 0], [2, 1], [0, 3], [1, 2]])).kappa, 4)
    0.3333
    """
    table = np.asarray(counts, dtype=np.float64)
    if not len(table):
        raise UndefinedStatistic("Fleiss' kappa: no subject")
    n = table.sum(axis=1)
    if bool((n != n[0]).any()) or n[0] < 2:
        raise ValueError(f"subjects have {sorted(set(n.tolist()))!r} labels; all must have the same number, at least 2")
    observed = float(((table * (table - 1)).sum(axis=1) / (n[0] * (n[0] - 1))).mean())
    shares = table.sum(axis=0) / table.sum()
    expected = float((shares**2).sum())
    if expected == 1.0:
        raise UndefinedStatistic(f"Fleiss' kappa: all {int(table.sum())} labels are the same")
    kappa = (observed - expected) / (1.0 - expected)
    return FleissKappa(kappa=kappa, observed=observed, expected=expected, n_subjects=len(table))
