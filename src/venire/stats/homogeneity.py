"""Homogeneity of proportions: whether several groups can share one rate."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from venire.errors import UndefinedStatistic

_MOST = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Homogeneity:
    """Pearson's chi-square test."""

    p_value: float
    chi_square: float
    df: int
    smallest_expected: float
    """The smallest expected count; below 5 the p value is rough."""


def proportions_differ(parts: Sequence[int], wholes: Sequence[int]) -> Homogeneity:
    """Test whether proportions of several groups differ: a small p speaks for it.

    Args:
        parts, wholes: by group, how many of how many.

    Raises:
        UndefinedStatistic: fewer than 2 groups have members, or all are alike in being in or out.

    References:
        Pearson (1900), doi:10.1080/14786440009463897; Agresti (2013), Categorical Data Analysis, 3.2.

    >>> round(proportions_differ([10, 20], [50, 50]).p_value, 4)
    0.0291
    """
    rows = [(part, whole) for part, whole in zip(parts, wholes, strict=True) if whole]
    n, n_in = sum(whole for _, whole in rows), sum(part for part, _ in rows)
    if len(rows) < 2 or n_in in (0, n):
        raise UndefinedStatistic(f"homogeneity: {len(rows)} groups with members, {n_in} of {n}; nothing can differ")
    share = n_in / n
    chi_square = sum(
        (part - whole * share) ** 2 / (whole * share) + (part - whole * share) ** 2 / (whole * (1 - share))
        for part, whole in rows
    )
    df = len(rows) - 1
    smallest = min(whole * min(share, 1 - share) for _, whole in rows)
    return Homogeneity(
        p_value=chi_square_tail(chi_square, df), chi_square=chi_square, df=df, smallest_expected=smallest
    )


def chi_square_tail(value: float, df: int) -> float:
    """The chance that chi-square with df degrees of freedom exceeds a value: Q(df / 2, value / 2).

    By the series or the continued fraction of the incomplete gamma function, DLMF 8.7.1 and 8.9.2.

    >>> round(chi_square_tail(3.841, 1), 3)
    0.05
    """
    a, x = df / 2.0, value / 2.0
    if x <= 0.0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1.0:
        term = total = 1.0 / a
        for n in range(1, _MOST):
            term *= x / (a + n)
            total += term
            if term < total * 1e-16:
                break
        return max(0.0, 1.0 - front * total)
    b, c = x + 1.0 - a, 1e300
    d = found = 1.0 / b
    for n in range(1, _MOST):
        factor = -n * (n - a)
        b += 2.0
        d = 1.0 / (factor * d + b)
        c = b + factor / c
        found *= d * c
        if abs(d * c - 1.0) < 1e-16:
            break
    return front * found
