"""Output that cannot be written as it is: said in one line, or shown as escapes; never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .running import RULES_DESIGN, write_inputs

FULL = Path("/dev/full")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    items = [{"id": "né", "prompt": "日本", "response": "✅", "reference": ["✅"]}]
    paths = write_inputs(tmp_path, RULES_DESIGN, items)
    command = [sys.executable, "-m", "venire", "judge", paths[0], "--design", paths[1], "--out", tmp_path / "run"]
    subprocess.run(command, check=True, capture_output=True)
    return tmp_path / "run"


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_stdout_is_a_message(run: Path) -> None:
    with FULL.open("w") as full:
        command = [sys.executable, "-m", "venire", "verdicts", str(run), "--json"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert done.returncode == 2
    assert "could not be written: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252"])
def test_characters_that_the_terminal_does_not_know_are_shown_as_escapes(run: Path, encoding: str) -> None:
    command = [sys.executable, "-m", "venire", "show", str(run), "né"]
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run(command, capture_output=True, env=environment, check=False)

    assert done.returncode == 0, done.stderr
    assert b"\\u65e5\\u672c" in done.stdout
