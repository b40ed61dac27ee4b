"""The documentation is true: its code runs, and every command, option, error and file it should name is named."""

import re
from pathlib import Path

import pytest

from venire import errors

PAGES = ["README.md", "docs/tutorial.md"]


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


def test_every_error_stands_in_the_error_tree() -> None:
    classes = [name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)]

    assert errors.__doc__ is not None
    assert all(name in errors.__doc__ for name in classes)


def test_every_link_between_pages_leads_somewhere(root: Path) -> None:
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    for page in pages:
        for target in re.findall(r"\]\(((?!https?:)[^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
