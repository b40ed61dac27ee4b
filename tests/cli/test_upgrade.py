"""A run of the first version goes on with the present command: nothing that was answered is asked again."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.old_stores import FIRST_VERSION, version_of, write_first_version

from .running import venire


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    folder.mkdir()
    write_first_version(folder / "store.sqlite")
    shutil.copy(FIRST_VERSION / "design.yaml", folder)
    return folder


def test_judging_again_asks_nobody(run: Path) -> None:
    # The remote judge of the design does not exist any more: to ask it would end the run with an error.
    done = venire("judge", FIRST_VERSION / "items.jsonl", "--design", FIRST_VERSION / "design.yaml", "--out", run)

    assert done.returncode == 0, done.stderr
    assert "12 already stored" in done.stderr
    with closing(sqlite3.connect(run / "store.sqlite")) as connection:
        assert connection.execute("SELECT count(*) FROM exchanges").fetchone() == (12,)


@pytest.mark.parametrize("command", [("verdicts",), ("show", "q1"), ("cost",), ("check",)])
def test_looking_into_an_old_run_does_not_change_it(run: Path, command: tuple[str, ...]) -> None:
    name, *arguments = command
    done = venire(name, run, *arguments)

    assert done.returncode == 0, done.stderr
    assert version_of(run / "store.sqlite") == "1"


def test_an_old_run_is_checked_down_to_its_judgments(run: Path) -> None:
    with closing(sqlite3.connect(run / "store.sqlite")) as connection:
        connection.execute("UPDATE requests SET content = replace(content, 'is', 'was') WHERE number = 1")
        connection.commit()

    told = json.loads(venire("check", run, "--json").stdout)

    assert [one["table"] for one in told["damages"]] == ["requests"]
    assert told["rows"]["judgments"] == 12
