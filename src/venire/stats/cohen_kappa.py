"""Cohen's kappa: agreement of two raters beyond what their own habits would give by chance."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic

Weights = Literal["nominal", "linear", "quadratic"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kappa:
    """Kappa and what it is made of."""

    kappa: float
    observed: float
    """Observed agreement, in [0, 1]; weighted where the labels are."""
    expected: float
    """Agreement expected of two independent raters with the same margins."""
    n: int


class KappaValues(NamedTuple):
    """Kappa of many tables at once."""

    values: NDArray[np.float64]
    """Shape (n_tables,): means something only where `defined`."""
    defined: NDArray[np.bool_]


def confusion_table(a_codes: NDArray[np.number], b_codes: NDArray[np.number], n_labels: int) -> NDArray[np.intp]:
    """Count how often rater A gave label i while rater B gave label j.

    Args:
        a_codes, b_codes: shape (n,), whole numbers 0 … n_labels − 1, no missing votes.

    Returns:
        Shape (n_labels, n_labels).

    Raises:
        ValueError: the shapes differ, or a code is no label.
    """
    if a_codes.shape != b_codes.shape or a_codes.ndim != 1:
        raise ValueError(f"codes have shapes {a_codes.shape!r} and {b_codes.shape!r}; both must be (n,)")
    for codes in (a_codes, b_codes):
        if not bool(np.all((codes >= 0) & (codes < n_labels) & (codes == np.floor(codes)))):
            raise ValueError(f"a code is not one of 0 … {n_labels - 1}; leave missing votes out before counting")
    cells = a_codes.astype(np.intp) * n_labels + b_codes.astype(np.intp)
    return np.bincount(cells, minlength=n_labels * n_labels).reshape(n_labels, n_labels)


def cohen_kappa(table: NDArray[np.number], weights: Weights = "nominal") -> Kappa:
    """Measure how far two raters agree beyond chance, on labels without or with an order.

    Use it for two raters over the same subjects; "linear" and "quadratic" for labels in order, where a near miss
    is worth something. Computed as 1 − (observed disagreement / expected disagreement).

    Args:
        table: shape (n_labels, n_labels), counts from `confusion_table`, labels in the scale's order.

    Returns:
        Kappa in [−1, 1], 0 at chance, with observed and expected agreement and n.

    Raises:
        UndefinedStatistic: nothing was counted, or expected agreement is 1 (both raters gave one and the same
            label throughout): chance correction has then nothing to work with.

    References:
        Cohen (1960), A coefficient of agreement for nominal scales, doi:10.1177/001316446002000104.
        Cohen (1968), Weighted kappa, doi:10.1037/h0026256.

    The worked example of Cohen (1960), 200 subjects:

    >>> result = cohen_kappa(np.array([[50, 26, 24], [24, 4, 32], [6, 30, 4]]))
    >>> round(result.observed, 2), round(result.expected, 2), round(result.kappa, 2)
    (0.29, 0.35, -0.09)
    """
    n = int(table.sum())
    if n == 0:
        raise UndefinedStatistic("kappa: no subject has a vote of both raters")
    disagreement = _disagreement(table.shape[-1], weights)
    observed = float((disagreement * table).sum()) / n
    expected = float((disagreement * np.outer(table.sum(axis=1), table.sum(axis=0))).sum()) / n**2
    if expected == 0.0:
        raise UndefinedStatistic(f"kappa: expected agreement is 1, both raters gave one and the same label {n} times")
    return Kappa(kappa=1.0 - observed / expected, observed=1.0 - observed, expected=1.0 - expected, n=n)


def kappa_of_tables(tables: NDArray[np.float64], weights: Weights = "nominal") -> KappaValues:
    """Compute kappa of every table, as for bootstrap resamples.

    Args:
        tables: shape (n_tables, n_labels, n_labels), counts or weighted counts.

    Returns:
        The values, and where they are defined.
    """
    disagreement = _disagreement(tables.shape[-1], weights)
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    n = rows.sum(axis=1)
    # Both sides are multiplied by n², so that tables of nothing need no division.
    observed = n * np.einsum("ij,bij->b", disagreement, tables)
    expected = np.einsum("bi,ij,bj->b", rows, disagreement, columns)
    defined = expected > 0.0
    values = np.zeros(len(tables))
    np.divide(observed, expected, out=values, where=defined)
    return KappaValues(values=np.where(defined, 1.0 - values, 0.0), defined=defined)


def _disagreement(n_labels: int, weights: Weights) -> NDArray[np.float64]:
    """How far two labels are apart, 0 on the diagonal and 1 at most: shape (n_labels, n_labels)."""
    ranks = np.arange(n_labels, dtype=np.float64)
    distance = np.abs(ranks[:, None] - ranks[None, :])
    match weights:
        case "nominal":
            return (distance > 0).astype(np.float64)
        case "linear":
            return distance / max(n_labels - 1, 1)
        case "quadratic":
            return (distance / max(n_labels - 1, 1)) ** 2
