"""Faults of other tools that reading files must not repeat: F32 to F36 of the shared collection of faults.

Each kind of fault has a test on own data, and one on the collection's own file where that is present.
"""

import gzip
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from venire.datasets.annotations import read_annotations
from venire.datasets.complaints import BadValue
from venire.datasets.items import read_items
from venire.datasets.rows import Row, read_id, read_rows
from venire.domain.identity import content_id
from venire.errors import DataError

from .makers import CORRECT, by_id, file_of, item, lines, read

FAULTS = Path(__file__).resolve().parents[3] / "shared" / "faults" / "faults.json"


def fault(fault_id: str) -> Any:
    if not FAULTS.exists():
        pytest.skip("the shared collection of faults is not here")
    return next(one for one in json.loads(FAULTS.read_text(encoding="utf-8")) if one["id"] == fault_id)


def case(name: str) -> str:
    return str(next(one for one in fault("F36")["input"]["cases"] if one["name"] == name)["text"])


def with_answers(text: str) -> str:
    return lines(*({**json.loads(line), "answer": "words"} for line in text.splitlines()))


def test_f32_a_file_saved_on_windows_loses_no_record() -> None:
    f32 = fault("F32")

    found = read(f32["input"]["text"])

    assert [one.id for one in found.items] == f32["right"]["value"]["ids"]
    assert found.items[1].responses[0].text == f32["right"]["value"]["q2"]


def test_f32_a_bad_line_is_reported_where_it_stands() -> None:
    with pytest.raises(DataError) as error:
        read(fault("F32")["input"]["text"] + "\r\n\r\n{")

    assert [problem.line for problem in error.value.problems] == [7]


def test_f33_ids_are_names() -> None:
    f33 = fault("F33")

    found = read(with_answers(f33["input"]["text"]), skip_bad=True)

    assert [one.id for one in found.items] == f33["right"]["value"]["ids"]
    assert [problem.line for problem in found.problems] == f33["right"]["value"]["rejected_lines"]


def test_f33_ids_are_names_in_rows_without_responses() -> None:
    f33 = fault("F33")
    ids, rejected = [], []

    with file_of(f33["input"]["text"]) as path:
        for row in read_rows(path, dict):
            assert isinstance(row, Row)
            try:
                ids.append(read_id(row.fields.get("id")))
            except BadValue:
                rejected.append(row.line)

    assert (ids, rejected) == (f33["right"]["value"]["ids"], f33["right"]["value"]["rejected_lines"])


def test_f33_csv_obeys_the_same_rule() -> None:
    ids = fault("F33")["right"]["value"]["ids"]

    found = read("id,answer\n" + "".join(f"{one},a\n" for one in ids), name="items.csv")

    assert [one.id for one in found.items] == ids


def test_f34_repeated_ids_are_refused() -> None:
    judge = [{**row, "answer": "words"} for row in fault("F34")["input"]["judge"]]

    with pytest.raises(DataError, match="id 'a' was there before") as error:
        read(lines(*judge))

    assert [problem.id for problem in error.value.problems] == ["a"]


def test_f34_exact_and_conflicting_repetitions_differ() -> None:
    sides = fault("F34")["input"]
    said = []
    for side in ("judge", "human"):
        with pytest.raises(DataError) as error:
            read(lines(*({**row, "answer": "words"} for row in sides[side])))
        said.append(error.value.problems[0].message)

    assert "other content" in said[0]
    assert "exactly" in said[1]


def test_f34_a_join_of_nothing_is_an_error_that_lists_ids() -> None:
    also = fault("F34")["input"]["also"]
    items = by_id(*(item(row["id"]) for row in also["judge"]))
    people = lines(*({"item": row["id"], "annotator": "anna", "label": "correct"} for row in also["human"]))

    with file_of(people) as path, pytest.raises(DataError, match=r"0 of 1 lines .* unmatched ids: 'z'"):
        read_annotations(path, items, protocol="pointwise", rubric=CORRECT)


