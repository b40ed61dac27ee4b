"""Pearson's correlation of numbers, for every pair of voters."""

import numpy as np
from numpy.typing import NDArray

from venire.stats.phi_correlation import PhiCorrelations


def pearson_correlations(values: NDArray[np.float64], present: NDArray[np.bool_]) -> PhiCorrelations:
    """Measure how far two voters' numbers go together, over the items on which both are present.

    Use it on errors (number minus the true number) to see who errs together; a constant error (severity) does not
    count. Of 0/1 numbers it is the phi coefficient.

    Args:
        values: shape (n_voters, n_items), read only where `present`.
        present: the same shape.

    Returns:
        Correlations of all pairs, with the items they share.

    Raises:
        ValueError: the shapes differ.

    References:
        Pearson (1896), Mathematical contributions to the theory of evolution III, doi:10.1098/rsta.1896.0007.

    >>> errors = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [3.0, 2.0, 1.0]])
    >>> pearson_correlations(errors, np.ones(errors.shape, dtype=bool)).values.round(9).tolist()
    [[1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]]
    """
    if values.shape != present.shape or values.ndim != 2:
        raise ValueError(f"shapes are {values.shape!r} and {present.shape!r}; both must be (n_voters, n_items)")
    seen = present.astype(np.float64)
    n = seen @ seen.T
    # About each voter's own mean first, so that large numbers leave no large differences.
    own = np.where(present, values, 0.0)
    own = (own - (own.sum(axis=1) / np.maximum(seen.sum(axis=1), 1))[:, None]) * seen
    sums, squares, products = own @ seen.T, (own * own) @ seen.T, own @ own.T
    shared = np.maximum(n, 1)
    spread = np.maximum(squares - sums * sums / shared, 0.0)
    # A spread that is rounding of the squares it is left from is none.
    varies = spread > 1e-12 * np.maximum(squares, np.finfo(np.float64).tiny)
    defined = varies & varies.T & (n > 1)
    root = np.sqrt(np.where(defined, spread, 1.0) * np.where(defined.T, spread.T, 1.0))
    correlations = np.clip((products - sums * sums.T / shared) / root, -1.0, 1.0)
    return PhiCorrelations(
        values=np.where(defined, correlations, 0.0),
        defined=np.asarray(defined, dtype=np.bool_),
        n_shared=n.astype(np.intp),
    )
