"""The run folder: made only where it harms nothing, and its files are whole or not there."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from venire.errors import RunFolderError
from venire.store import folder as folders
from venire.store.folder import RunFolder
from venire.store.sqlite import open_sqlite_store

CREATE_AS_A_STRANGER = """
import os, sys
from pathlib import Path
from venire.errors import RunFolderError
from venire.store import folder
os.chmod(sys.argv[1], 0o555)
if os.geteuid() == 0:
    os.setuid(65534)
try:
    folder.create(Path(sys.argv[1]) / "run")
except RunFolderError as error:
    print(error)
"""


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return folders.create(tmp_path / "run")


def test_a_run_folder_is_made_with_its_parents(tmp_path: Path) -> None:
    run = folders.create(tmp_path / "runs" / "today")

    assert run.path.is_dir()
    assert folders.open_existing(run.path) == run


def test_a_new_run_folder_takes_a_store(run: RunFolder) -> None:
    store = open_sqlite_store(run.store)

    assert list(store.items()) == []
    store.close()


def test_an_empty_folder_becomes_a_run_folder(tmp_path: Path) -> None:
    assert folders.create(tmp_path).store.is_file()


def test_a_run_folder_may_be_created_again_and_keeps_its_files(run: RunFolder) -> None:
    run.write_text("results/report.json", "{}")
    run.store.write_bytes(b"facts")

    assert folders.create(run.path) == run

    assert run.report_json.read_text() == "{}"
    assert run.store.read_bytes() == b"facts"


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("…")

    with pytest.raises(RunFolderError, match=r"holds other things \('thesis.tex'\).*new or an empty folder"):
        folders.create(tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("name", ["file", "file/run"])
def test_a_file_in_the_way_is_a_run_folder_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("mine")

    with pytest.raises(RunFolderError, match="file"):
        folders.create(tmp_path / name)

    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("name", ["x" * 300, "a\x00b"], ids=["too long", "NUL"])
def test_an_impossible_name_is_a_run_folder_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(RunFolderError):
        folders.create(tmp_path / name)
    with pytest.raises(RunFolderError):
        folders.open_existing(tmp_path / name)


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_a_folder_without_permission_is_a_run_folder_error() -> None:
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, "-c", CREATE_AS_A_STRANGER, name]
        output = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout

    assert "cannot be made or written: Permission denied. Check its permissions" in output


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="There is no folder"):
        folders.open_existing(tmp_path / "none")


def test_another_folder_is_no_run_folder(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match=r"is not a run folder: there is no 'store\.sqlite' in it"):
        folders.open_existing(tmp_path)


def test_every_file_lies_in_the_folder(run: RunFolder) -> None:
    paths = [run.design, run.store, run.verdicts_jsonl, run.verdicts_parquet, run.report_json, run.report_html]

    assert [str(path.relative_to(run.path).as_posix()) for path in paths] == [
        "design.yaml",
        "store.sqlite",
        "results/verdicts.jsonl",
        "results/verdicts.parquet",
        "results/report.json",
        "report.html",
    ]


def test_a_text_is_written_as_utf_8_with_its_line_ends(run: RunFolder) -> None:
    path = run.write_text("results/report.json", "日本\r\n\n")

    assert path == run.report_json
    assert path.read_bytes() == "日本\r\n\n".encode()


def test_a_lone_surrogate_is_written_as_json_calls_it(run: RunFolder) -> None:
    path = run.write_text("results/report.json", '"\udc80"')

    assert json.loads(path.read_text("utf-8")) == "\udc80"


def test_a_write_that_breaks_off_leaves_the_old_file_and_no_draft(run: RunFolder) -> None:
    run.write_text("report.html", "old")

    def break_off() -> None:
        with run.replacing("report.html") as draft:
            draft.write_text("half of the n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        break_off()

    assert run.report_html.read_text() == "old"
    assert sorted(path.name for path in run.path.iterdir()) == ["report.html", "store.sqlite"]


def test_a_file_that_cannot_be_written_is_a_run_folder_error(run: RunFolder) -> None:
    run.report_html.mkdir()

    with pytest.raises(RunFolderError, match=r"report\.html' cannot be written: Is a directory"):
        run.write_text("report.html", "text")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_a_written_file_has_the_usual_permissions(run: RunFolder) -> None:
    usual = run.path / "usual"
    usual.touch()

    written = run.write_text("report.html", "text")

    assert written.stat().st_mode == usual.stat().st_mode
