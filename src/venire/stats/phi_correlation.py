"""The phi coefficient: the correlation of two yes-or-no indicators, for every pair of voters."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class PhiCorrelations:
    """A matrix of correlations and what each rests on."""

    values: NDArray[np.float64]
    """Shape (n_voters, n_voters), in [−1, 1]: means something only where `defined`."""
    defined: NDArray[np.bool_]
    """False where no item is shared, or an indicator is the same on all shared items."""
    n_shared: NDArray[np.intp]
    """Items on which both have an indicator."""


def phi_correlations(indicators: NDArray[np.bool_], present: NDArray[np.bool_]) -> PhiCorrelations:
    """Measure how far two indicators go together, over the items on which both are present.

    Use it on error indicators (vote differs from the true label) to see who errs together. It is Pearson's correlation
    of two 0/1 variables; voters of very different accuracy cannot reach 1.

    Args:
        indicators: shape (n_voters, n_items), read only where `present`.
        present: the same shape.

    Returns:
        Correlations of all pairs, with the items they share.

    Raises:
        ValueError: the shapes differ.

    References:
        Yule (1912), On the methods of measuring association between two attributes, doi:10.2307/2340126.

    >>> errors = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]], dtype=bool)
    >>> phi_correlations(errors, np.ones(errors.shape, dtype=bool)).values.tolist()
    [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 1.0]]
    """
    if indicators.shape != present.shape or indicators.ndim != 2:
        raise ValueError(f"shapes are {indicators.shape!r} and {present.shape!r}; both must be (n_voters, n_items)")
    seen = present.astype(np.float64)
    ones = (indicators & present).astype(np.float64)
    n = seen @ seen.T
    mine = ones @ seen.T  # ones of the row's voter among the shared items
    both = ones @ ones.T
    spread = mine * (n - mine)
    product = spread * spread.T
    defined = product > 0
    # Whole numbers until here: what is exactly uncorrelated is exactly 0.
    values = (n * both - mine * mine.T) / np.sqrt(np.where(defined, product, 1.0))
    return PhiCorrelations(
        values=np.where(defined, np.clip(values, -1.0, 1.0), 0.0),
        defined=np.asarray(defined, dtype=np.bool_),
        n_shared=n.astype(np.intp),
    )
