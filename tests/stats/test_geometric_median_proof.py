"""The geometric median's certificate, worked out again with more digits; weights of voters; extreme numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize

from venire.stats.geometric_median import geometric_median

Floats = NDArray[np.float64]


def everybody(values: Floats) -> NDArray[np.bool_]:
    return np.ones(values.shape[:2], dtype=bool)


def proven_excess(points: Floats, values: Floats) -> Floats:
    """The certificate from scratch in extended precision, less what rounding the point to 64 bits may add."""
    ways = values.astype(np.longdouble) - points.astype(np.longdouble)
    lengths = np.sqrt((ways * ways).sum(axis=2))
    here = lengths == 0
    inverse = np.where(here, 0, 1 / np.where(here, 1, lengths))
    pull = np.sqrt(((ways * inverse[:, :, None]).sum(axis=0) ** 2).sum(axis=1))
    rounding = 4 * np.finfo(np.float64).eps * np.abs(points).max(axis=1) * inverse.sum(axis=0)
    return np.asarray(np.maximum(pull - here.sum(axis=0), 0) - rounding, dtype=np.float64)


@pytest.mark.parametrize("n_voters", [2, 4, 5, 6])
@pytest.mark.parametrize("bend", [0.0, 1e-14, 1e-11, 1e-9, 1e-7, 1e-5, 1e-3])
def test_the_certificate_is_true_of_vectors_that_are_almost_on_a_line(n_voters: int, bend: float) -> None:
    generator = np.random.default_rng(1)
    line = generator.normal(size=(n_voters, 500, 1)) * generator.normal(size=(1, 500, 3))
    values = line + bend * generator.normal(size=line.shape)

    found = geometric_median(values, everybody(values))

    assert found.converged.all()
    assert proven_excess(found.points, values).max() <= 2e-9


@pytest.mark.parametrize("power", [-950, -540, -400, 400, 540, 1020])
@pytest.mark.parametrize("n_dims", [1, 2, 5])
def test_numbers_of_any_size_have_the_same_median(power: int, n_dims: int) -> None:
    """Squares of such numbers are 0 or infinite. Whole numbers of ten bits: scaled by a power of two they lose none."""
    whole = np.random.default_rng(2).integers(-512, 512, (5, 300, n_dims)).astype(np.float64)
    values = np.ldexp(whole, power - 10)

    found = geometric_median(values, everybody(values))

    plain = geometric_median(whole, everybody(whole))
    assert found.converged.all()
    assert np.ldexp(found.points, 10 - power) == pytest.approx(plain.points, abs=1e-6)


def test_the_steps_are_counted() -> None:
    vertex, inner = np.zeros((3, 1, 2)), np.array([[[0.0, 0.0]], [[1.0, 0.0]], [[0.4, 0.9]]])

    assert geometric_median(vertex, everybody(vertex)).n_iterations == 0
    assert 1 <= geometric_median(inner, everybody(inner)).n_iterations <= 20


@given(
    seed=st.integers(0, 10_000),
    times=st.lists(st.integers(1, 3), min_size=2, max_size=5),
    n_dims=st.integers(1, 4),
    is_whole=st.booleans(),
)
@settings(max_examples=150)
def test_a_voter_of_weight_two_is_two_voters(seed: int, times: list[int], n_dims: int, is_whole: bool) -> None:
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(len(times), 3, n_dims))
    values = np.round(values * 2) if is_whole else values
    present = generator.random(values.shape[:2]) < 0.8
    repeated = np.repeat(np.arange(len(times)), times)

    weighted = geometric_median(values, present, np.array(times, dtype=np.float64))

    copied = geometric_median(values[repeated], present[repeated])
    assert weighted.converged.all()
    assert weighted.defined.tolist() == copied.defined.tolist()
    assert weighted.points == pytest.approx(copied.points, abs=1e-6)


@given(seed=st.integers(0, 10_000), factor=st.sampled_from([1e-200, 1e-9, 3.0, 1e200]), n_dims=st.integers(1, 3))
def test_only_the_proportions_of_weights_matter(seed: int, factor: float, n_dims: int) -> None:
    generator = np.random.default_rng(seed)
    values, weights = generator.normal(size=(5, 4, n_dims)), generator.random(5) + 0.1

    found = geometric_median(values, everybody(values), factor * weights)

    assert found.converged.all()
    assert found.points == pytest.approx(geometric_median(values, everybody(values), weights).points, abs=1e-6)


def test_scipy_finds_no_better_point_for_unequal_weights() -> None:
    generator = np.random.default_rng(5)
    values, weights = generator.normal(size=(6, 30, 3)), generator.random(6) + 0.05

    found = geometric_median(values, everybody(values), weights)

    assert found.converged.all()
    for item, point in enumerate(found.points):

        def loss(place: Floats, item: int = item) -> float:
            return float(weights @ np.sqrt(((values[:, item] - place) ** 2).sum(axis=1)))

        theirs = minimize(loss, values[:, item].mean(axis=0), method="Nelder-Mead", options={"xatol": 1e-7})
        assert loss(point) <= theirs.fun + 1e-12


def test_a_voter_with_more_than_half_of_the_weight_decides() -> None:
    values = np.random.default_rng(6).normal(size=(4, 20, 3))

    found = geometric_median(values, everybody(values), np.array([1.0, 5.0, 2.0, 1.5]))

    assert found.points == pytest.approx(values[1])
    assert found.is_vertex.all()


def test_a_voter_without_weight_is_not_there() -> None:
    values = np.array([[[0.0, 0.0]], [[4.0, 0.0]]])

    found = geometric_median(values, everybody(values), np.array([0.0, 1.0]))

    assert found.points.tolist() == [[4.0, 0.0]]
    assert found.n.tolist() == [1]
    assert not geometric_median(values, everybody(values), np.zeros(2)).defined.any()


@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [1.0, np.inf], [1.0, np.nan]])
def test_weights_that_are_no_weights_are_refused(weights: list[float]) -> None:
    with pytest.raises(ValueError, match="weights"):
        geometric_median(np.zeros((2, 1, 2)), np.ones((2, 1), dtype=bool), np.array(weights))
