"""Newton's method for smooth convex functions, with halved steps wherever a whole one does not descend."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MAX_ITERATIONS = 100
TOLERANCE = 1e-8
_SHORTEST = 2.0**-30
_ENOUGH = 1e-4
"""Share of the descent that the slope promises; less, and the step is halved (Armijo's rule)."""
_ROUNDING = 1e-13
"""Of the value: a rise that small is the arithmetic's, not the function's."""


class Local(NamedTuple):
    """A function at one point."""

    value: float
    gradient: NDArray[np.float64]
    hessian: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Minimum:
    """Where the descent ended."""

    point: NDArray[np.float64]
    value: float
    n_iterations: int
    converged: bool
    """Whether the largest component of the gradient is below the tolerance, times `scale`."""


def minimise(function: Callable[[NDArray[np.float64]], Local], start: NDArray[np.float64], scale: float) -> Minimum:
    """Descend to the minimum of a strictly convex function.

    Use it for the likelihoods of logistic models with a ridge, which have one minimum.

    Args:
        function: value, gradient and positive definite Hessian at a point.
        start: shape (n,).
        scale: what the gradient is measured in, such as the number of items.

    Returns:
        The minimum, and whether it was reached.

    References:
        Boyd and Vandenberghe (2004), Convex optimization, sections 9.2 and 9.5.

    >>> def bowl(x):
    ...     return Local(float(((x - 3) ** 2).sum()), 2 * (x - 3), 2 * np.eye(2))
    >>> minimise(bowl, np.zeros(2), scale=1.0).point.tolist()
    [3.0, 3.0]
    """
    point, here = start, function(start)
    for iteration in range(MAX_ITERATIONS):
        if bool(np.abs(here.gradient).max(initial=0.0) <= TOLERANCE * scale):
            return Minimum(point=point, value=here.value, n_iterations=iteration, converged=True)
        step = -np.linalg.solve(here.hessian, here.gradient)
        slope = float(here.gradient @ step)
        allowed = here.value + _ROUNDING * abs(here.value)
        length = 1.0
        there = function(point + step)
        while not there.value <= allowed + _ENOUGH * length * slope and length > _SHORTEST:
            length /= 2
            there = function(point + length * step)
        if not there.value <= allowed:
            return Minimum(point=point, value=here.value, n_iterations=iteration, converged=False)
        point, here = point + length * step, there
    return Minimum(point=point, value=here.value, n_iterations=MAX_ITERATIONS, converged=False)
