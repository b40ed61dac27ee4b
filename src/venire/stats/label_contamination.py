"""Contamination of labels: what broken voters would have said in place of the label that they chose.

Whose vote is replaced says `contamination.corrupt_voters`. There is no far label: what is heavy-tailed among numbers
has no meaning here, and what is on no scale is no label.
"""

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.float64]


def first_label(codes: Codes) -> Codes:
    """Replace every label by the first, which is the lowest of ordered ones: a parser's default.

    >>> first_label(np.array([[2.0, 1.0]])).tolist()
    [[0.0, 0.0]]
    """
    return np.zeros_like(codes)


def another_label(codes: Codes, n_labels: NDArray[np.intp], generator: np.random.Generator) -> Codes:
    """Replace every label by another one, each other equally likely; of two it is the other.

    Args:
        codes: shape (n_voters, n_items): 0 … n_labels − 1; a code beyond (a tie) has no other and stays.
        n_labels: shape (n_items,): how many labels the item has, at least 2.

    Raises:
        ValueError: an item has fewer than two labels.

    References:
        Acharya, Pan and Verkhovsky (2026), RoPoLL (there of numbers), arXiv:2606.30931.

    >>> generator = np.random.Generator(np.random.PCG64(0))
    >>> another_label(np.array([[0.0, 1.0, 2.0]]), np.full(3, 2), generator).tolist()
    [[1.0, 0.0, 2.0]]
    """
    _check(n_labels)
    steps = 1 + np.floor(generator.random(codes.shape) * (n_labels - 1))
    return np.where(codes < n_labels, (codes + steps) % n_labels, codes)


def mirrored_label(codes: Codes, n_labels: NDArray[np.intp]) -> Codes:
    """Replace every ordered label by the one as far from the other end.

    Args:
        codes: shape (n_voters, n_items): 0 … n_labels − 1; a code beyond stays.
        n_labels: shape (n_items,): how many labels the item has, at least 2.

    Raises:
        ValueError: an item has fewer than two labels.

    References:
        Acharya, Pan and Verkhovsky (2026), RoPoLL (there of numbers), arXiv:2606.30931.

    >>> mirrored_label(np.array([[0.0, 1.0, 3.0]]), np.full(3, 4)).tolist()
    [[3.0, 2.0, 0.0]]
    """
    _check(n_labels)
    return np.where(codes < n_labels, n_labels - 1 - codes, codes)


def extreme_label(codes: Codes, n_labels: NDArray[np.intp], generator: np.random.Generator) -> Codes:
    """Replace every label by the first or the last, each with probability one half.

    Args:
        codes: shape (n_voters, n_items); only the shape matters.
        n_labels: shape (n_items,): how many labels the item has, at least 2.

    Raises:
        ValueError: an item has fewer than two labels.

    References:
        Acharya, Pan and Verkhovsky (2026), RoPoLL (there of numbers), arXiv:2606.30931.

    >>> drawn = extreme_label(np.ones((9, 1)), np.array([5]), np.random.Generator(np.random.PCG64(0)))
    >>> sorted(set(drawn.ravel().tolist()))
    [0.0, 4.0]
    """
    _check(n_labels)
    return np.where(generator.integers(0, 2, size=codes.shape) == 1, n_labels - 1.0, 0.0)


def _check(n_labels: NDArray[np.intp]) -> None:
    if bool((n_labels < 2).any()):
        raise ValueError(f"an item has {int(n_labels.min())} labels; at least two were expected")
