"""Mean absolute error: how far two raters' numbers lie apart on average."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanAbsoluteError:
    """An average distance and the number of subjects behind it."""

    loss: float
    """In units of the scale; lower is better."""
    n: int


def mean_absolute_error(a_numbers: NDArray[np.number], b_numbers: NDArray[np.number]) -> MeanAbsoluteError:
    """Measure the mean of |a − b|.

    Use it on interval scales. On an ordinal scale it counts steps, which have no fixed size.

    Args:
        a_numbers, b_numbers: shape (n,), numbers of the same scale, no missing votes.

    Returns:
        The loss, 0 or more, and n.

    Raises:
        UndefinedStatistic: n is 0.
        ValueError: the shapes differ.

    References:
        Willmott and Matsuura (2005), Advantages of the mean absolute error, doi:10.3354/cr030079.

    >>> mean_absolute_error(np.array([4.0, 2.0, 5.0, 1.0]), np.array([4.0, 3.0, 3.0, 1.0]))
    MeanAbsoluteError(loss=0.75, n=4)
    """
    if a_numbers.shape != b_numbers.shape or a_numbers.ndim != 1:
        raise ValueError(f"numbers have shapes {a_numbers.shape!r} and {b_numbers.shape!r}; both must be (n,)")
    n = len(a_numbers)
    if n == 0:
        raise UndefinedStatistic("mean absolute error: no subject has a vote of both raters")
    return MeanAbsoluteError(loss=float(np.abs(a_numbers - b_numbers).sum()) / n, n=n)
