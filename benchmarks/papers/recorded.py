"""Recorded judgments of ../shared/data as coded votes: labels of a few judges over the same items, and gold."""

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from venire.coding.labels import code_value, labels_of
from venire.coding.votes import CodedVotes
from venire.domain.identity import ItemId
from venire.domain.item import Subject
from venire.domain.rubric import ChoiceScale, NominalScale, Scale, Value

Row = Mapping[str, Any]
CORRECT = NominalScale(labels=("incorrect", "correct"), positive="correct")
CHOICE = ChoiceScale(tie=False)
NO_LABEL = "no label"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One data set: the votes of its judges, gold, and who wrote what."""

    votes: CodedVotes
    gold: CodedVotes
    items: tuple[Row, ...]
    families: Mapping[str, str]
    """By judge."""

    def groups(self, field: str) -> list[str]:
        """The cluster of each item, such as its question."""
        return [str(item[field]) for item in self.items]

    @property
    def systems(self) -> list[tuple[str, ...]]:
        """The systems that gave each item's first response."""
        models = [item["answers"][0]["model"] for item in self.items]
        return [tuple(one) if isinstance(one, list) else (str(one),) for one in models]


def rows(path: Path) -> list[Row]:
    """The objects of a gzipped JSONL file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read_reference(folder: Path) -> Recorded:
    """A set of answers judged correct or incorrect."""
    return _read(folder, CORRECT, lambda row: row["judge"], lambda row: str(row["label"]))


def read_pairs(folder: Path, prompts: Sequence[str]) -> Recorded:
    """A set of pairs: a rater is a judge under one prompt in one order, "judge@prompt AB"."""

    def rater(row: Row) -> str | None:
        return f"{row['judge']}@{row['prompt']} {row['order']}" if row["prompt"] in prompts else None

    return _read(folder, CHOICE, rater, lambda row: {"A": 0, "B": 1}[row["label"]])


def _read(
    folder: Path, scale: Scale, rater_of: Callable[[Row], str | None], value_of: Callable[[Row], Value]
) -> Recorded:
    items = rows(folder / "items.jsonl.gz")
    n_responses = 2 if isinstance(scale, ChoiceScale) else 1
    subjects = [Subject(item_id=ItemId(item["id"]), responses=tuple(range(n_responses))) for item in items]
    columns = {item["id"]: column for column, item in enumerate(items)}
    recorded = [(rater, row) for row in rows(folder / "judgments.jsonl.gz") if (rater := rater_of(row)) is not None]
    raters = list(dict.fromkeys(rater for rater, _ in recorded))
    codes = np.zeros((len(raters), len(items)))
    missing = np.ones(codes.shape, dtype=np.int16)
    for rater, row in recorded:
        if row["label"] is not None:
            place = raters.index(rater), columns[row["item_id"]]
            codes[place] = code_value(scale, value_of(row), subjects[place[1]])
            missing[place] = 0
    gold = np.array(
        [[code_value(scale, value_of({"label": i["gold"]}), s) for i, s in zip(items, subjects, strict=True)]]
    )
    empty = CodedVotes(
        scale=scale,
        labels=labels_of(scale, n_responses),
        raters=(),
        subjects=tuple(subjects),
        codes=codes[:0],
        missing=missing[:0],
        reasons=(NO_LABEL,),
    )
    return Recorded(
        votes=_with(empty, raters, codes, missing),
        gold=_with(empty, ["gold"], gold, np.zeros(gold.shape, dtype=np.int16)),
        items=tuple(items),
        families={row["judge"]: row["family"] for _, row in recorded},
    )


def _with(
    votes: CodedVotes, raters: Sequence[str], codes: NDArray[np.float64], missing: NDArray[np.int16]
) -> CodedVotes:
    return replace(votes, raters=tuple(raters), codes=codes, missing=missing)
