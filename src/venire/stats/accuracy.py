"""Accuracy: the share of subjects on which two raters agree exactly."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """A share and what it is made of."""

    accuracy: float
    n_agreeing: int
    n: int


def accuracy(a_codes: NDArray[np.number], b_codes: NDArray[np.number]) -> Accuracy:
    """Measure the share of equal labels; accuracy where one rater is gold, raw agreement otherwise.

    Use it beside kappa: it is easy to read, but high wherever one label is common.

    Args:
        a_codes, b_codes: shape (n,), codes of the same scale, no missing votes.

    Returns:
        The share in [0, 1] with its numerator and denominator.

    Raises:
        UndefinedStatistic: n is 0.
        ValueError: the shapes differ.

    >>> accuracy(np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0]))
    Accuracy(accuracy=0.75, n_agreeing=3, n=4)
    """
    if a_codes.shape != b_codes.shape or a_codes.ndim != 1:
        raise ValueError(f"codes have shapes {a_codes.shape!r} and {b_codes.shape!r}; both must be (n,)")
    n = len(a_codes)
    if n == 0:
        raise UndefinedStatistic("accuracy: no subject has a vote of both raters")
    n_agreeing = int(np.count_nonzero(a_codes == b_codes))
    return Accuracy(accuracy=n_agreeing / n, n_agreeing=n_agreeing, n=n)
