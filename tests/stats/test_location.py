"""Location of voters' values: geometric median, median, trimmed and weighted mean; laws and other implementations."""

from collections.abc import Callable

import numpy as np
import pytest
from geom_median.numpy import compute_geometric_median
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import ortho_group, trim_mean

from venire.stats.coordinate_median import coordinate_median
from venire.stats.geometric_median import geometric_median
from venire.stats.trimmed_mean import trimmed_mean
from venire.stats.weighted_mean import weighted_mean

Floats = NDArray[np.float64]
Table = tuple[Floats, NDArray[np.bool_]]

NUMBERS = st.sampled_from([0.0, 1.0, 1.0, 2.0, 3.0, 5.0, -4.0, 0.1, 1e6]) | st.floats(-100, 100).map(
    lambda x: round(x, 3)
)


@st.composite
def tables(draw: st.DrawFn, max_dims: int = 4) -> Table:
    """Vectors (n_voters, n_items, n_dims), many of them equal, and which voters have one."""
    n_voters, n_items, n_dims = draw(st.integers(1, 6)), draw(st.integers(1, 4)), draw(st.integers(1, max_dims))
    size = n_voters * n_items * n_dims
    values = np.array(draw(st.lists(NUMBERS, min_size=size, max_size=size))).reshape(n_voters, n_items, n_dims)
    marks = draw(st.lists(st.booleans(), min_size=n_voters * n_items, max_size=n_voters * n_items))
    return values, np.array(marks).reshape(n_voters, n_items) | (np.arange(n_voters) == 0)[:, None]


def everybody(values: Floats) -> NDArray[np.bool_]:
    return np.ones(values.shape[:2], dtype=bool)


def loss(point: Floats, vectors: Floats) -> float:
    return float(np.sqrt(((vectors - point) ** 2).sum(axis=-1)).sum())


def certificate(point: Floats, vectors: Floats) -> float:
    """How long the sum of unit vectors is beyond the vectors at the point itself; 0 proves a geometric median."""
    ways = vectors - point
    lengths = np.sqrt((ways**2).sum(axis=1))
    near = lengths <= 1e-12 * max(lengths.max(), 1e-300)
    return max(float(np.linalg.norm((ways[~near] / lengths[~near, None]).sum(axis=0)) - near.sum()), 0.0)


@given(table=tables())
@settings(max_examples=300)
def test_nothing_near_a_geometric_median_has_a_smaller_sum_of_distances(table: Table) -> None:
    values, present = table

    found = geometric_median(values, present)

    assert found.converged.all()
    for item, point in enumerate(found.points):
        vectors = values[present[:, item], item]
        best = loss(point, vectors)
        around = point + np.concatenate([np.eye(len(point)), -np.eye(len(point))]) * 1e-3
        rivals = [*vectors, vectors.mean(axis=0), np.median(vectors, axis=0), *around]
        assert best <= min(loss(rival, vectors) for rival in rivals) + 1e-9 * best


@pytest.mark.parametrize("kind", ["normal", "ratings", "binary", "cauchy", "plane", "far", "three"])
def test_every_item_carries_a_certificate_that_holds_up(kind: str) -> None:
    generator = np.random.default_rng(7)
    shape = {"plane": (5, 2000, 2), "three": (3, 2000, 5)}.get(kind, (5, 2000, 5))
    values = {
        "ratings": lambda: generator.integers(1, 6, shape).astype(float),
        "binary": lambda: generator.integers(0, 2, shape).astype(float),
        "cauchy": lambda: generator.standard_cauchy(shape),
        "far": lambda: np.round(generator.normal(size=shape) * 2**20) + 2.0**27,
    }.get(kind, lambda: generator.normal(size=shape))()

    found = geometric_median(values, everybody(values))

    assert found.converged.all()
    if kind != "far":  # there the point itself is rounded to the last digit of a large number
        assert max(certificate(point, values[:, item]) for item, point in enumerate(found.points)) <= 2e-9


def test_a_median_that_plain_weiszfeld_misses_is_found() -> None:
    """The start (the mean) is beside a vector that is no median; steps become tiny there and the search stops."""
    vectors = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [-1.0, 0.001], [0.0, 3.0], [0.0, 3.0], [0.1, 3.0]])

    found = geometric_median(vectors[:, None], np.ones((7, 1), dtype=bool))

    assert certificate(found.points[0], vectors) <= 1e-9


def test_geom_median_finds_no_better_point() -> None:
    values = np.random.default_rng(3).normal(size=(7, 20, 3))
    found = geometric_median(values, everybody(values))

    for item, point in enumerate(found.points):
        theirs = compute_geometric_median(values[:, item], eps=1e-12, maxiter=2000, ftol=1e-16).median
        assert point == pytest.approx(theirs, abs=1e-4)
        assert loss(point, values[:, item]) <= loss(theirs, values[:, item]) + 1e-12


@given(table=tables(), data=st.data())
def test_the_order_of_voters_and_items_changes_nothing(table: Table, data: st.DataObject) -> None:
    values, present = table
    voters = data.draw(st.permutations(range(len(values))))
    items = data.draw(st.permutations(range(values.shape[1])))

    shuffled = geometric_median(values[voters][:, items], present[voters][:, items])

    scale = 1 + np.abs(values).max()
    assert shuffled.points == pytest.approx(geometric_median(values, present).points[items], abs=1e-6 * scale)


