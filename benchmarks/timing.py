"""The time of one function call, and the memory of this process."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
N_TIMES = 5
STATUS = Path("/proc/self/status")


def best_of(compute: Callable[[], T], n_times: int = N_TIMES) -> tuple[float, T]:
    """The shortest time in seconds, and the last result."""
    times = []
    for _ in range(n_times):
        start = time.perf_counter()
        result = compute()
        times.append(time.perf_counter() - start)
    return min(times), result


def peak_mb() -> float:
    """The most memory that this process has held; what its parent held does not count, as it does in `getrusage`."""
    line = next(line for line in STATUS.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024
