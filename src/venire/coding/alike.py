"""Alike columns: the columns of several tables that are equal throughout, so that each kind is looked at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_ROOM = 1 << 62
_FEW = 1 << 16
"""Whole numbers within so wide a range are their own numbering; others are sorted first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlikeColumns:
    """The kinds of columns."""

    first: NDArray[np.intp]
    """Shape (n_kinds,): the first column of each kind."""
    number: NDArray[np.intp]
    """Shape (n_columns,): the kind of each column."""


def find_alike_columns(rows: Sequence[NDArray[np.generic]]) -> AlikeColumns:
    """Number the distinct columns.

    Args:
        rows: at least one, each of shape (n_columns,); booleans, whole numbers or finite numbers.

    >>> found = find_alike_columns([np.array([1, 1, 2, 1]), np.array([0.5, 0.5, 0.5, 0.0])])
    >>> found.first.tolist(), found.number.tolist()
    ([3, 0, 2], [1, 1, 2, 0])
    """
    key = np.zeros(len(rows[0]), dtype=np.int64)
    n_kinds = 1
    for row in rows:
        numbers, n = _numbered(row)
        if n_kinds > _ROOM // n:
            values, key = np.unique(key, return_inverse=True)
            n_kinds = len(values)
        key = key * n + numbers
        n_kinds *= n
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return AlikeColumns(first=first, number=number)


def _numbered(row: NDArray[np.generic]) -> tuple[NDArray[np.int64], int]:
    """The values as whole numbers from 0, equal where the values are, and how many there may be."""
    if not len(row):
        return row.astype(np.int64), 1
    whole = row.astype(np.int64)
    low, high = int(whole.min()), int(whole.max())
    if high - low < _FEW and bool((whole == row).all()):
        return whole - low, high - low + 1
    values, numbers = np.unique(row, return_inverse=True)
    return numbers.astype(np.int64), len(values)
