"""Speed and memory of aggregation beside other implementations: python -m benchmarks.aggregation [SHARED]

Everything is synthetic and seeded unless a data set is named; crowd-kit and geom-median run in the same process where
they are installed (requirements/oracles.txt). Times are the best of five: noise only ever adds to them.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks import aggregation_geometric_median, aggregation_latent, aggregation_replay, aggregation_verdicts
from benchmarks.bounds import Bound, conclude

PARTS = (aggregation_geometric_median, aggregation_latent, aggregation_replay, aggregation_verdicts)


def bounds(shared: Path) -> Iterator[Bound]:
    """Every part's bounds, as they are measured."""
    for part in PARTS:
        yield from part.bounds(shared)


if __name__ == "__main__":
    sys.exit(conclude("bench-aggregation", bounds(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared"))))
