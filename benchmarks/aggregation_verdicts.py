"""`venire verdicts` over a million stored judgments, from the start of the command to the end of its file."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np

from benchmarks.bounds import Bound, say
from venire.designs.write import design_yaml
from venire.domain.aggregation import Aggregation
from venire.domain.design import Design
from venire.domain.identity import CallId, CriterionId, ItemId, JudgeId, content_id
from venire.domain.item import Item, Response, Subject
from venire.domain.judgment import IMPORTED_READER, Failure, Judgment, Label
from venire.domain.panel import IMPORTED, Judge
from venire.domain.rubric import Criterion, NominalScale, Rubric
from venire.store.folder import create
from venire.store.sqlite import open_sqlite_store

N_ITEMS, N_JUDGES = 200_000, 5
AT_ONCE = 20_000
FAILED = 0.03
SECONDS, MB = 4.0, 400
TURNS = 4
"""The first one compiles."""
CHILD = """
import sys
from pathlib import Path
from venire.cli.main import run
sys.argv = ["venire", "verdicts", *sys.argv[1:]]
try:
    run()
finally:
    line = next(one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith("VmHWM"))
    sys.stderr.write(f"\\npeak {int(line.split()[1]) / 1024:.0f}\\n")
"""


def bounds(_shared: Path) -> Iterator[Bound]:
    """One run of five judges over 200,000 items, 3 % of it failures, written as CSV by a command that ran before.

    The first start of a Python program compiles it; an installed one is compiled.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "run"
        n = make_run(folder)
        compiled = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        compiled["PYTHONPYCACHEPREFIX"] = str(Path(name) / "compiled")
        tried = []
        for _ in range(TURNS):
            start = time.perf_counter()
            with (Path(name) / "verdicts.csv").open("wb") as out:
                command = [sys.executable, "-c", CHILD, str(folder), "--csv"]
                child = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, check=True, text=True, env=compiled)
            tried.append(time.perf_counter() - start)
        seconds = statistics.median(tried[1:])
        peak = float(child.stderr.split("peak ")[-1])
    yield Bound(
        name=f"verdicts of 1,000,000 judgments, store to file <= {SECONDS:g} s and <= {MB} MB",
        holds=seconds <= SECONDS and peak <= MB,
        measured=f"{seconds:.1f} s (median of {TURNS - 1}), {peak:.0f} MB for {n:,}",
    )


def make_run(path: Path) -> int:
    """A run folder with so many judgments; how many there are."""
    names = [JudgeId(f"judge-{number}") for number in range(N_JUDGES)]
    scale = NominalScale(labels=("correct", "incorrect"))
    criterion = Criterion(id=CriterionId("correct"), question="Is it correct?", scale=scale)
    design = Design(
        protocol="pointwise",
        rubric=Rubric(criteria=(criterion,)),
        judges=tuple(Judge(id=name, provider=IMPORTED, model=name) for name in names),
        aggregation=Aggregation(),
    )
    outcomes = (Label(value="correct"), Label(value="incorrect"), Failure(reason="unreadable"))
    generator = np.random.Generator(np.random.PCG64(0))
    said = generator.choice(3, size=(N_ITEMS, N_JUDGES), p=(0.6, 0.4 - FAILED, FAILED))
    folder = create(path)
    say(f"Making a run of {N_ITEMS * N_JUDGES:,} judgments …")
    with closing(open_sqlite_store(folder.store)) as store:
        folder.write_text("design.yaml", design_yaml(design))
        store.keep_items(Item(id=ItemId(f"item-{n:06d}"), responses=(Response(text="yes"),)) for n in range(N_ITEMS))
        for start in range(0, N_ITEMS, AT_ONCE // N_JUDGES):
            part = range(start, min(start + AT_ONCE // N_JUDGES, N_ITEMS))
            cells = ((n, row) for n in part for row in range(N_JUDGES))
            store.keep(
                design.asking_id, [_judgment(n, row, names, outcomes[said[n, row]]) for n, row in cells]
            ).result()
    return N_ITEMS * N_JUDGES


def _judgment(item: int, row: int, names: list[JudgeId], outcome: Label | Failure) -> Judgment:
    return Judgment(
        subject=Subject(item_id=ItemId(f"item-{item:06d}"), responses=(0,)),
        criterion_id=CriterionId("correct"),
        judge_id=names[row],
        shown=(0,),
        sample=0,
        attempt=0,
        call_id=CallId(content_id([item, row])),
        outcome=outcome,
        step="imported",
        reader_version=IMPORTED_READER,
    )
