"""A design written as YAML is the same design when it is read again."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from venire.designs.read import parse_design, read_design
from venire.designs.write import design_yaml
from venire.domain.design import Design

from .designs import SMALL, designs, parse


@settings(max_examples=60)
@given(designs())
def test_every_design_survives_writing_and_reading(design: Design) -> None:
    again = parse(design_yaml(design))

    assert again == design
    assert again.asking_id == design.asking_id
    assert design_yaml(again) == design_yaml(design)


@pytest.mark.parametrize("name", ["qa.yaml", "pairwise.yaml"])
def test_the_examples_survive_writing_and_reading(name: str, root: Path, tmp_path: Path) -> None:
    design = read_design(root / "examples" / name)

    assert parse_design(design_yaml(design), file="d.yaml", folder=tmp_path) == design


def test_capabilities_and_a_version_that_looks_like_a_date_survive() -> None:
    text = SMALL + "  - {id: c, provider: anthropic, model: claude-opus-5, parameters: {api_version: 2023-06-01},\n"
    design = parse(text + "     capabilities: {temperature: true, response_format: tool}}\n")

    assert parse(design_yaml(design)) == design
    assert design.judges[1].capabilities == (("response_format", "tool"), ("temperature", True))
    assert design.judges[1].parameter("api_version") == "2023-06-01"


def test_files_beside_the_design_are_found_from_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "prompt.txt").write_text("{response} {ballot}")
    (tmp_path / "answers.jsonl").write_text("{}\n")
    text = SMALL + "    prompt: prompt.txt\n  - {id: tiny, provider: embedded, model: tiny.gguf}\n"
    text += "  - {id: old, provider: recorded, path: answers.jsonl}\n"
    (tmp_path / "design.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)

    design = read_design(Path("design.yaml"))

    assert parse_design(design_yaml(design), file="d.yaml", folder=Path("/elsewhere")) == design
    assert design.judges[0].template == "{response} {ballot}"
    assert design.judges[1].model == str(tmp_path / "tiny.gguf")
    assert design.judges[2].parameter("path") == str(tmp_path / "answers.jsonl")


def test_a_resolved_design_is_read_when_its_recording_is_gone(tmp_path: Path) -> None:
    recording = tmp_path / "answers.jsonl"
    recording.write_text("{}\n")
    design = parse(SMALL + "  - {id: old, provider: recorded, path: answers.jsonl}\n", tmp_path)
    resolved = design_yaml(design)

    recording.unlink()

    assert parse(resolved) == design


def test_another_recording_is_another_question(tmp_path: Path) -> None:
    text = SMALL + "  - {id: old, provider: recorded, path: answers.jsonl}\n"
    ids = set()
    for content in ("{}\n", "[]\n"):
        (tmp_path / "answers.jsonl").write_text(content)
        ids.add(parse(text, tmp_path).asking_id)

    assert len(ids) == 2


def test_no_secret_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-very-secret")
    text = SMALL + "    api_key_env: SOME_KEY\n    headers: {Authorization: 'Bearer ${SOME_KEY}'}\n"

    written = design_yaml(parse(text))

    assert "sk-very-secret" not in written
    assert "api_key_env: SOME_KEY" in written
    assert "Bearer ${SOME_KEY}" in written


def test_defaults_are_spelled_out() -> None:
    written = design_yaml(parse(SMALL))

    for line in ("orders: AB", "reference: if_given", "samples: 1", "quorum: 1", "tie: undecided", "family: openai"):
        assert f"{line}\n" in written
