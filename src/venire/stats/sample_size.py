"""Sample sizes: how many labels a figure needs, and which difference so many can show."""

import math
from statistics import NormalDist

from venire.stats.wilson import wilson_interval


def labels_for_share(share: float, half_width: float, level: float = 0.95) -> int:
    """The fewest labels with which Wilson's interval of such a share is no wider than twice the half-width.

    Args:
        share: what is expected, in [0, 1]; 0.5 needs the most.
        half_width: in (0, 0.5).

    References:
        Wilson (1927), doi:10.1080/01621459.1927.10502953.

    >>> labels_for_share(0.5, 0.05)
    381
    """
    if not 0 <= share <= 1 or not 0 < half_width < 0.5:
        raise ValueError(f"share is {share!r} and half_width {half_width!r}; expected [0, 1] and (0, 0.5)")
    low, high = 1, 1
    while _width(share, high, level) > 2 * half_width:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _width(share, middle, level) <= 2 * half_width else (middle, high)
    return high


def labels_for_kappa(kappa: float, positive: float, half_width: float, level: float = 0.95) -> int:
    """The labels that bring the interval of Cohen's kappa of two labels to this half-width, in large samples.

    Args:
        kappa: what is expected, in (−1, 1).
        positive: the share of one label, the same for both raters, in (0, 1).
        half_width: in (0, 1).

    References:
        Fleiss, Cohen and Everitt (1969), Large sample standard errors of kappa and weighted kappa,
        doi:10.1037/h0028106. Donner and Eliasziw (1992), A goodness-of-fit approach to inference procedures for the
        kappa statistic, doi:10.1002/sim.4780111109.

    >>> labels_for_kappa(0.6, 0.5, 0.1)
    246
    """
    if not -1 < kappa < 1 or not 0 < positive < 1 or not 0 < half_width < 1:
        raise ValueError(f"kappa={kappa!r}, positive={positive!r}, half_width={half_width!r} are out of range")
    spread = positive * (1 - positive)
    variance = (1 - kappa) * ((1 - kappa) * (1 - 2 * kappa) + kappa * (2 - kappa) / (2 * spread))
    z = NormalDist().inv_cdf((1 + level) / 2)
    return math.ceil(variance * (z / half_width) ** 2)


def smallest_difference(sd: float, n: int, level: float = 0.95, power: float = 0.8) -> float:
    """The paired mean difference that a two-sided test would show with this power.

    Args:
        sd: the standard deviation of the differences, over groups.
        n: groups.

    References:
        Cohen (1988), Statistical power analysis for the behavioral sciences, 2.

    >>> round(smallest_difference(0.5, 100), 3)
    0.14
    """
    if sd < 0 or n < 1:
        raise ValueError(f"sd={sd!r} and n={n!r}; expected at least 0 and 1")
    z = NormalDist()
    return (z.inv_cdf((1 + level) / 2) + z.inv_cdf(power)) * sd / math.sqrt(n)


def _width(share: float, n: int, level: float) -> float:
    found = wilson_interval(round(share * n), n, level)
    return found.high - found.low
