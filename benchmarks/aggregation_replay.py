"""Replay of a thousand designs with intervals on triviaqa_judges: in the library, and as a command on a run."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from benchmarks.bounds import Bound, say
from benchmarks.timing import best_of
from venire.importing import import_run
from venire.runs import read_collected
from venire.tuning.replay import replay
from venire.tuning.variants import Wanted

RULES = ("max", "majority", "plurality", "unanimity", "mean")
SIZES = (3, 5)
"""Of nine judges: 84 and 126 panels, by five rules 1,050 designs, and the run's own."""
N_JUDGES = 9


def bounds(shared: Path) -> Iterator[Bound]:
    """In the library from what was collected; the command from its start to its files."""
    folder = shared / "data" / "triviaqa_judges"
    if not folder.is_dir():
        say("replay: not run, because there are no triviaqa_judges beside the checkout")
        return
    with tempfile.TemporaryDirectory() as name:
        run = Path(name) / "run"
        import_run(folder / "items.jsonl.gz", folder / "judgments.jsonl.gz", out=run)
        collected = read_collected(run)
        judges = collected.judge_ids[:N_JUDGES]
        panels = tuple(panel for size in SIZES for panel in combinations(judges, size))
        seconds, found = best_of(lambda: replay(collected, Wanted(panels=panels, rules=RULES)))
        n = len(found.frontiers[0].rows)
        yield Bound(
            name="replay of 1,000 designs with intervals, library <= 1 s",
            holds=seconds <= 1 and n >= 1000,
            measured=f"{seconds:.2f} s for {n:,} designs over 3,195 x {N_JUDGES} votes",
        )
        options = [word for panel in panels for word in ("--judges", ",".join(panel))]
        command = [sys.executable, "-m", "venire", "replay", str(run), "--rules", ",".join(RULES), *options]
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        whole = time.perf_counter() - start
        yield Bound(
            name="replay of 1,000 designs with intervals, command <= 5 s",
            holds=whole <= 5,
            measured=f"{whole:.2f} s from start to files",
        )
