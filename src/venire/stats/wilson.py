"""Wilson's score interval for a proportion."""

import math
from dataclasses import dataclass
from statistics import NormalDist

from venire.errors import UndefinedStatistic


@dataclass(frozen=True, slots=True, kw_only=True)
class WilsonInterval:
    """Between which bounds a proportion lies."""

    low: float
    high: float
    level: float


def wilson_interval(n_successes: int, n: int, level: float = 0.95) -> WilsonInterval:
    """Bound a proportion by inverting the score test.

    Use it for independent observations, also few of them and near 0 or 1, where p ± z·se leaves [0, 1] or has no
    width. Observations that come in groups need `cluster_bootstrap`: this interval would be too narrow.

    Args:
        n_successes: 0 … n.
        level: the confidence level, between 0 and 1.

    Returns:
        Bounds within [0, 1].

    Raises:
        UndefinedStatistic: n is 0.
        ValueError: n_successes is outside 0 … n, or level outside (0, 1).

    References:
        Wilson (1927), Probable inference, the law of succession, and statistical inference,
        doi:10.1080/01621459.1927.10502953. Values: Newcombe (1998), table I,
        doi:10.1002/(SICI)1097-0258(19980430)17:8<857::AID-SIM777>3.0.CO;2-E.

    >>> interval = wilson_interval(81, 263)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.2553, 0.3662)
    """
    if not 0 <= n_successes <= n:
        raise ValueError(f"n_successes is {n_successes!r} of n={n!r}; it must lie between 0 and n")
    if not 0 < level < 1:
        raise ValueError(f"level is {level!r}; it must lie between 0 and 1, such as 0.95")
    if n == 0:
        raise UndefinedStatistic("Wilson interval: no observation")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = n_successes / n
    centre = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # At 0 and n the bound is exactly 0 or 1; rounding would leave it a hair outside.
    low = 0.0 if n_successes == 0 else (centre - half) / scale
    high = 1.0 if n_successes == n else (centre + half) / scale
    return WilsonInterval(low=low, high=high, level=level)
