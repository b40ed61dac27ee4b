"""`venire verdicts` and `venire show`: derived from the stored run, without asking."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.running import RULES_DESIGN, judge_into, venire


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run."""
    folder = tmp_path_factory.mktemp("looking")
    done = judge_into(folder, RULES_DESIGN)
    assert done.returncode == 0, done.stderr
    return folder / "run"


def test_verdicts_as_json_hold_every_subject(run: Path) -> None:
    done = venire("verdicts", run, "--json")

    document = json.loads(done.stdout)
    assert (document["rule"], len(document["verdicts"])) == ("majority", 10)


def test_another_rule_is_derived_from_the_same_judgments(run: Path) -> None:
    document = json.loads(venire("verdicts", run, "--aggregate", "unanimity", "--json").stdout)

    assert document["rule"] == "unanimity"
    assert all(verdict["outcome"] in ("decided", "undecided") for verdict in document["verdicts"])


def test_verdicts_as_csv_have_one_row_for_each(run: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(venire("verdicts", run, "--csv").stdout)))

    assert len(rows) == 10
    assert {row["item"] for row in rows} == {f"q{number}" for number in range(1, 6)}


def test_verdicts_as_text_have_a_heading_and_one_line_each(run: Path) -> None:
    lines = venire("verdicts", run).stdout.splitlines()

    assert lines[0].split()[:2] == ["item", "system"]
    assert len(lines) == 11


def test_an_unknown_rule_names_the_rules(run: Path) -> None:
    done = venire("verdicts", run, "--aggregate", "mojority")

    assert done.returncode == 2
    assert "plurality" in done.stderr


def test_show_tells_what_was_asked_answered_and_decided(run: Path) -> None:
    text = venire("show", run, "q2").stdout

    for part in ("What is 2 + 2?", "ASKED AND ANSWERED", "judge whole", "DECIDED", "correct"):
        assert part in text


def test_show_as_json_holds_the_raw_answers(run: Path) -> None:
    document = json.loads(venire("show", run, "q2", "--json").stdout)

    assert {call["judge"] for call in document["calls"]} == {"whole", "inside", "dice"}
    assert all(call["asked"] and call["answered"] for call in document["calls"])


def test_showing_an_unknown_item_names_some_that_exist(run: Path) -> None:
    done = venire("show", run, "q99")

    assert done.returncode == 2
    assert "q1" in done.stderr


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    done = venire("verdicts", tmp_path)

    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_the_version_is_printed() -> None:
    from venire import __version__

    assert venire("--version").stdout.strip() == f"venire {__version__}"


def test_help_lists_every_command() -> None:
    text = venire("--help").stdout

    assert all(command in text for command in ("judge", "verdicts", "show"))


def test_hostile_ids_and_texts_reach_the_terminal_as_text_only(tmp_path: Path) -> None:
    hostile = "\x1b[31mred\u202e\nsecond line"
    item = {"id": hostile, "prompt": "p", "responses": [{"system": hostile, "text": hostile}], "reference": "red"}
    judge_into(tmp_path, RULES_DESIGN, items=[item])

    printed = venire("verdicts", tmp_path / "run").stdout + venire("show", tmp_path / "run", hostile).stdout

    assert "red" in printed
    assert not {"\x1b", "\u202e"} & set(printed)
    assert "\nsecond line" not in printed.replace("| second line", "")
