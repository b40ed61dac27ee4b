"""Gwet's AC1: agreement of several raters beyond chance, where one label is much more frequent than the others."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic


@dataclass(frozen=True, slots=True, kw_only=True)
class GwetAC1:
    """AC1 and what it is made of."""

    ac1: float
    observed: float
    expected: float
    n_subjects: int
    """Subjects with at least two labels."""


def gwet_ac1(codes: NDArray[np.number], present: NDArray[np.bool_], n_labels: int) -> GwetAC1:
    """Measure agreement with chance set to Σ π (1 − π) / (n_labels − 1), π being the labels' mean shares.

    Use it beside kappa where one label has most of the subjects: kappa then falls although raters agree.

    Args:
        codes: shape (n_raters, n_subjects), labels 0 … n_labels − 1 where `present`.
        present: shape (n_raters, n_subjects).
        n_labels: of the declared scale, also those that nobody used.

    Returns:
        AC1, at most 1.

    Raises:
        UndefinedStatistic: no subject has two labels, or the scale has one label.
        ValueError: shapes differ.

    References:
        Gwet (2008), Computing inter-rater reliability in the presence of high agreement, doi:10.1348/000711006X126600.

    The table of Gwet (2008), section 2: two raters, 118 + 5 + 2 + 0 subjects:

    >>> first, second = np.repeat([0, 0, 1, 1], [118, 5, 2, 0]), np.repeat([0, 1, 0, 1], [118, 5, 2, 0])
    >>> round(gwet_ac1(np.stack([first, second]), np.ones((2, 125), dtype=bool), 2).ac1, 4)
    0.9408
    """
    if codes.shape != present.shape or codes.ndim != 2:
        raise ValueError(
            f"codes and present have shapes {codes.shape!r} and {present.shape!r}; both (raters, subjects)"
        )
    if n_labels < 2:
        raise UndefinedStatistic(f"AC1: the scale has {n_labels} label; there is nothing to disagree about")
    counts = np.stack([((codes == label) & present).sum(axis=0) for label in range(n_labels)], axis=1).astype(float)
    n_raters = counts.sum(axis=1)
    labelled, rated = n_raters >= 1, n_raters >= 2
    if not rated.any():
        raise UndefinedStatistic("AC1: no subject has labels of two raters")
    pairs = (counts[rated] * (counts[rated] - 1.0)).sum(axis=1) / (n_raters[rated] * (n_raters[rated] - 1.0))
    shares = (counts[labelled] / n_raters[labelled, None]).mean(axis=0)
    observed, expected = float(pairs.mean()), float((shares * (1.0 - shares)).sum() / (n_labels - 1))
    return GwetAC1(
        ac1=(observed - expected) / (1.0 - expected),
        observed=observed,
        expected=expected,
        n_subjects=int(rated.sum()),
    )
