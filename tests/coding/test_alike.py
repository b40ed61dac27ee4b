"""Columns that are equal throughout are one kind."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from venire.coding.alike import find_alike_columns

NUMBERS = st.sampled_from([0.0, 1.0, 2.0, 0.5, -3.25, 1e9, 7e12])


@given(st.integers(1, 14).flatmap(lambda n: st.lists(st.lists(NUMBERS, min_size=n, max_size=n), max_size=9)))
def test_columns_are_of_one_kind_where_and_only_where_they_are_equal(columns: list[list[float]]) -> None:
    rows = np.array(columns).T if columns else np.zeros((3, 0))

    found = find_alike_columns(list(rows))

    kinds = [columns[first] for first in found.first]
    assert [kinds[number] for number in found.number] == columns
    assert len({tuple(kind) for kind in kinds}) == len(kinds)


def test_many_rows_of_many_values_do_not_overflow() -> None:
    rows = [np.arange(50, dtype=np.int64) * (row + 1) for row in range(40)]

    found = find_alike_columns([*rows, *(row[::-1] for row in rows)])

    assert len(found.first) == 50
    assert sorted(found.number.tolist()) == list(range(50))
