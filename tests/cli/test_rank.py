"""`venire rank`: the systems of a run, by the panel, by every judge, and beside a reference."""

import json
from pathlib import Path

import pytest

from tests.cli.running import ITEMS, RULES_DESIGN, judge_into, venire, write_inputs


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of two systems."""
    folder = tmp_path_factory.mktemp("ranking")
    assert judge_into(folder, RULES_DESIGN).returncode == 0
    return folder / "run"


def test_systems_are_ranked_and_held_to_gold(run: Path) -> None:
    done = venire("rank", run, "--json")

    document = json.loads(done.stdout)
    assert [row["system"] for row in document["standings"]] == ["sum", "guess"]
    assert document["reference"] == "gold"
    assert {rater["rater"] for rater in document["raters"]} == {"whole", "inside", "dice", "gold"}
    assert (run / "rank.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_reference_may_be_a_file(run: Path, tmp_path: Path) -> None:
    (tmp_path / "known.json").write_text('{"sum": 0.1, "guess": 0.9}', encoding="utf-8")

    done = venire("rank", run, "--reference", tmp_path / "known.json")

    assert "-1.000" in done.stdout
    assert "known.json" in done.stdout


@pytest.mark.parametrize("text", ["[1]", "{}", '{"a": "x"}', "{", '{"a": true}'])
def test_what_is_no_reference_is_said(run: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "known.json").write_text(text, encoding="utf-8")

    done = venire("rank", run, "--reference", tmp_path / "known.json")

    assert done.returncode == 2
    assert "known.json" in done.stderr


def test_items_without_systems_cannot_be_ranked(tmp_path: Path) -> None:
    nameless = [{**item, "responses": [one["text"] for one in item["responses"]], "gold": None} for item in ITEMS]
    items, design = write_inputs(tmp_path, RULES_DESIGN, [{k: v for k, v in one.items() if v} for one in nameless])
    venire("judge", items, "--design", design, "--out", tmp_path / "run")

    done = venire("rank", tmp_path / "run")

    assert done.returncode == 2
    assert "at least two systems" in done.stderr
