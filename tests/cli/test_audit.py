"""`venire audit`: people's labels from a file, and mistakes in it."""

import json
from pathlib import Path

import pytest

from tests.cli.running import RULES_DESIGN, judge_into, venire


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run."""
    folder = tmp_path_factory.mktemp("auditing")
    assert judge_into(folder, RULES_DESIGN).returncode == 0
    return folder / "run"


def labels(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_an_audit_is_printed_and_written(run: Path) -> None:
    done = venire("audit", run)

    assert done.returncode == 0, done.stderr
    assert "PASS RATES" in done.stdout
    assert json.loads((run / "audit.json").read_text(encoding="utf-8"))["criterion"] == "correct"
    assert (run / "audit.html").exists()


def test_people_may_be_given_in_a_file(run: Path, tmp_path: Path) -> None:
    rows = [
        {
            "item": f"q{n}",
            "system": "sum",
            "annotator": who,
            "label": "correct" if n % 2 or who == "ann" else "incorrect",
        }
        for n in range(1, 6)
        for who in ("ann", "bob")
    ]

    done = venire("audit", run, "--annotations", labels(tmp_path / "people.jsonl", *rows), "--json")

    people = json.loads(done.stdout)["people"]
    assert people["annotators"] == ["ann", "bob"]
    assert people["pairs"][0]["annotators"] == ["ann", "bob"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"item": "q1", "system": "sum", "annotator": "ann", "label": "right"}, "people.jsonl:1"),
        ({"item": "nobody", "system": "sum", "annotator": "ann", "label": "correct"}, "unmatched ids"),
        ({"item": "q1", "system": "nobody", "annotator": "ann", "label": "correct"}, "people.jsonl:1"),
    ],
)
def test_labels_that_do_not_fit_are_said_with_their_line(
    run: Path, tmp_path: Path, row: dict[str, object], message: str
) -> None:
    done = venire("audit", run, "--annotations", labels(tmp_path / "people.jsonl", row))

    assert done.returncode == 2
    assert message in done.stderr
