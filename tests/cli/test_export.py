"""`venire export`: preferences with their words."""

import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.running import RULES_DESIGN, judge_into, venire


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of two systems."""
    folder = tmp_path_factory.mktemp("exporting")
    assert judge_into(folder, RULES_DESIGN).returncode == 0
    return folder / "run"


def test_preferences_hold_prompt_words_and_how_sure_they_are(run: Path) -> None:
    rows = [json.loads(line) for line in venire("export", run, "--preferences").stdout.splitlines()]

    assert rows
    assert {row["chosen_system"] for row in rows} == {"sum"}
    assert all(row["chosen"].startswith("It is") and row["prompt"][0]["role"] == "user" for row in rows)
    assert all(0 < row["margin"] <= 1 and 0.5 <= row["confidence"] <= 1 for row in rows)


def test_they_can_be_filtered_and_written_as_parquet(run: Path, tmp_path: Path) -> None:
    done = venire("export", run, "--preferences", "-o", tmp_path / "p.parquet", "--min-confidence", "0.9")

    assert done.returncode == 0, done.stderr
    table = pl.read_parquet(tmp_path / "p.parquet")
    assert (table["confidence"] >= 0.9).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--preferences"),
        (["--preferences", "-o", "p.txt"], "neither .jsonl nor .parquet"),
        (["--preferences", "--criterion", "z"], "no criterion 'z'"),
        (["--preferences", "-o", "no/p.jsonl"], "could not be written"),
    ],
)
def test_mistakes_are_said(run: Path, arguments: list[str], message: str) -> None:
    done = venire("export", run, *arguments)

    assert done.returncode == 2
    assert message in done.stderr
