"""A pass rate corrected for the judge's errors, with an interval that knows how well these are known."""

import math
from dataclasses import dataclass
from statistics import NormalDist

from venire.errors import UndefinedStatistic


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedRate:
    """The rate at which responses are truly correct."""

    rate: float
    """In [0, 1]."""
    low: float
    high: float
    level: float
    apparent: float
    """The share that the judge called correct."""
    sensitivity: float
    """Of the truly correct ones the share that the judge called so."""
    specificity: float
    """Of the truly incorrect ones the share that the judge called so."""


def correct_rate(
    n_called: int,
    n: int,
    *,
    calibration: tuple[int, int, int, int],
    level: float = 0.95,
) -> CorrectedRate:
    """Correct the share that a judge calls correct by what it got right on labelled responses.

    Use it where a judge saw many responses and people labelled some, drawn at random or of the same kind. The interval
    adds the uncertainty of the share and of both error rates (each smoothed as by Agresti and Coull) and a shift that
    mends its coverage near 0 and 1.

    Args:
        n_called: of the n responses the judge called so many correct.
        calibration: of truly correct labelled responses, how many the judge called correct, and how many there are;
            of truly incorrect ones, how many it called incorrect, and how many there are.
        level: the confidence level.

    Raises:
        UndefinedStatistic: there are no responses, none of one class is labelled, or sensitivity and specificity sum
            to 1 or less: the judge is no better than chance, and nothing can be corrected by it.
        ValueError: counts that contradict one another.

    References:
        Rogan and Gladen (1978), Estimating prevalence from the results of a screening test,
        doi:10.1093/oxfordjournals.aje.a112510. Lang and Reiczigel (2014), Confidence limits for prevalence of disease
        adjusted for estimated sensitivity and specificity, doi:10.1016/j.prevetmed.2013.09.015. Lee and others,
        arXiv:2511.21140.

    A judge that calls 60 of 100 correct, right on 45 of 50 correct ones and on 40 of 50 incorrect ones:

    >>> found = correct_rate(60, 100, calibration=(45, 50, 40, 50))
    >>> round(found.rate, 4)
    0.5714
    """
    hits, n_correct, rejections, n_incorrect = calibration
    for part, whole in ((n_called, n), (hits, n_correct), (rejections, n_incorrect)):
        if not 0 <= part <= whole:
            raise ValueError(f"{part!r} of {whole!r} is no count of a part")
    if not 0 < level < 1:
        raise ValueError(f"level is {level!r}; it must lie between 0 and 1, such as 0.95")
    if not (n and n_correct and n_incorrect):
        raise UndefinedStatistic(
            f"corrected rate: {n} responses, {n_correct} labelled correct and {n_incorrect} labelled incorrect; there "
            "must be some of each"
        )
    p, q1, q0 = n_called / n, hits / n_correct, rejections / n_incorrect
    if q0 + q1 <= 1.0:
        raise UndefinedStatistic(
            f"corrected rate: sensitivity {q1:.3f} and specificity {q0:.3f} sum to no more than 1; the judge is no "
            "better than chance"
        )
    low, high = _bounds(n_called, n, calibration, NormalDist().inv_cdf((1 + level) / 2))
    return CorrectedRate(
        rate=_clip((p + q0 - 1.0) / (q0 + q1 - 1.0)),
        low=low,
        high=high,
        level=level,
        apparent=p,
        sensitivity=q1,
        specificity=q0,
    )


def _bounds(n_called: int, n: int, calibration: tuple[int, int, int, int], z: float) -> tuple[float, float]:
    hits, n_correct, rejections, n_incorrect = calibration
    p, weight = (n_called + z * z / 2) / (n + z * z), n + z * z
    q1, m1 = (hits + 1) / (n_correct + 2), n_correct + 2
    q0, m0 = (rejections + 1) / (n_incorrect + 2), n_incorrect + 2
    gain = q0 + q1 - 1.0
    if gain <= 0.0:
        return 0.0, 1.0
    theta = (p + q0 - 1.0) / gain
    of_q0, of_q1 = q0 * (1 - q0) / m0, q1 * (1 - q1) / m1
    se = math.sqrt(p * (1 - p) / weight + (1 - theta) ** 2 * of_q0 + theta**2 * of_q1) / gain
    shift = 2 * z * z * (-(1 - theta) * of_q0 + theta * of_q1)
    return _clip(theta + shift - z * se), _clip(theta + shift + z * se)


def _clip(value: float) -> float:
    return min(1.0, max(0.0, value))
