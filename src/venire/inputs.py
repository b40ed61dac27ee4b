"""Inputs: items, design and annotations, from files or as values, checked before anything is asked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from venire.domain.aggregation import LEARNED
from venire.domain.annotation import Annotation
from venire.domain.design import Design
from venire.domain.identity import ItemId
from venire.domain.item import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Items, design and annotations, read and checked."""

    items: Sequence[Item]
    design: Design
    annotations: Sequence[Annotation]
    notes: tuple[str, ...] = ()
    """What the reader of the files noticed."""


def load_inputs(
    items: Path | str | Iterable[Item],
    design: Path | str | Design,
    annotations: Path | str | Iterable[Annotation] = (),
    *,
    skip_bad_items: bool = False,
    limit: int | None = None,
) -> Inputs:
    """Read what is given as files; every bad row is listed before anything is asked.

    Raises:
        UsageError: a file, row or field is wrong.
    """
    from venire.datasets.annotations import read_annotations
    from venire.datasets.items import read_items
    from venire.designs.read import read_design

    plan = design if isinstance(design, Design) else read_design(design)
    people: list[Annotation] = []
    notes: list[str] = []
    left_out: frozenset[ItemId] = frozenset()
    if isinstance(items, Path | str):
        read = read_items(
            Path(items),
            protocol=plan.protocol,
            rubric=plan.rubric,
            columns=plan.columns,
            skip_bad=skip_bad_items,
            limit=limit,
            best_of=plan.aggregation.best_of is not None,
        )
        given: Sequence[Item] = read.items
        people += read.annotations
        left_out = read.left_out
        notes += read.notes
        if read.problems:
            notes.append(f"{len(read.problems)} problems: the bad items were left out. The first: {read.problems[0]}")
    else:
        # A sequence stays what it is: one that makes its items when they are looked at holds none of them.
        given = items if isinstance(items, Sequence) else tuple(items)  # type: ignore[assignment]
        given = given if limit is None else given[:limit]
    if isinstance(annotations, Path | str):
        by_id = {item.id: item for item in given}
        annotations = read_annotations(
            Path(annotations),
            by_id,
            protocol=plan.protocol,
            rubric=plan.rubric,
            left_out=left_out,
            best_of=plan.aggregation.best_of is not None,
        )
    if plan.aggregation.rule in LEARNED and not people and not annotations:
        notes.append(
            f"aggregation.rule {plan.aggregation.rule} learns from gold, and none is given here: unless the run folder "
            "holds people's labels already, judgments are kept but nothing can be decided. Give --annotations."
        )
    return Inputs(items=given, design=plan, annotations=(*people, *annotations), notes=tuple(notes))
