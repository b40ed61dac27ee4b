"""Small rubrics and files for the tests of datasets."""

import gzip
import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from venire.datasets.columns import Columns
from venire.datasets.items import ReadItems, read_items
from venire.domain.design import Protocol
from venire.domain.identity import CriterionId, ItemId
from venire.domain.item import Item, Response
from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, NominalScale, OrdinalScale, Rubric, Scale


def rubric_of(**scales: Scale) -> Rubric:
    return Rubric(
        criteria=tuple(Criterion(id=CriterionId(name), question="How is it?", scale=s) for name, s in scales.items())
    )


CORRECT = rubric_of(correct=NominalScale(labels=("correct", "incorrect")))
RATED = rubric_of(quality=IntervalScale(min=1, max=5))
LETTERS = rubric_of(grade=OrdinalScale(labels=("C", "B", "A")))
TWO = rubric_of(correct=NominalScale(labels=("correct", "incorrect")), quality=IntervalScale(min=1, max=5))
BETTER = rubric_of(better=ChoiceScale(tie=True, both_bad=True))
NO_TIE = rubric_of(better=ChoiceScale(tie=False))


@contextmanager
def file_of(content: str | bytes, name: str = "items.jsonl") -> Iterator[Path]:
    """A file that lives as long as the block; a name that ends in .gz is compressed unless bytes are given."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        data = content.encode("utf-8") if isinstance(content, str) else content
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") and isinstance(content, str) else data)
        yield path


def lines(*rows: Mapping[str, object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def read(
    content: str | bytes,
    *,
    name: str = "items.jsonl",
    protocol: Protocol = "pointwise",
    rubric: Rubric = CORRECT,
    skip_bad: bool = False,
    limit: int | None = None,
    columns: Columns = (),
) -> ReadItems:
    with file_of(content, name) as path:
        return read_items(path, protocol=protocol, rubric=rubric, columns=columns, skip_bad=skip_bad, limit=limit)


def item(name: str, *systems: str | None) -> Item:
    return Item(id=ItemId(name), responses=tuple(Response(text="words", system=s) for s in systems or (None,)))


def by_id(*items: Item) -> dict[ItemId, Item]:
    return {one.id: one for one in items}
