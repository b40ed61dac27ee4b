"""Geometric medians of 200,000 items, every one with its certificate; the package geom-median on a sample."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.bounds import Bound, say
from benchmarks.timing import best_of
from venire.stats.geometric_median import TOLERANCE, GeometricMedians, geometric_median

N = 200_000
N_SAMPLE = 500
N_PROVEN = 20_000
"""Items whose certificate is worked out again, with more digits and from nothing but the vectors and the point."""
SECONDS, HOSTILE_SECONDS = 0.7, 1.0


def bounds(_shared: Path) -> Iterator[Bound]:
    """One bound for each set of vectors."""
    for name, values in vectors().items():
        present = np.ones(values.shape[:2], dtype=np.bool_)
        seconds, found = best_of(lambda values=values, present=present: geometric_median(values, present))
        again = worst_again(found.points[:N_PROVEN], values[:, :N_PROVEN])
        most = SECONDS if name == "normal" else HOSTILE_SECONDS
        shape = f"{N:,} x {len(values)} x {values.shape[2]}"
        yield Bound(
            name=f"geometric median, {name}, {shape} <= {most} s, certified",
            holds=seconds <= most and bool(found.converged.all()) and again <= 2 * TOLERANCE,
            measured=f"{seconds:.2f} s, {tell(found)}, {again:.1e} worked out again for {N_PROVEN:,}",
        )
        if name == "normal":
            beside_package(values, seconds)


def vectors() -> Mapping[str, NDArray[np.float64]]:
    """Four or five voters' vectors: as they come, and hostile ones."""
    generator = np.random.Generator(np.random.PCG64(0))
    truth = generator.normal(size=(N, 5))
    normal = truth + generator.normal(size=(5, N, 5))
    return {
        "normal": normal,
        "ties (ratings 1 to 5)": generator.integers(1, 6, (5, N, 5)).astype(np.float64),
        "binary": generator.integers(0, 2, (5, N, 5)).astype(np.float64),
        "Cauchy": generator.standard_cauchy((5, N, 5)),
        "offsets of 1e8": normal * 1e6 + 1e8,
        "two dimensions": normal[:, :, :2].copy(),
        # Two of four are equally good but for rounding, and what lies between them is no median.
        "almost on a line": generator.normal(size=(4, N, 1)) * truth + 1e-7 * generator.normal(size=(4, N, 5)),
    }


def worst_again(points: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    """The worst excess of points, less what rounding a point to 64 bits may add to it."""
    ways = values.astype(np.longdouble) - points.astype(np.longdouble)
    lengths = np.sqrt((ways * ways).sum(axis=2))
    here = lengths == 0
    inverse = np.where(here, 0, 1 / np.where(here, 1, lengths))
    pull = np.sqrt(((ways * inverse[:, :, None]).sum(axis=0) ** 2).sum(axis=1))
    rounding = 4 * np.finfo(np.float64).eps * np.abs(points).max(axis=1) * inverse.sum(axis=0)
    return float(np.maximum(pull - here.sum(axis=0) - rounding, 0).max())


def tell(found: GeometricMedians) -> str:
    """How well it is proven."""
    return f"worst |gradient| {found.excess.max():.1e}, {int((~found.converged).sum())} without certificate"


def beside_package(values: NDArray[np.float64], seconds: float) -> None:
    """The same by geom-median, where it is installed: item by item, so a sample is scaled up."""
    try:
        from geom_median.numpy import compute_geometric_median
    except ImportError:
        say("geom-median: not run, because it is not installed")
        return

    def theirs() -> list[NDArray[np.float64]]:
        return [compute_geometric_median(values[:, item]).median for item in range(N_SAMPLE)]

    sampled, _ = best_of(theirs, 1)
    scaled = sampled * N / N_SAMPLE
    say(f"geom-median: {sampled:.2f} s for {N_SAMPLE}, so {scaled:.0f} s for {N:,}: {scaled / seconds:.0f} x as long")