@given(table=tables(max_dims=3), shift=st.floats(-1e3, 1e3), factor=st.floats(0.1, 10), seed=st.integers(0, 9))
def test_the_geometric_median_moves_turns_and_grows_with_the_vectors(
    table: Table, shift: float, factor: float, seed: int
) -> None:
    values, present = table
    n_dims = values.shape[2]
    turn = ortho_group.rvs(n_dims, random_state=seed) if n_dims > 1 else np.eye(1)

    moved = geometric_median(factor * values @ turn + shift, present)

    plain = geometric_median(values, present).points
    scale = factor * (1 + np.abs(values).max()) + abs(shift)
    assert moved.points == pytest.approx(factor * plain @ turn + shift, abs=1e-5 * scale)


@given(table=tables())
def test_a_voter_that_is_missing_is_a_voter_that_is_not_there(table: Table) -> None:
    values, present = table
    soiled = np.where(present[:, :, None], values, np.nan)

    found = geometric_median(soiled, present)

    for item in range(values.shape[1]):
        alone = values[present[:, item], item][:, None]
        scale = 1 + np.abs(values).max()
        assert found.points[item] == pytest.approx(
            geometric_median(alone, everybody(alone)).points[0], abs=1e-6 * scale
        )


@given(vectors=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=9), far=st.floats(1, 1e12))
def test_fewer_than_half_of_the_voters_move_it_a_bounded_distance(
    vectors: list[tuple[float, float]], far: float
) -> None:
    """Lopuhaä and Rousseeuw (1991): a share e < ½ replaced moves it within 2(1 − e)/(1 − 2e) of the others' reach."""
    values = np.array(vectors)[:, None]
    n, n_bad = len(values), (len(values) + 1) // 2 - 1
    soiled = values.copy()
    soiled[:n_bad] = far

    found = geometric_median(soiled, everybody(soiled)).points[0]

    reach = np.sqrt((values[n_bad:, 0] ** 2).sum(axis=1)).max()
    share = n_bad / n
    assert np.linalg.norm(found) <= 2 * (1 - share) / (1 - 2 * share) * reach + 1e-6


def test_one_voter_moves_the_mean_as_far_as_it_likes() -> None:
    values = np.array([[[0.0, 0.0]], [[1.0, 0.0]], [[1e9, 1e9]]])

    assert np.linalg.norm(values.mean(axis=0)[0]) > 1e8
    assert np.linalg.norm(geometric_median(values, everybody(values)).points[0]) < 2


@pytest.mark.parametrize("n_dims", [1, 2, 3])
def test_of_an_even_number_on_a_line_it_is_the_middle_of_the_middle(n_dims: int) -> None:
    values = np.outer([0.0, 1.0, 2.0, 9.0], np.ones(n_dims))[:, None]

    found = geometric_median(values, everybody(values))

    assert found.points[0] == pytest.approx(np.full(n_dims, 1.5))
    assert found.converged.all()


def test_where_nobody_has_a_vector_there_is_no_median() -> None:
    values, present = np.zeros((2, 2, 3)), np.array([[False, True], [False, False]])

    found = geometric_median(values, present)

    assert found.defined.tolist() == [False, True]
    assert found.n.tolist() == [0, 1]


def test_a_value_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="not finite"):
        geometric_median(np.array([[[np.inf, 0.0]]]), np.ones((1, 1), dtype=bool))


@given(table=tables())
def test_the_coordinate_median_is_that_of_numpy(table: Table) -> None:
    values, present = table
    expected = np.nanmedian(np.where(present[:, :, None], values, np.nan), axis=0)

    found = coordinate_median(values, np.broadcast_to(present[:, :, None], values.shape))

    assert found.values == pytest.approx(expected)


@given(table=tables(), share=st.sampled_from([0.0, 0.1, 0.2, 0.25, 1 / 3, 0.4, 0.49]))
def test_the_trimmed_mean_is_that_of_scipy(table: Table, share: float) -> None:
    values, present = table
    assume(not any(abs(share * n - round(share * n)) < 1e-9 for n in present.sum(axis=0)) or share == 0)

    found = trimmed_mean(values, np.broadcast_to(present[:, :, None], values.shape), share)

    expected = [trim_mean(values[present[:, item], item], share, axis=0) for item in range(values.shape[1])]
    assert found.values == pytest.approx(np.array(expected))


@given(table=tables())
def test_the_weighted_mean_is_that_of_numpy_and_missing_weights_are_left_out(table: Table) -> None:
    values, present = table
    weights = np.arange(1.0, len(values) + 1)

    found = weighted_mean(values, np.broadcast_to(present[:, :, None], values.shape), weights)

    columns = [present[:, item] for item in range(values.shape[1])]
    expected = [np.average(values[on, item], axis=0, weights=weights[on]) for item, on in enumerate(columns)]
    assert found.values == pytest.approx(np.array(expected))


@pytest.mark.parametrize(
    ("locate", "message"),
    [
        (lambda: trimmed_mean(np.zeros((2, 1)), np.ones((2, 1), dtype=bool), 0.5), "0 to below 0.5"),
        (lambda: weighted_mean(np.zeros((2, 1)), np.ones((2, 1), dtype=bool), np.array([1.0, -1.0])), "0 or above"),
        (lambda: coordinate_median(np.zeros((2, 1)), np.ones((1, 2), dtype=bool)), "shapes"),
    ],
)
def test_what_makes_no_sense_is_refused(locate: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        locate()
