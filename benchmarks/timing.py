"""Timing one function call."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
N_TIMES = 5


def best_of(compute: Callable[[], T], n_times: int = N_TIMES) -> tuple[float, T]:
    """The shortest time in seconds, and the last result."""
    times = []
    for _ in range(n_times):
        start = time.perf_counter()
        result = compute()
        times.append(time.perf_counter() - start)
    return min(times), result