def test_f35_lone_halves_are_replaced_with_a_note_and_whole_emoji_kept() -> None:
    f35 = fault("F35")

    found = read(f35["input"]["text"])
    texts = {str(one.id): one.responses[0].text or "" for one in found.items}

    assert len(found.items) == f35["right"]["value"]["n"]
    assert texts["e2"] == f35["right"]["value"]["e2"]
    assert content_id(texts["e1"].encode("utf-8").decode("utf-8"))
    assert found.notes == ("2 broken characters (half of a surrogate pair) replaced by U+FFFD in 2 rows",)


def test_f36_csv_answers_with_line_breaks_are_one_item() -> None:
    found = read(case("a.csv"), name="a.csv")

    assert [one.responses[0].text for one in found.items] == ['line one\nline two, with "quotes"', "ok"]


def test_f36_strings_and_messages_live_in_one_column() -> None:
    found = read(case("c.jsonl"))

    assert [one.responses[0].text for one in found.items] == ["plain", "user: q\n\nassistant: hi", "", None]
    assert [one.reference for one in found.items] == [("r",), ("r1", "r2"), (), ()]


def test_f36_two_gzip_members_are_four_rows_and_a_cut_file_is_an_error() -> None:
    rows = case("c.jsonl").splitlines(keepends=True)
    whole = gzip.compress("".join(rows[:2]).encode()) + gzip.compress("".join(rows[2:]).encode())

    assert len(read(whole, name="e.jsonl.gz").items) == 4
    with pytest.raises(DataError, match="gzip data end too early"):
        read(whole[:-10], name="e.jsonl.gz", skip_bad=True)


def test_a_file_saved_on_windows_loses_no_record() -> None:
    found = read('\ufeff{"id":"a","answer":"1"}\r\n\r\n{"id":"b","answer":"2\\r\\n3"}\r\n \r\n{"id":"c","answer":"é"}')

    assert [(one.id, one.responses[0].text) for one in found.items] == [("a", "1"), ("b", "2\r\n3"), ("c", "é")]


@pytest.mark.parametrize("name", ["x.jsonl", "x.csv"])
def test_ids_are_names_not_quantities(name: str) -> None:
    ids = ["1_0", "10", "010", "9007199254740993", "1e2", "1.0", "NaN", "null", "True"]
    rows = lines(*({"id": one, "answer": "a"} for one in ids))
    sheet = "id,answer\n" + "".join(f"{one},a\n" for one in ids)

    assert [one.id for one in read(sheet if name == "x.csv" else rows, name=name).items] == ids


def test_a_field_longer_than_python_expects_is_one_item() -> None:
    found = read(f"id,answer\n1,{'x' * 200_000}\n", name="b.csv")

    assert [len(one.responses[0].text or "") for one in found.items] == [200_000]


def test_broken_characters_reach_no_later_stage() -> None:
    (one,) = read(r'{"id": "\ud83d", "answer": "\udcb2", "prompt": "\ud83d", "reference": ["\ud83d"]}').items

    assert repr(one).encode("utf-8")
    assert (one.id, one.responses[0].text, one.reference) == ("\ufffd", "\ufffd", ("\ufffd",))


def test_f36_the_same_rows_in_parquet_are_the_same_items(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in case("c.jsonl").splitlines()[:3]]
    texts = [json.dumps(row["answer"]) if isinstance(row["answer"], list) else row["answer"] for row in rows]
    references = [[row["references"]] if isinstance(row["references"], str) else row["references"] for row in rows]
    frame = pl.DataFrame({"id": [row["id"] for row in rows], "answer": texts, "references": [*references[:2], []]})
    frame.write_parquet(tmp_path / "d.parquet")

    found = read_items(tmp_path / "d.parquet", protocol="pointwise", rubric=CORRECT)

    assert [each.id for each in found.items] == ["1", "2", "3"]
    assert [each.reference for each in found.items] == [("r",), ("r1", "r2"), ()]
    assert found.items[2].responses[0].text == ""
