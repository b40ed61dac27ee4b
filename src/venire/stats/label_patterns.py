"""Label patterns: items on which every voter said the same are one pattern with a count."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_DIRECT = 1 << 22
"""Up to this many possible patterns they are counted in a table; beyond, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelPatterns:
    """The distinct columns of a table of labels."""

    labels: NDArray[np.int16]
    """Shape (n_voters, n_patterns): label 0 … n_labels − 1, or n_labels where the vote is missing."""
    counts: NDArray[np.intp]
    """Shape (n_patterns,): items that have this pattern."""
    pattern_of: NDArray[np.intp]
    """Shape (n_items,): the number of each item's pattern."""

    @property
    def has_votes(self) -> NDArray[np.bool_]:
        """Shape (n_patterns,): whether anybody voted."""
        return np.asarray((self.labels < self.n_labels_or_missing).any(axis=0), dtype=np.bool_)

    n_labels_or_missing: int
    """The code that stands for a missing vote: the number of labels."""


def find_patterns(codes: NDArray[np.number], present: NDArray[np.bool_], n_labels: int) -> LabelPatterns:
    """Find the distinct label patterns of items.

    Args:
        codes: shape (n_voters, n_items), labels 0 … n_labels − 1 where `present`.
        present: shape (n_voters, n_items).

    Returns:
        Patterns in ascending order of their labels, the first voter's counting most.

    Raises:
        ValueError: the shapes differ, or a present code is no label.

    >>> found = find_patterns(np.array([[0, 1, 0], [1, 1, 1]]), np.ones((2, 3), dtype=bool), n_labels=2)
    >>> found.labels.tolist(), found.counts.tolist(), found.pattern_of.tolist()
    ([[0, 1], [1, 1]], [2, 1], [0, 1, 0])
    """
    if codes.shape != present.shape or codes.ndim != 2:
        raise ValueError(f"codes and present have shapes {codes.shape!r} and {present.shape!r}; both (voters, items)")
    n_voters, n_items = codes.shape
    labels = np.empty(codes.shape, dtype=np.int16)
    for row in range(n_voters):  # voter by voter, so that temporaries stay small
        labels[row] = np.where(present[row], codes[row], n_labels)
        wrong = (labels[row] < 0) | (labels[row] > n_labels) | ((labels[row] != codes[row]) & present[row])
        if bool((wrong | ((labels[row] == n_labels) & present[row])).any()):
            raise ValueError(
                f"a code of voter {row} is not one of 0 … {n_labels - 1}; mark missing votes as not present"
            )
    base = n_labels + 1
    if base**n_voters < 1 << 62:
        key = np.zeros(n_items, dtype=np.int64)
        for row in range(n_voters):
            key *= base
            key += labels[row]
        if base**n_voters <= _DIRECT:
            table = np.bincount(key, minlength=base**n_voters)
            values = np.flatnonzero(table)
            number = np.zeros(len(table), dtype=np.intp)
            number[values] = np.arange(len(values))
            counts, pattern_of = table[values], number[key]
        else:
            values, pattern_of, counts = np.unique(key, return_inverse=True, return_counts=True)
        distinct = np.empty((n_voters, len(values)), dtype=np.int16)
        for row in range(n_voters - 1, -1, -1):
            values, distinct[row] = np.divmod(values, base)
    else:
        distinct, pattern_of, counts = np.unique(labels, axis=1, return_inverse=True, return_counts=True)
    return LabelPatterns(
        labels=distinct, counts=counts, pattern_of=pattern_of.reshape(n_items), n_labels_or_missing=n_labels
    )
