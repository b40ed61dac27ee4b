"""Alpha and AC1 beside their oracles, with missing labels, and where they have no value."""

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic
from venire.stats.cohen_kappa import cohen_kappa, confusion_table
from venire.stats.gwet_ac1 import gwet_ac1
from venire.stats.krippendorff_alpha import Level, alpha_of_numbers, krippendorff_alpha

N_LABELS = 4
TABLES = st.integers(2, 5).flatmap(
    lambda n: st.lists(
        st.lists(st.none() | st.integers(0, N_LABELS - 1), min_size=n, max_size=n), min_size=1, max_size=14
    )
)
LEVELS: list[Level] = ["nominal", "ordinal", "interval"]


def arrays(rows: list[list[int | None]]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    codes = np.array([[-1 if code is None else code for code in row] for row in rows]).T
    return np.where(codes < 0, 0, codes).astype(float), codes >= 0


@pytest.mark.parametrize("level", LEVELS)
@given(rows=TABLES)
def test_alpha_is_that_of_the_oracle(level: Level, rows: list[list[int | None]]) -> None:
    codes, present = arrays(rows)
    pairable = codes[present & (present.sum(axis=0) >= 2)]
    if len(set(pairable)) < 2:
        with pytest.raises(UndefinedStatistic):
            krippendorff_alpha(codes, present, N_LABELS, level)
        return

    found = krippendorff_alpha(codes, present, N_LABELS, level)

    theirs = krippendorff.alpha(
        reliability_data=np.where(present, codes, np.nan),
        level_of_measurement=level,
        value_domain=list(range(N_LABELS)),
    )
    assert found.alpha == pytest.approx(theirs, abs=1e-9)
    assert found.n_units == int((present.sum(axis=0) >= 2).sum())


@given(rows=TABLES)
def test_alpha_of_numbers_is_that_of_whole_ones_as_labels(rows: list[list[int | None]]) -> None:
    codes, present = arrays(rows)
    try:
        wanted = krippendorff_alpha(codes, present, N_LABELS, "interval")
    except UndefinedStatistic:
        with pytest.raises(UndefinedStatistic):
            alpha_of_numbers(codes, present)
        return

    found = alpha_of_numbers(codes, present)

    assert (found.alpha, found.observed, found.expected) == pytest.approx(
        (wanted.alpha, wanted.observed, wanted.expected), abs=1e-9
    )
    assert (found.n_units, found.n_labels) == (wanted.n_units, wanted.n_labels)


@given(rows=TABLES, data=st.data())
def test_the_order_of_raters_and_units_changes_nothing(rows: list[list[int | None]], data: st.DataObject) -> None:
    codes, present = arrays(rows)
    raters = data.draw(st.permutations(range(len(codes))))
    units = data.draw(st.permutations(range(codes.shape[1])))
    for measure in (
        lambda c, p: krippendorff_alpha(c, p, N_LABELS, "ordinal").alpha,
        lambda c, p: gwet_ac1(c, p, N_LABELS).ac1,
    ):
        try:
            plain = measure(codes, present)
        except UndefinedStatistic:
            continue
        assert measure(codes[raters][:, units], present[raters][:, units]) == pytest.approx(plain, abs=1e-12)


def test_raters_of_one_mind_have_1() -> None:
    codes = np.tile(np.array([0.0, 1.0, 2.0, 1.0]), (3, 1))
    everybody = np.ones(codes.shape, dtype=bool)

    assert krippendorff_alpha(codes, everybody, 3, "ordinal").alpha == 1.0
    assert gwet_ac1(codes, everybody, 3).ac1 == 1.0


def test_a_legitimate_0_is_0_and_no_absence() -> None:
    codes = np.array([[0, 0, 1, 1], [0, 1, 0, 1]])

    assert cohen_kappa(confusion_table(codes[0], codes[1], 2)).kappa == 0.0
    assert gwet_ac1(codes, np.ones((2, 4), dtype=bool), 2).ac1 == 0.0


def test_one_class_leaves_alpha_undefined_and_ac1_at_1() -> None:
    """AC1 has chance 0 there, and says so: agreement is complete and could have been otherwise."""
    codes, everybody = np.zeros((2, 9)), np.ones((2, 9), dtype=bool)

    with pytest.raises(UndefinedStatistic, match="all 18 labels are the same"):
        krippendorff_alpha(codes, everybody, 2)
    assert gwet_ac1(codes, everybody, 2).ac1 == 1.0


def test_a_label_that_nobody_used_counts_where_the_scale_is_declared() -> None:
    """Shipped peers re-index the labels present: quadratic 0.286 and linear 0.25 instead of 0.138 and 0.125."""
    table = confusion_table(np.array([0, 0, 4, 4]), np.array([0, 4, 4, 1]), 5)

    assert cohen_kappa(table, "quadratic").kappa == pytest.approx(0.138, abs=5e-4)
    assert cohen_kappa(table, "linear").kappa == pytest.approx(0.125, abs=5e-4)


@given(rows=TABLES)
def test_nan_is_no_category(rows: list[list[int | None]]) -> None:
    codes, present = arrays(rows)
    hidden = np.where(present, codes, np.nan)
    assume(not present.all())

    with np.errstate(invalid="ignore"):
        try:
            plain = gwet_ac1(codes, present, N_LABELS).ac1
        except UndefinedStatistic:
            return
        assert gwet_ac1(hidden, present, N_LABELS).ac1 == plain
