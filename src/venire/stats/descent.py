"""Descending to a geometric median: away from the best vector, then by Newton's steps with a line search."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_MAX_ITERATIONS = 200
_SHORTEST = 2.0**-30
_NOISE = 4e-16
_MANY = 0.25
_NO_DISTANCE = 1e-150
"""In units of the mean distance: its square is still a number."""
_RIDGE = 1e-13
"""Of the curvature's trace, added to its diagonal: vectors that are almost on a line have almost none along it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offsets:
    """The voters' vectors about an origin that is one of them, in units of their mean distance from it."""

    ways: NDArray[np.float64]
    """Shape (n_voters, n_dims, n_items)."""
    weights: NDArray[np.float64]
    """Shape (n_voters, n_items): 0 where the vector does not count."""
    distances: NDArray[np.float64]
    """Shape (n_voters, n_items): their lengths."""
    n_here: NDArray[np.float64]
    """Shape (n_items,): the weight of the vectors at the origin."""
    unit: NDArray[np.float64]
    """Shape (n_items,): the mean distance."""

    @classmethod
    def about(
        cls, origin: NDArray[np.float64], columns: NDArray[np.float64], weights: NDArray[np.float64]
    ) -> "Offsets":
        """Measure vectors (n_voters, n_dims, n_items) from an origin (n_dims, n_items)."""
        counted = (weights > 0).astype(np.float64)
        ways = (columns - origin) * counted[:, None, :]
        distances = np.sqrt(np.einsum("vdi,vdi->vi", ways, ways))
        unit = distances.sum(axis=0) / np.maximum(counted.sum(axis=0), 1)
        unit[unit == 0] = 1.0
        ways /= unit
        distances /= unit
        n_here = (weights * (distances == 0)).sum(axis=0)
        return cls(ways=ways, weights=weights, distances=distances, n_here=n_here, unit=unit)

    def of(self, items: NDArray[np.intp] | NDArray[np.bool_]) -> "Offsets":
        """Those of some items alone."""
        return Offsets(
            ways=self.ways[:, :, items],
            weights=self.weights[:, items],
            distances=self.distances[:, items],
            n_here=self.n_here[items],
            unit=self.unit[items],
        )


def pull(offsets: Offsets) -> NDArray[np.float64]:
    """The weighted sum of unit vectors from the origin to all others: shape (n_dims, n_items)."""
    inverse = np.divide(
        offsets.weights, offsets.distances, out=np.zeros_like(offsets.distances), where=offsets.distances > 0
    )
    return np.asarray(np.einsum("vi,vdi->di", inverse, offsets.ways))


@dataclass(slots=True)
class _State:
    """Where every item stands; all of shape (…, n_items)."""

    z: NDArray[np.float64]
    loss: NDArray[np.float64]
    """By how much the sum of distances is larger than at the origin: no difference of large numbers."""
    gradient_norm: NDArray[np.float64]
    direction: NDArray[np.float64]
    length: NDArray[np.float64]
    """Of the step, as a share of the direction."""

    def move(
        self,
        trial: NDArray[np.float64],
        loss: NDArray[np.float64],
        norm: NDArray[np.float64],
        noise: NDArray[np.float64],
    ) -> NDArray[np.bool_]:
        """Go to the trial points that are better, and halve the step of the others; tell which are better.

        Args:
            noise: losses that differ by no more are compared by their gradients.
        """
        is_flat = np.abs(loss - self.loss) <= noise
        better = np.asarray(np.where(is_flat, norm < self.gradient_norm, loss < self.loss), dtype=np.bool_)
        if better.all():
            self.z, self.loss, self.gradient_norm = trial, loss, norm
            self.length = np.ones_like(loss)
            return better
        self.z = np.where(better, trial, self.z)
        self.loss = np.where(better, loss, self.loss)
        self.gradient_norm = np.where(better, norm, self.gradient_norm)
        self.length = np.where(better, 1.0, self.length / 2)
        return better

    def take(self, items: NDArray[np.bool_]) -> None:
        """Keep some items alone."""
        self.z, self.direction = self.z[:, items], self.direction[:, items]
        self.loss, self.gradient_norm, self.length = self.loss[items], self.gradient_norm[items], self.length[items]


@dataclass(frozen=True, slots=True, kw_only=True)
class Descent:
    """Where the descents ended."""

    way: NDArray[np.float64]
    """Shape (n_dims, n_items): from the origin, in the units of the vectors."""
    excess: NDArray[np.float64]
    """Shape (n_items,): the length of the gradient there."""
    n_iterations: int
    """Of the item that took the most."""


def excess_at(offsets: Offsets, way: NDArray[np.float64]) -> NDArray[np.float64]:
    """The length of the gradient, shape (n_items,), at a way (n_dims, n_items) from the origin."""
    _, gradient, _ = _look(offsets, way / offsets.unit)
    return np.asarray(np.sqrt(np.einsum("di,di->i", gradient, gradient)))


