"""Student's t: the chance of a value as large, and the one-sided test of a mean."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic

_TINY = 1e-300
_MOST = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class TTest:
    """A one-sided test of a mean."""

    p_value: float
    t: float
    mean: float
    n: int


def t_tail(t: float, df: float) -> float:
    """The chance that Student's t with df degrees of freedom exceeds t.

    Computed from the regularised incomplete beta function by its continued fraction (Lentz's method).

    References:
        Student (1908), The probable error of a mean, doi:10.1093/biomet/6.1.1. DLMF, 8.17.22.

    >>> round(t_tail(2.228, 10), 4)
    0.025
    """
    half = 0.5 * _beta_ratio(df / 2.0, 0.5, df / (df + t * t))
    return half if t >= 0 else 1.0 - half


def mean_below_test(values: NDArray[np.float64], bound: float) -> TTest:
    """Test whether a mean lies below a bound: a small p speaks for it.

    Args:
        values: shape (n,), independent.

    Raises:
        UndefinedStatistic: fewer than 2 values.
    """
    n = len(values)
    if n < 2:
        raise UndefinedStatistic(f"t test: {n} value; at least 2 are needed to see how they vary")
    mean, se = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(n)
    if se == 0.0:
        return TTest(p_value=0.0 if mean < bound else 1.0, t=math.copysign(math.inf, mean - bound), mean=mean, n=n)
    t = (mean - bound) / se
    return TTest(p_value=1.0 - t_tail(t, n - 1), t=t, mean=mean, n=n)


def _beta_ratio(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, 1.0 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > _TINY else _TINY)
    found = d
    for m in range(1, _MOST):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 + factor * d
            c = 1.0 + factor / c
            d = 1.0 / (d if abs(d) > _TINY else _TINY)
            c = c if abs(c) > _TINY else _TINY
            found *= d * c
        if abs(d * c - 1.0) < 1e-15:
            break
    return found
