import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.datasets.complaints import BadValue
from venire.datasets.rows import Row, read_id, read_rows
from venire.errors import DataError, Problem

from .makers import file_of


def rows_of(content: str | bytes, name: str) -> list[Row | Problem]:
    with file_of(content, name) as path:
        return list(read_rows(path, dict))


def places(rows: list[Row | Problem]) -> list[int]:
    return [row.line for row in rows]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_blank_lines_are_skipped_and_line_numbers_stay_physical(start: str, ending: str) -> None:
    content = start + ending.join(['{"id": 1}', "", "   ", '{"id": 2}', "{", '{"id": 3}'])

    rows = rows_of(content, "x.jsonl")

    assert places(rows) == [1, 4, 5, 6]
    assert isinstance(rows[2], Problem)


def test_a_csv_row_is_placed_where_it_starts() -> None:
    rows = rows_of('\nid,answer\r\n1,"one\ntwo\r\nthree"\n\n2,ok\n3,a,b\n', "x.csv")

    assert places(rows) == [3, 7, 8]
    assert isinstance(rows[0], Row)
    assert rows[0].fields == {"id": "1", "answer": "one\ntwo\r\nthree"}


def test_a_csv_row_with_other_cells_than_the_header_is_a_problem() -> None:
    rows = rows_of("id,answer\n1\n2,a,b\n", "x.csv")

    assert [str(row).partition("the row ")[2][:11] for row in rows] == ["has 1 cells", "has 3 cells"]


def test_a_long_csv_field_is_read() -> None:
    rows = rows_of(f"id,answer\n1,{'x' * 200_000}\n", "x.csv")

    assert isinstance(rows[0], Row)
    assert rows[0].fields["answer"] == "x" * 200_000


def test_an_open_quote_is_refused_where_its_row_starts() -> None:
    with pytest.raises(DataError, match="unexpected end of data") as error:
        rows_of('id,answer\n1,a\n2,"open\n3,b\n', "x.csv")

    assert error.value.problems[0].line == 3


@pytest.mark.parametrize("header", ["id;answer", "id\tanswer"])
def test_a_header_without_commas_is_refused(header: str) -> None:
    with pytest.raises(DataError, match="separate columns by commas"):
        rows_of(f"{header}\n1;a\n", "x.csv")


def test_a_header_that_names_a_column_twice_is_refused() -> None:
    with pytest.raises(DataError, match=r"twice: \['id'\]"):
        rows_of("id,answer, id\n1,a,2\n", "x.csv")


def test_a_list_in_a_json_file_is_read() -> None:
    rows = rows_of('\n[{"id": 1},\n 5, {"id": 2}]', "x.json")

    assert [row.fields for row in rows if isinstance(row, Row)] == [{"id": 1}, {"id": 2}]
    assert "element 2: '5' is not an object" in str(rows[1])


def test_lines_in_a_json_file_are_read_as_lines() -> None:
    assert places(rows_of('\n{"id": 1}\n{"id": 2}\n', "x.json")) == [2, 3]


@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.csv", "x.jsonl.gz"])
def test_an_empty_file_has_no_rows(name: str) -> None:
    assert rows_of("\n", name) == []


def test_a_broken_json_list_is_refused() -> None:
    with pytest.raises(DataError, match="is not JSON"):
        rows_of('[{"id": 1},', "x.json")


@pytest.mark.parametrize("written", [None, 1.0, True, "", "  ", [], {}])
def test_what_is_no_name_is_no_id(written: object) -> None:
    with pytest.raises(BadValue, match="the id is"):
        read_id(written)  # type: ignore[arg-type]


@given(st.integers())
def test_a_whole_number_is_an_id_digit_by_digit(number: int) -> None:
    assert read_id(number) == str(number)


names = st.text(min_size=1).filter(lambda name: name.strip() != "")


@given(names)
def test_ids_survive_jsonl_as_text(name: str) -> None:
    rows = rows_of(json.dumps({"id": name}) + "\r\n", "x.jsonl")

    assert isinstance(rows[0], Row)
    assert read_id(rows[0].fields["id"]) == name


@given(names)
def test_ids_survive_csv_as_text(name: str) -> None:
    sheet = io.StringIO()
    csv.writer(sheet, quoting=csv.QUOTE_ALL).writerows([["id", "answer"], [name, "a"]])

    rows = rows_of(sheet.getvalue(), "x.csv")

    assert isinstance(rows[0], Row)
    assert read_id(rows[0].fields["id"]) == name