def descend(offsets: Offsets, towards: NDArray[np.float64], tolerance: float) -> Descent:
    """Walk from an origin that is no median to the median.

    The first step goes along the pull of the others, as far as the curvature along it says. Then Newton's steps;
    one that makes neither the sum of distances nor, within rounding, the gradient smaller is halved.

    Args:
        towards: shape (n_dims, n_items), the pull at the origin, longer than the weight there.
        tolerance: of the length of the gradient.
    """
    n_dims, n_items = towards.shape
    z, excess = np.zeros((n_dims, n_items)), np.full(n_items, np.inf)
    open_ = np.arange(n_items)
    state = _leave(offsets, towards)
    here, unit = offsets, offsets.unit
    n_iterations = 0
    while n_iterations < _MAX_ITERATIONS:
        n_iterations += 1
        trial = state.z + state.length * state.direction
        loss, gradient, curvature = _look(here, trial)
        noise = _NOISE * len(here.ways) * np.sqrt(np.einsum("di,di->i", trial, trial))
        better = state.move(trial, loss, np.sqrt(np.einsum("di,di->i", gradient, gradient)), noise)
        done = (state.gradient_norm <= tolerance) | (state.length < _SHORTEST)
        # Items that are done stay until they are many: taking the others out costs as much as looking at them again.
        if done.mean() > _MANY:
            z[:, open_[done]], excess[open_[done]] = state.z[:, done] * unit[open_[done]], state.gradient_norm[done]
            if done.all():
                break
            left = ~done
            open_, here = open_[left], here.of(left)
            state.take(left)
            better, gradient, curvature = better[left], gradient[:, left], curvature[:, :, left]
        step = _solve(curvature, gradient)
        state.direction = step if better.all() else np.where(better, step, state.direction)
    else:
        z[:, open_], excess[open_] = state.z * unit[open_], state.gradient_norm
    return Descent(way=z, excess=excess, n_iterations=n_iterations)


def _leave(offsets: Offsets, towards: NDArray[np.float64]) -> _State:
    """The first step away from the origin."""
    norm = np.sqrt((towards * towards).sum(axis=0))
    direction = towards / norm
    inverse = np.divide(
        offsets.weights, offsets.distances, out=np.zeros_like(offsets.distances), where=offsets.distances > 0
    )
    along = np.einsum("vdi,di->vi", offsets.ways, direction) / np.where(inverse > 0, offsets.distances, 1.0)
    bend = (inverse * np.maximum(1 - along * along, 0.0)).sum(axis=0)
    surplus = norm - offsets.n_here
    # No further than to the mean distance of the vectors, where there is hardly a bend.
    length = surplus / np.maximum(bend, surplus)
    return _State(
        z=np.zeros_like(towards),
        loss=np.zeros_like(surplus),
        gradient_norm=surplus,
        direction=direction * length,
        length=np.ones_like(length),
    )


def _look(
    offsets: Offsets, z: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """At a point: growth of the sum of distances (n_items,), its gradient and curvature (n_dims, …, n_items)."""
    n_dims, n_items = z.shape
    loss, total = np.zeros(n_items), np.zeros(n_items)
    gradient, curvature = np.zeros((n_dims, n_items)), np.zeros((n_dims, n_dims, n_items))
    room = np.empty((n_dims, n_items))
    for way, weight, distance_before in zip(offsets.ways, offsets.weights, offsets.distances, strict=True):
        unit = z - way
        distance = np.sqrt(np.einsum("di,di->i", unit, unit))
        closeness = 1.0 / np.maximum(distance, _NO_DISTANCE)
        inverse = weight * closeness
        # |z − x| − |x| without a difference of large numbers: z·(z − 2x) / (|z − x| + |x|).
        growth = np.einsum("di,di->i", z, unit - way)
        loss += weight * growth / np.maximum(distance + distance_before, _NO_DISTANCE)
        total += inverse
        bent = unit * (closeness * closeness)  # the unit vector over the distance
        unit *= inverse  # the unit vector by its weight
        gradient += unit
        for row in range(n_dims):
            product = np.multiply(bent[row], unit[: row + 1], out=room[: row + 1])
            curvature[row, : row + 1] -= product
    for row in range(n_dims):
        curvature[row, row] += total
    return loss, gradient, curvature


def _solve(curvature: NDArray[np.float64], gradient: NDArray[np.float64]) -> NDArray[np.float64]:
    """Newton's step, −curvature⁻¹ gradient, by LDLᵀ; only the lower triangle is read, and it is written over."""
    n_dims = len(gradient)
    lower, step = curvature, -gradient
    ridge = _RIDGE * sum(curvature[row, row] for row in range(n_dims))
    for pivot in range(n_dims):
        diagonal = np.maximum(lower[pivot, pivot], ridge)
        inverse = 1.0 / diagonal
        for row in range(n_dims - 1, pivot, -1):  # downwards: the rows above are still needed as they are
            factor = lower[row, pivot] * inverse
            for column in range(pivot + 1, row + 1):
                lower[row, column] -= factor * lower[column, pivot]
            step[row] -= factor * step[pivot]
            lower[row, pivot] = factor
        lower[pivot, pivot] = inverse
    for pivot in range(n_dims - 1, -1, -1):
        step[pivot] *= lower[pivot, pivot]
        for row in range(pivot + 1, n_dims):
            step[pivot] -= lower[row, pivot] * step[row]
    return step
