"""`venire gate` and `venire compare`: exit codes, files, and two runs of the same items."""

import json
from pathlib import Path

import pytest

from tests.cli.running import RULES_DESIGN, judge_into, venire


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two finished runs over the same items, the second with another rule."""
    folders = []
    for name, design in (("one", RULES_DESIGN), ("two", RULES_DESIGN.replace("rule: majority", "rule: max"))):
        folder = tmp_path_factory.mktemp(name)
        assert judge_into(folder, design).returncode == 0
        folders.append(folder / "run")
    return folders[0], folders[1]


def test_a_run_that_meets_its_requirements_passes(runs: tuple[Path, Path]) -> None:
    done = venire("gate", runs[0], "--require", "accuracy>=10%", "--require", "failures<=0%")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "The gate is open: all 4 requirements hold."


def test_one_that_does_not_fails_with_1_and_writes_its_files(runs: tuple[Path, Path], tmp_path: Path) -> None:
    junit, summary = tmp_path / "gate.xml", tmp_path / "gate.md"

    done = venire("gate", runs[0], "--require", "accuracy>100%", "--junit", junit, "--markdown", summary, "--json")

    assert done.returncode == 1
    assert json.loads(done.stdout)["holds"] is False
    assert 'failures="1"' in junit.read_text(encoding="utf-8")
    assert "❌ | `accuracy>100%`" in summary.read_text(encoding="utf-8")


def test_a_mistake_in_a_requirement_is_a_usage_error(runs: tuple[Path, Path]) -> None:
    done = venire("gate", runs[0], "--require", "acuracy>=0.5")

    assert done.returncode == 2
    assert "no figure 'acuracy'" in done.stderr


def test_a_file_that_cannot_be_written_is_said(runs: tuple[Path, Path], tmp_path: Path) -> None:
    done = venire("gate", runs[0], "--require", "accuracy>=0", "--junit", tmp_path / "no" / "gate.xml")

    assert done.returncode == 2
    assert "gate.xml" in done.stderr


def test_a_baseline_is_compared_in_pairs(runs: tuple[Path, Path]) -> None:
    done = venire("gate", runs[1], "--baseline", runs[0], "--require", "pass_rate.change>=0", "--json")

    assert done.returncode == 0, done.stderr
    assert [one["required"] for one in json.loads(done.stdout)["requirements"]][-1] == "dropped<=0%"


def test_two_runs_are_compared_over_their_items(runs: tuple[Path, Path]) -> None:
    text = venire("compare", *runs).stdout
    document = json.loads(venire("compare", *runs, "--json").stdout)

    assert "10 subjects in both runs" in text
    assert "rule majority before, max after" in text
    assert {one["difference"]["name"] for one in document["figures"]} >= {"kappa_difference", "pass_rate_difference"}
