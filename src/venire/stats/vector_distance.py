"""Vector distance: how far vectors lie from the true ones, as a root mean square and as a mean."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorDistance:
    """Two averages of the same Euclidean distances; lower is better."""

    root_mean_square: float
    """√(mean ‖e‖²): summed over coordinates, not averaged."""
    mean: float
    """mean ‖e‖, never above the other."""
    n: int


def vector_distance(vectors: NDArray[np.float64], truths: NDArray[np.float64]) -> VectorDistance:
    """Measure the Euclidean distances of vectors from their truths.

    Use the root mean square to see rare large errors, the mean to see the usual ones. With one coordinate they are the
    root mean square error and the mean absolute error.

    Args:
        vectors, truths: shape (n_items, n_dims), on a common scale, nothing missing.

    Raises:
        UndefinedStatistic: there is no item.
        ValueError: the shapes differ.

    References:
        Acharya, Pan and Verkhovsky (2026), RoPoLL, arXiv:2606.30931: "RMSE", which of the two is not said.

    >>> vector_distance(np.array([[3.0, 4.0], [0.0, 0.0]]), np.zeros((2, 2)))
    VectorDistance(root_mean_square=3.5355339059327378, mean=2.5, n=2)
    """
    if vectors.shape != truths.shape or vectors.ndim != 2:
        raise ValueError(f"shapes are {vectors.shape!r} and {truths.shape!r}; both must be (n_items, n_dims)")
    if len(vectors) == 0:
        raise UndefinedStatistic("vector distance: no item has both a vector and a truth")
    return average_distances(np.sqrt(np.square(vectors - truths).sum(axis=1)))


def average_distances(distances: NDArray[np.float64]) -> VectorDistance:
    """Average distances (n_items,) that are known already.

    Raises:
        UndefinedStatistic: there is none.
    """
    if len(distances) == 0:
        raise UndefinedStatistic("vector distance: no item has both a vector and a truth")
    # In units of the largest, so that squares of very large distances do not overflow.
    largest = float(distances.max())
    unit = largest if largest > 0 else 1.0
    return VectorDistance(
        root_mean_square=unit * float(np.sqrt(np.square(distances / unit).mean())),
        mean=float(distances.mean()),
        n=len(distances),
    )
