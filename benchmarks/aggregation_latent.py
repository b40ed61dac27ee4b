"""Dawid-Skene on 200,000 items, beside crowd-kit; the memory of a process of its own."""

import json
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.bounds import Bound, say
from benchmarks.timing import best_of, peak_mb
from venire.stats.dawid_skene import dawid_skene

N = 200_000
N_LABELS = 5
CROWD_KIT_ITERATIONS = 10


def votes(n_voters: int, missing: float) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]]:
    """Votes of voters who are right in 60 to 80 % and else give any label; the truth last."""
    generator = np.random.Generator(np.random.PCG64(0))
    truth = generator.integers(0, N_LABELS, N)
    codes = np.empty((n_voters, N))
    for row, accuracy in enumerate(np.linspace(0.6, 0.8, n_voters)):
        codes[row] = np.where(generator.random(N) < accuracy, truth, generator.integers(0, N_LABELS, N))
    return codes, generator.random(codes.shape) >= missing, truth


def bounds(_shared: Path) -> Iterator[Bound]:
    """Five complete voters in this process, eleven with holes in one of their own."""
    codes, present, truth = votes(5, 0.0)
    seconds, fit = best_of(lambda: dawid_skene(codes, present, N_LABELS))
    right = float((fit.posterior.argmax(axis=1) == truth).mean())
    yield Bound(
        name="Dawid-Skene, 200,000 x 5, 5 labels <= 0.05 s",
        holds=seconds <= 0.05 and fit.converged,
        measured=f"{seconds:.3f} s, {fit.n_patterns:,} patterns, {fit.n_iterations} iterations, {right:.4f} right",
    )
    _beside_crowd_kit(codes, truth, seconds)
    child = subprocess.run([sys.executable, "-m", __name__], capture_output=True, text=True, check=True)
    measured = json.loads(child.stdout)
    yield Bound(
        name="Dawid-Skene, 200,000 x 11, 10 % missing <= 1 s and <= 150 MB",
        holds=measured["seconds"] <= 1 and measured["peak_mb"] <= 150,
        measured="{seconds:.2f} s, {peak_mb:.0f} MB, {n_patterns:,} patterns".format(**measured),
    )


def _beside_crowd_kit(codes: NDArray[np.float64], truth: NDArray[np.int64], seconds: float) -> None:
    try:
        import pandas as pd
        from crowdkit.aggregation import DawidSkene
    except ImportError:
        say("crowd-kit: not run, because it is not installed")
        return
    voters, items = np.indices(codes.shape).reshape(2, -1)
    table = pd.DataFrame({"task": items, "worker": voters, "label": codes.reshape(-1).astype(int)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs, labels = best_of(lambda: DawidSkene(n_iter=CROWD_KIT_ITERATIONS).fit_predict(table), 1)
    right = float((labels.sort_index().to_numpy() == truth).mean())
    say(f"crowd-kit: {theirs:.2f} s, {CROWD_KIT_ITERATIONS} iterations, {right:.4f} right: {theirs / seconds:.0f} x")


def _measure_alone() -> None:
    codes, present, _ = votes(11, 0.1)
    seconds, fit = best_of(lambda: dawid_skene(codes, present, N_LABELS), 3)
    say(json.dumps({"seconds": seconds, "peak_mb": peak_mb(), "n_patterns": fit.n_patterns}))


if __name__ == "__main__":
    _measure_alone()
