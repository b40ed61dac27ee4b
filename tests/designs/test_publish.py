"""The published schema and reference say what the reader of designs does."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from venire.designs.publish import EXAMPLE, main, reference_page, schema_text
from venire.designs.read import read_design
from venire.designs.schema import PLACES, design_schema
from venire.designs.yaml_lines import parse_yaml

from .designs import SMALL, parse, problem

STALE = "run `make schema`"


def _admits(text: str) -> bool:
    document: Any = parse_yaml(text, "d.yaml").value
    return bool(jsonschema.Draft202012Validator(design_schema()).is_valid(document))


def test_the_committed_schema_and_page_are_what_the_code_says(root: Path) -> None:
    reference = root / "docs" / "reference"

    assert (reference / "design.schema.json").read_text("utf-8") == schema_text(), STALE
    assert (reference / "design.md").read_text("utf-8") == reference_page(), STALE


def test_publishing_writes_both_files(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 0
    assert (tmp_path / "design.schema.json").read_text("utf-8") == schema_text()
    assert (tmp_path / "design.md").read_text("utf-8") == reference_page()


def test_publishing_without_a_folder_is_a_usage_error() -> None:
    done = subprocess.run([sys.executable, "-m", "venire.designs.publish"], capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "usage" in done.stderr


def test_the_schema_is_a_valid_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(design_schema())


@pytest.mark.parametrize("text", [SMALL, EXAMPLE])
def test_the_schema_admits_designs(text: str) -> None:
    assert _admits(text)
    assert parse(text).judges


@pytest.mark.parametrize(
    "text",
    [
        SMALL + "more: 1\n",
        SMALL.replace("pointwise", "both"),
        SMALL.replace("labels: [yes, no]", "labels: [yes, 1]"),
        SMALL.replace("labels: [yes, no]", "labels: yes"),
        SMALL + "    samples: x\n",
        SMALL + "aggregation: {tie: {labl: yes}}\n",
    ],
)
def test_what_the_schema_refuses_the_reader_refuses(text: str) -> None:
    assert not _admits(text)
    assert problem(text)


def test_every_field_has_a_meaning_in_the_reference() -> None:
    page = reference_page()

    for fields in PLACES.values():
        for name in fields - {"type"}:
            (row, *_) = re.findall(rf"^\| `{name}` \| .+ \| .+ \| (.+) \|$", page, re.MULTILINE)
            assert row.strip()


def test_the_example_of_the_reference_is_a_design(root: Path, tmp_path: Path) -> None:
    page = (root / "docs" / "reference" / "design.md").read_text("utf-8")
    (tmp_path / "design.yaml").write_text(page.partition("```yaml\n")[2].partition("```")[0], "utf-8")

    design = read_design(tmp_path / "design.yaml")

    assert [judge.family for judge in design.judges] == ["openai", "anthropic", "qwen"]
    assert len(design.rubric.criteria) == 2
