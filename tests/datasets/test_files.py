import gzip
from pathlib import Path

import pytest

from venire.datasets.files import kind_of, read_lines
from venire.errors import DataError

from .makers import file_of


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.jsonl", "jsonl"),
        ("a.ndjson", "jsonl"),
        ("a.JSONL.GZ", "jsonl"),
        ("a.json", "json"),
        ("a.b.csv", "csv"),
        ("a.csv.gz", "csv"),
    ],
)
def test_the_name_says_what_a_file_holds(name: str, kind: str) -> None:
    assert kind_of(Path(name)) == kind


@pytest.mark.parametrize("name", ["a.xlsx", "a.txt", "a", "a.gz"])
def test_another_name_is_refused_with_those_that_are_read(name: str) -> None:
    with pytest.raises(DataError, match=r"read are \.jsonl, \.json and \.csv"):
        kind_of(Path(name))


@pytest.mark.parametrize("content", ["\ufeffa\r\nb", "a\r\nb"])
def test_a_byte_order_mark_goes_and_line_ends_stay(content: str) -> None:
    with file_of(content) as path:
        assert list(read_lines(path)) == ["a\r\n", "b"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf16_is_refused_with_a_hint(encoding: str) -> None:
    with file_of('{"id": "q1"}\n'.encode(encoding)) as path, pytest.raises(DataError, match=r"UTF-16.*as UTF-8"):
        list(read_lines(path))


def test_latin1_is_refused_with_its_line_and_a_hint() -> None:
    with file_of('{"id": 1}\n{"id": "é"}\n'.encode("latin-1")) as path, pytest.raises(DataError, match="Latin-1") as e:
        list(read_lines(path))

    assert e.value.problems[0].line == 2


def test_compressed_data_without_gz_in_the_name_are_refused_with_a_hint() -> None:
    with file_of(gzip.compress(b"{}", mtime=0)) as path, pytest.raises(DataError, match=r"end in \.gz"):
        list(read_lines(path))


def test_several_gzip_members_are_one_file() -> None:
    with file_of(gzip.compress(b"a\n", mtime=0) + gzip.compress(b"b\n", mtime=0), "x.jsonl.gz") as path:
        assert list(read_lines(path)) == ["a\n", "b\n"]


@pytest.mark.parametrize("n_lost", [1, 8, 10, 20])
def test_a_cut_gzip_file_is_an_error(n_lost: int) -> None:
    whole = gzip.compress(b"a\n", mtime=0) + gzip.compress(b"b\n" * 50, mtime=0)

    with file_of(whole[:-n_lost], "x.jsonl.gz") as path, pytest.raises(DataError, match="end too early"):
        list(read_lines(path))


@pytest.mark.parametrize("content", [b"plain text", gzip.compress(b"a" * 99, mtime=0)[:-6] + b"\0" * 6])
def test_damaged_gzip_data_are_an_error(content: bytes) -> None:
    with file_of(content, "x.jsonl.gz") as path, pytest.raises(DataError, match="damaged"):
        list(read_lines(path))


def test_a_missing_file_is_named_with_the_cause(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere\.jsonl.*No such file"):
        list(read_lines(tmp_path / "nowhere.jsonl"))


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        list(read_lines(tmp_path))
