"""`venire check` and `venire reread`: a run folder derived again from what was answered."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .running import RULES_DESIGN, write_inputs


def _run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "venire", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judged")
    items, design = write_inputs(folder, RULES_DESIGN)
    done = _run("judge", items, "--design", design, "--out", folder / "run")
    assert done.returncode == 0, done.stderr
    return folder / "run"


@pytest.fixture
def run(judged: Path, tmp_path: Path) -> Path:
    shutil.copytree(judged, tmp_path / "run")
    return tmp_path / "run"


def _sql(*statements: str) -> Callable[[Path], None]:
    def change(run: Path) -> None:
        connection = sqlite3.connect(run / "store.sqlite")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    return change


def _flip_a_page(run: Path) -> None:
    _sql("PRAGMA wal_checkpoint(TRUNCATE)")(run)
    data = bytearray((run / "store.sqlite").read_bytes())
    for place in range(4096 * 3, len(data), 4096):
        data[place : place + 64] = b"\xff" * 64
    (run / "store.sqlite").write_bytes(data)


def _tear_off(run: Path) -> None:
    _sql("PRAGMA wal_checkpoint(TRUNCATE)")(run)
    data = (run / "store.sqlite").read_bytes()
    (run / "store.sqlite").write_bytes(data[: len(data) // 2])


def _checked(run: Path) -> tuple[int, dict[str, Any]]:
    done = _run("check", run, "--json")
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, json.loads(done.stdout)


def test_a_run_that_nobody_touched_is_sound(run: Path) -> None:
    code, told = _checked(run)

    assert (code, told["sound"], told["damages"], told["notes"]) == (0, True, [], [])
    assert told["judgments_derived_again"] == told["rows"]["judgments"] == 30


@pytest.mark.parametrize(
    ("damage", "table", "words"),
    [
        (
            _sql("UPDATE requests SET content = replace(content, 'is', 'was') WHERE number = 1"),
            "requests",
            "changed",
        ),
        (_sql("UPDATE requests SET content = '{' WHERE number = 2"), "requests", "cannot be read back"),
        (_sql("DELETE FROM requests WHERE number = 3"), "exchanges", "is not there"),
        (_sql("DELETE FROM exchanges WHERE exchange_id = 4"), "completions", "is not there"),
        (
            _sql("UPDATE completions SET call_id = 'x' WHERE exchange_id = 5"),
            "completions",
            "did not ask for it",
        ),
        (_sql("DELETE FROM completions WHERE exchange_id = 6"), "judgments", "never asked"),
        (_sql("UPDATE judgments SET sample = 7 WHERE judge_id = 'dice'"), "judgments", "have the call id"),
        (_sql("UPDATE judgments SET kind = 'maybe' WHERE judge_id = 'dice'"), "judgments", "cannot be read back"),
        (_sql("UPDATE completions SET text = 'incorrect' WHERE text LIKE '%correct%'"), "judgments", "says otherwise"),
        (_sql("UPDATE exchanges SET raw = x'0102' WHERE exchange_id = 1"), "exchanges", "cannot be read back"),
        (_sql("UPDATE items SET content = '[]' WHERE position = 0"), "items", "cannot be read back"),
        (_sql("UPDATE items SET item_group = 'x' WHERE position = 0"), "items", "is not that of its content"),
        (_sql("DELETE FROM items WHERE position = 1"), "annotations", "not in the run"),
        (_sql("DROP TABLE failed_calls"), "database", "are missing"),
        (_sql("UPDATE meta SET value = '99'"), "database", "schema version is '99'"),
        (_sql("UPDATE meta SET value = 'abc'"), "database", "schema version is 'abc'"),
        (_sql("UPDATE meta SET value = '0'"), "database", "schema version is '0'"),
        (_sql("UPDATE judgments SET judge_id = 'nobody' WHERE judge_id = 'dice'"), "judgments", "does not have"),
        (_flip_a_page, "database", ""),
        (_tear_off, "database", ""),
    ],
)
def test_every_damage_is_found_and_nothing_is_a_crash(
    run: Path, damage: Callable[[Path], None], table: str, words: str
) -> None:
    damage(run)

    code, told = _checked(run)

    found = [one for one in told["damages"] if one["table"] == table and words in one["message"]]
    assert code == 1
    assert found, told["damages"]


def test_results_that_are_out_of_date_are_a_note(run: Path) -> None:
    lines = (run / "results" / "verdicts.jsonl").read_text("utf-8").splitlines(keepends=True)
    (run / "results" / "verdicts.jsonl").write_text("".join(lines[1:]), "utf-8")

    code, told = _checked(run)

    assert code == 0
    assert "not what the store gives now" in told["notes"][0]


@pytest.mark.parametrize("name", ["results/verdicts.parquet", "results/report.json", "report.html"])
def test_every_file_of_results_is_compared(run: Path, name: str) -> None:
    (run / name).write_bytes(b"x")

    code, told = _checked(run)

    assert code == 0
    assert name in told["notes"][0]


@pytest.mark.parametrize("name", ["store.sqlite.lock", "store.sqlite-wal", "store.sqlite-shm"])
def test_a_run_is_sound_without_the_files_beside_its_store(run: Path, name: str) -> None:
    _sql("PRAGMA wal_checkpoint(TRUNCATE)")(run)
    (run / name).unlink(missing_ok=True)

    assert _checked(run)[0] == 0


def test_a_log_that_was_cut_is_no_crash(run: Path) -> None:
    writer = sqlite3.connect(run / "store.sqlite")
    writer.execute("INSERT INTO meta VALUES ('x', 'y')")
    writer.commit()
    log = (run / "store.sqlite-wal").read_bytes()
    writer.close()
    (run / "store.sqlite-wal").write_bytes(log[:-100])

    assert _checked(run)[0] == 0


def test_who_is_writing_is_told(run: Path) -> None:
    from venire.store.lock import WriterLock

    lock = WriterLock(run / "store.sqlite")
    code, told = _checked(run)
    lock.release()

    assert code == 0
    assert f"process {os.getpid()} " in told["written_by"]
    assert _checked(run)[1]["written_by"] is None


def test_answers_without_a_judgment_are_told(run: Path) -> None:
    _sql("DELETE FROM judgments WHERE judge_id = 'dice'")(run)

    assert "10 answers have no judgment" in _checked(run)[1]["notes"][0]


def test_an_empty_store_is_sound(tmp_path: Path) -> None:
    (tmp_path / "store.sqlite").touch()

    assert "nothing has been collected" in _checked(tmp_path)[1]["notes"][0]


def test_a_folder_that_is_no_run_is_a_mistake(tmp_path: Path) -> None:
    assert _run("check", tmp_path).returncode == 2


def test_rereading_mends_what_an_older_reader_read_otherwise_and_asks_nobody(run: Path) -> None:
    _sql(
        "UPDATE judgments SET reader_version = 1, kind = 'failure', value = NULL, reason = 'unreadable', detail = '' "
        "WHERE judge_id = 'whole'"
    )(run)
    before = (run / "results" / "verdicts.jsonl").read_text("utf-8")
    assert "read by another version" in _checked(run)[1]["notes"][0]

    done = _run("reread", run, "--json")

    told = json.loads(done.stdout)
    assert (done.returncode, told["n_judgments"], told["n_changed"]) == (0, 30, 10)
    assert told["changes"] == [{"before": "unreadable", "after": "label", "n": 10}]
    assert (run / "results" / "verdicts.jsonl").read_text("utf-8") == before
    assert _checked(run)[0] == 0
