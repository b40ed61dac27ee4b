"""Importing: recorded judgments are written into a run folder, and everything that a run has is derived from them."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

from venire.api import Run
from venire.designs.write import design_yaml
from venire.domain.design import Design
from venire.domain.judgment import Judgment
from venire.errors import UsageError
from venire.imported import Imported, read_imported
from venire.pipeline import decide, report_on, write_results
from venire.store.folder import create
from venire.store.sqlite import open_sqlite_store

AT_ONCE = 5_000
"""Judgments that are written together."""


def import_run(
    items: Path | str,
    judgments: Path | str | Sequence[Path | str],
    *,
    out: Path | str,
    design: Path | str | Design | None = None,
    annotations: Path | str | None = None,
    seed: int = 0,
) -> Run:
    """Make a run of judgments that were made elsewhere. No judge is asked, and none can be.

    Args:
        items: the file of the items; where the judgments bring their items along, one of their files.
        judgments: their file or files, in one of the shapes that are known.
        out: a new run folder.
        design: how they were asked; None: the data tell, by inference (look at the folder's design.yaml).
        annotations: further labels of people, one a line.

    Raises:
        UsageError: a file, row or value is wrong, which is said before anything is written; or the folder holds a run.
    """
    files = [judgments] if isinstance(judgments, Path | str) else judgments
    plan = Path(design) if isinstance(design, str) else design
    return write_imported(
        with_annotations(read_imported(Path(items), [Path(one) for one in files], plan), annotations),
        Path(out),
        seed=seed,
    )


def with_annotations(imported: Imported, annotations: Path | str | None) -> Imported:
    """The same with the labels of a further file."""
    if annotations is None:
        return imported
    from venire.datasets.annotations import read_annotations

    by_id = {item.id: item for item in imported.items}
    design = imported.design
    read = read_annotations(
        Path(annotations),
        by_id,
        protocol=design.protocol,
        rubric=design.rubric,
        best_of=design.aggregation.best_of is not None,
    )
    return replace(imported, annotations=(*imported.annotations, *read))


def write_imported(imported: Imported, out: Path, *, seed: int = 0) -> Run:
    """Write a run folder of what was read, with verdicts and report.

    Raises:
        UsageError: the folder holds a run already.
    """
    folder = create(out)
    if folder.store.stat().st_size:
        raise UsageError(f"The folder {str(out)!r} holds a run already; import into a new one.")
    design = imported.design
    with closing(open_sqlite_store(folder.store)) as store:
        folder.write_text("design.yaml", design_yaml(design))
        store.keep_items(imported.items)
        store.keep_annotations(imported.annotations)
        for some in _some_at_once(imported.judgments):
            store.keep(design.asking_id, some).result()
        decision = decide(store, design)
        report = report_on(decision, store, design, seed=seed, warnings=imported.noticed)
    write_results(folder, decision, report, design)
    return Run(decision=decision, report=report, folder=out, ended="all_told")


def _some_at_once(judgments: Sequence[Judgment]) -> Iterator[Sequence[Judgment]]:
    rest = iter(judgments)
    while some := tuple(islice(rest, AT_ONCE)):
        yield some
