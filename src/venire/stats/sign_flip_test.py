"""The sign-flip test: whether a paired difference could be chance, without assuming its distribution."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic

MOST_EXACT = 12
"""Groups up to which every one of the 2**n flips is looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignFlipTest:
    """A two-sided test of no difference."""

    p_value: float
    difference: float
    """The mean of the differences over groups."""
    n_groups: int
    exact: bool


def sign_flip_test(differences: NDArray[np.float64], n_flips: int = 10_000, seed: int = 0) -> SignFlipTest:
    """Test whether differences are symmetric around 0: were they, either sign of each would be as likely.

    Use it for one difference for each group, such as the mean of one panel minus another's over a prompt's responses.

    Args:
        differences: shape (n_groups,).
        n_flips: drawn where there are too many to look at all; p is then (b + 1) / (n_flips + 1), never 0.
        seed: of numpy's PCG64.

    Raises:
        UndefinedStatistic: there are no groups.

    References:
        Fisher (1935), The design of experiments, section 21. Phipson and Smyth (2010), Permutation p-values should
        never be zero, doi:10.2202/1544-6115.1585.

    Five differences of one sign: 2 of 32 flips are as far from 0.

    >>> sign_flip_test(np.array([1.0, 2.0, 3.0, 4.0, 5.0])).p_value
    0.0625
    """
    n = len(differences)
    if not n:
        raise UndefinedStatistic("sign-flip test: no group")
    observed = abs(float(differences.sum()))
    exact = n <= MOST_EXACT
    if exact:
        signs = 1.0 - 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
        reached = np.abs(signs @ differences) >= observed - 1e-12 * max(observed, 1.0)
        p_value = float(reached.mean())
    else:
        generator = np.random.Generator(np.random.PCG64(seed))
        n_reached = 0
        for start in range(0, n_flips, 1000):
            rows = min(1000, n_flips - start)
            signs = 1.0 - 2.0 * generator.integers(0, 2, size=(rows, n))
            n_reached += int((np.abs(signs @ differences) >= observed - 1e-12 * max(observed, 1.0)).sum())
        p_value = (n_reached + 1) / (n_flips + 1)
    return SignFlipTest(p_value=p_value, difference=float(differences.mean()), n_groups=n, exact=exact)
