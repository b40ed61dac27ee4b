"""Agreement of rankings: Kendall's tau of two orders of the same systems, with an interval over systems."""

from collections.abc import Mapping

import numpy as np

from venire.domain.finding import Finding, Interval, Undefined
from venire.errors import UndefinedStatistic
from venire.stats.cluster_bootstrap import percentile_interval
from venire.stats.kendall_tau import kendall_tau

N_RESAMPLES = 1000
FEW_SYSTEMS = 10


def tau_of(ours: Mapping[str, float], theirs: Mapping[str, float]) -> float | Undefined:
    """Tau-b over the systems that both rank."""
    shared = sorted(ours.keys() & theirs.keys())
    try:
        return kendall_tau(np.array([ours[one] for one in shared]), np.array([theirs[one] for one in shared])).tau
    except UndefinedStatistic as reason:
        return Undefined(str(reason))


def tau_finding(ours: Mapping[str, float], theirs: Mapping[str, float], *, about: str, seed: int) -> Finding:
    """Tau-b with the interval that other systems of the same kind would give."""
    shared = sorted(ours.keys() & theirs.keys())
    missing = len(ours.keys() - theirs.keys())
    return Finding(
        name="kendall_tau",
        about=about,
        value=tau_of(ours, theirs),
        interval=_interval([ours[one] for one in shared], [theirs[one] for one in shared], seed),
        n=len(shared),
        n_groups=len(shared),
        missing=(("not in the reference", missing),) if missing else (),
        provenance="Kendall's tau-b of the two orders, over systems; n counts systems",
    )


def _interval(ours: list[float], theirs: list[float], seed: int) -> Interval | Undefined:
    n = len(ours)
    if n < 3:
        return Undefined(f"{n} systems; at least 3 are needed to see how they vary")
    first, second = np.array(ours), np.array(theirs)
    generator = np.random.Generator(np.random.PCG64(seed))
    values, defined = np.zeros(N_RESAMPLES), np.zeros(N_RESAMPLES, dtype=np.bool_)
    for row in range(N_RESAMPLES):
        drawn = generator.integers(0, n, size=n)
        try:
            values[row] = kendall_tau(first[drawn], second[drawn]).tau
        except UndefinedStatistic:
            continue
        defined[row] = True
    try:
        bounds = percentile_interval(values, defined)
    except UndefinedStatistic as reason:
        return Undefined(str(reason))
    if bounds.is_degenerate:
        return Undefined("every resample of systems gives the same")
    few = "; few systems: too narrow" if n < FEW_SYSTEMS else ""
    method = f"percentile bootstrap over {n} systems, {N_RESAMPLES} resamples, seed {seed}{few}"
    return Interval(low=bounds.low, high=bounds.high, level=bounds.level, method=method)
