"""Many tests at once: p values adjusted so that a family of them keeps its promise."""

import numpy as np
from numpy.typing import NDArray


def holm(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Adjust p values so that the chance of any false rejection is bounded, whatever their dependence.

    Args:
        p_values: shape (n,), in [0, 1].

    Returns:
        Shape (n,): reject where it is at most the level.

    References:
        Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(6).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    factors = len(p_values) - np.arange(len(p_values))
    adjusted = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1.0)
    return _back(adjusted, order)


def benjamini_yekutieli(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Adjust p values so that the expected share of false rejections is bounded, whatever their dependence.

    Args:
        p_values: shape (n,), in [0, 1].

    Returns:
        Shape (n,): reject where it is at most the level.

    References:
        Benjamini and Yekutieli (2001), The control of the false discovery rate in multiple testing under dependency,
        doi:10.1214/aos/1013699998.

    >>> benjamini_yekutieli(np.array([0.01, 0.04, 0.03])).round(6).tolist()
    [0.055, 0.073333, 0.073333]
    """
    n = len(p_values)
    order = np.argsort(p_values, kind="stable")
    harmonic = float((1.0 / np.arange(1, n + 1)).sum()) if n else 1.0
    scaled = p_values[order] * harmonic * n / np.arange(1, n + 1)
    adjusted = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return _back(adjusted, order)


def _back(adjusted: NDArray[np.float64], order: NDArray[np.intp]) -> NDArray[np.float64]:
    found = np.empty(len(order))
    found[order] = adjusted
    return found
