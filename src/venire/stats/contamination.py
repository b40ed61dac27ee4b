"""Contamination of numbers: what broken voters would have said in place of what they said.

Five ways to be broken, each a function that gives a replacement for every vector; `corrupt_voters` says whose is taken.
Draws do not depend on the rate: at a higher rate the same vectors are replaced, and more.
"""

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Who = Literal["independent", "fixed"]
Numbers = NDArray[np.float64]


def corrupt_voters(
    n_voters: int, n_items: int, rate: float, generator: np.random.Generator, who: Who = "independent"
) -> NDArray[np.bool_]:
    """Draw which voters are broken on which items.

    Use independent for faults that come and go (a parser, a time-out), fixed for voters that are broken throughout.
    The same generator gives nested draws: who is broken at one rate is broken at every higher one.

    Args:
        rate: independent: the probability of each vector; fixed: the share of voters, floor(rate × n_voters) of them.

    Returns:
        Shape (n_voters, n_items).

    Raises:
        ValueError: the rate is not in [0, 1].

    References:
        Huber (1964), Robust estimation of a location parameter, doi:10.1214/aoms/1177703732.
        Acharya, Pan and Verkhovsky (2026), RoPoLL, arXiv:2606.30931.

    >>> broken = corrupt_voters(4, 2, 0.5, np.random.Generator(np.random.PCG64(0)), "fixed")
    >>> broken.sum(axis=0).tolist()
    [2, 2]
    """
    if not (math.isfinite(rate) and 0 <= rate <= 1):
        raise ValueError(f"rate is {rate!r}; 0 to 1 was expected")
    if who == "independent":
        return np.asarray(generator.random((n_voters, n_items)) < rate, dtype=np.bool_)
    n_broken = math.floor(rate * n_voters + 1e-9)  # a rate of 0.3 of 10 is 3, whatever its last bit
    is_broken = np.zeros(n_voters, dtype=np.bool_)
    is_broken[generator.permutation(n_voters)[:n_broken]] = True
    return np.repeat(is_broken[:, None], n_items, axis=1)


def zeros(values: Numbers) -> Numbers:
    """Replace every vector by zeros: a parser that gives 0 for what it cannot read.

    Use it to see what a failure costs that is turned into a number. On a scale that holds 0 it looks like a vote.

    References:
        Acharya, Pan and Verkhovsky (2026), RoPoLL, arXiv:2606.30931.

    >>> zeros(np.array([[[3.0, 4.0]]])).tolist()
    [[[0.0, 0.0]]]
    """
    return np.zeros_like(values)


def inverted(values: Numbers, low: Numbers, high: Numbers) -> Numbers:
    """Mirror every coordinate at the middle of its scale: a voter that takes the best for the worst.

    Args:
        values: shape (n_voters, n_items, n_dims).
        low, high: the ends of the scale, to be broadcast against values.

    References:
        Acharya, Pan and Verkhovsky (2026), RoPoLL (there: Byzantine, anti-correlated), arXiv:2606.30931.

    >>> inverted(np.array([[[1.0, 4.0]]]), np.array([1.0]), np.array([5.0])).tolist()
    [[[5.0, 2.0]]]
    """
    return np.asarray(low + high - values, dtype=np.float64)


def bimodal_random(values: Numbers, low: Numbers, high: Numbers, generator: np.random.Generator) -> Numbers:
    """Replace every coordinate by one of two numbers, each with probability one half and on its own.

    Use it against medians of single coordinates: every number is plausible on its axis, the vector is like nobody's.

    Args:
        values: shape (n_voters, n_items, n_dims); only the shape matters.
        low, high: the two numbers, to be broadcast against values.

    References:
        Acharya, Pan and Verkhovsky (2026), RoPoLL, arXiv:2606.30931.

    >>> drawn = bimodal_random(np.zeros((1, 1, 9)), np.zeros(1), np.ones(1), np.random.Generator(np.random.PCG64(0)))
    >>> sorted(set(drawn.ravel().tolist()))
    [0.0, 1.0]
    """
    return np.where(generator.integers(0, 2, size=values.shape) == 1, high, low).astype(np.float64)


def cauchy_far(values: Numbers, location: Numbers, scale: Numbers, generator: np.random.Generator) -> Numbers:
    """Replace every coordinate by a Cauchy draw far from the scale: heavy tails, no mean.

    Use it to see whether damage has a bound. With a scale of 0 all broken voters agree on one far point, which is the
    worst that they can do to a median.

    Args:
        values: shape (n_voters, n_items, n_dims); only the shape matters.
        location: the middle of the draws, to be broadcast against values.
        scale: half the distance between their quartiles, 0 or more.

    Raises:
        ValueError: a scale is negative.

    References:
        Acharya, Pan and Verkhovsky (2026), RoPoLL, arXiv:2606.30931; they print neither location nor scale.

    >>> far = cauchy_far(np.zeros((1, 1, 2)), np.array([40.0]), np.zeros(1), np.random.Generator(np.random.PCG64(0)))
    >>> far.tolist()
    [[[40.0, 40.0]]]
    """
    if bool((scale < 0).any()):
        raise ValueError(f"scale is {scale!r}; 0 or more was expected")
    return np.asarray(location + scale * generator.standard_cauchy(size=values.shape), dtype=np.float64)


def unbiased_noise(values: Numbers, truth: Numbers, sd: Numbers, generator: np.random.Generator) -> Numbers:
    """Replace every vector by the truth and Gaussian noise: the control, under which a mean is hard to beat.

    Args:
        values: shape (n_voters, n_items, n_dims); only the shape matters.
        truth: shape (n_items, n_dims).
        sd: of the noise in each coordinate, to be broadcast against values, 0 or more.

    Raises:
        ValueError: a standard deviation is negative.

    References:
        Acharya, Pan and Verkhovsky (2026), RoPoLL (there: Noisy-GT), arXiv:2606.30931; they print no variance.

    >>> generator = np.random.Generator(np.random.PCG64(0))
    >>> unbiased_noise(np.ones((2, 1, 1)), np.array([[3.0]]), np.zeros(1), generator).tolist()
    [[[3.0]], [[3.0]]]
    """
    if bool((sd < 0).any()):
        raise ValueError(f"sd is {sd!r}; 0 or more was expected")
    return np.asarray(truth + sd * generator.standard_normal(size=values.shape), dtype=np.float64)


def within_range(values: Numbers, low: Numbers, high: Numbers) -> NDArray[np.bool_]:
    """Where a number lies on its scale: what a reader that refuses impossible values lets through.

    >>> within_range(np.array([0.0, 1.0, 5.0, 5.1]), np.array([1.0]), np.array([5.0])).tolist()
    [False, True, True, False]
    """
    return np.asarray((values >= low) & (values <= high), dtype=np.bool_)
