"""Parquet gives the same items as the other files, under the same rules."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from venire.datasets.items import ReadItems, read_items
from venire.datasets.parquet import SLICE
from venire.datasets.recordings import read_recordings
from venire.errors import DataError

from .makers import CORRECT, lines, read


def _read(tmp_path: Path, frame: pl.DataFrame, **more: Any) -> ReadItems:
    frame.write_parquet(tmp_path / "items.parquet")
    return read_items(tmp_path / "items.parquet", protocol="pointwise", rubric=CORRECT, **more)


def test_rows_are_read_as_from_json_lines(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"id": "1", "prompt": "p", "response": "plain", "reference": ["r1", "r2"], "gold": "correct"},
        {"id": "0017", "prompt": None, "response": "", "reference": [], "gold": None},
        {"id": "1e3", "prompt": None, "response": None, "reference": None, "gold": "incorrect"},
    ]

    from_table, from_lines = _read(tmp_path, pl.DataFrame(rows)), read(lines(*rows))

    assert from_table.items == from_lines.items
    assert from_table.annotations == from_lines.annotations


def test_lists_of_objects_are_responses(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": [7], "responses": [[{"system": "a", "text": "x"}, {"system": "b", "text": None}]]})

    (item,) = _read(tmp_path, frame).items

    assert item.id == "7"
    assert [(each.system, each.text) for each in item.responses] == [("a", "x"), ("b", None)]


@pytest.mark.parametrize(
    ("column", "values", "words"),
    [
        ("id", [1.0, 2.0], "row 1: the id is 1.0"),
        ("id", ["a", "a"], "row 2: id 'a'"),
        ("id", ["a", None], "row 2: the id is missing"),
        ("context", [float("nan"), 1.0], "row 1: nan is no number"),
        ("context", [b"x", b"y"], "row 1: .*is of type bytes"),
    ],
)
def test_a_bad_row_is_named_by_its_number(tmp_path: Path, column: str, values: list[Any], words: str) -> None:
    columns: dict[str, list[Any]] = {"id": ["1", "2"], "response": ["x", "y"], column: values}

    with pytest.raises(DataError, match=words):
        _read(tmp_path, pl.DataFrame(columns))


def test_a_long_table_is_read_in_slices(tmp_path: Path) -> None:
    n = 2 * SLICE + 1

    read_in = _read(tmp_path, pl.DataFrame({"id": list(range(n)), "response": ["x"] * n}))

    assert [item.id for item in read_in.items] == [str(number) for number in range(n)]


@pytest.mark.parametrize("name", ["absent.parquet", "text.parquet", "items.parquet.gz"])
def test_what_is_no_parquet_file_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "text.parquet").write_text("id,response")
    (tmp_path / "items.parquet.gz").write_text("x")

    with pytest.raises(DataError, match=name):
        read_items(tmp_path / name, protocol="pointwise", rubric=CORRECT)


def test_foreign_columns_are_renamed(tmp_path: Path) -> None:
    frame = pl.DataFrame({"qid": ["q"], "messages": [[{"role": "user", "content": "hi"}]], "out": ["x"]})

    (item,) = _read(tmp_path, frame, columns=(("id", "qid"), ("prompt", "messages"), ("response", "out"))).items

    assert (item.id, item.prompt[0].content) == ("q", "hi")


def test_a_mapped_place_may_be_absent_in_the_first_row(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": ["a", "b"], "response": ["x", "y"], "meta": [None, {"passage": "p"}]})

    read_in = _read(tmp_path, frame, columns=(("context", "meta.passage"),))

    assert [item.context for item in read_in.items] == [None, "p"]


def test_gold_by_system_may_have_the_keys_of_other_rows(tmp_path: Path) -> None:
    responses = [[{"system": "s", "text": "x"}], [{"system": "t", "text": "y"}]]
    gold = [{"s": "correct", "t": None}, {"s": None, "t": "incorrect"}]

    read_in = _read(tmp_path, pl.DataFrame({"id": ["a", "b"], "responses": responses, "gold": gold}))

    assert [annotation.value for annotation in read_in.annotations] == ["correct", "incorrect"]


def test_a_null_in_recordings_is_what_a_line_leaves_out(tmp_path: Path) -> None:
    columns = {"item": ["a", "b"], "label": ["correct", None], "text": [None, "raw"], "sample": [None, 1]}
    pl.DataFrame({**columns, "response": [None, 0]}).write_parquet(tmp_path / "r.parquet")

    replies = read_recordings(tmp_path / "r.parquet", rubric=CORRECT, protocol="pointwise")

    assert [(key.item_id, key.shown, key.sample) for key in replies] == [("a", (0,), 0), ("b", (0,), 1)]
