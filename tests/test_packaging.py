"""What is shipped can be installed in a clean environment, and works there."""

import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from venire import __version__


@pytest.fixture(scope="module")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with wheel and sdist, built from this tree without downloading a build tool."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_wheel_holds_the_type_marker_the_template_and_the_plot(built: Path) -> None:
    names = zipfile.ZipFile(next(built.glob("*.whl"))).namelist()

    assert "venire/py.typed" in names
    assert "venire/reporting/templates/report.html.j2" in names
    assert "venire/reporting/assets/plotly-basic.min.js" in names


def test_the_sdist_holds_tests_examples_and_licence(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    assert {"LICENSE", "Makefile", "examples/qa.jsonl", "tests/test_packaging.py"} <= names


@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"], ids=["wheel", "sdist"])
def test_it_installs_into_a_clean_environment_and_prints_its_version(
    kind: str, built: Path, root: Path, tmp_path: Path
) -> None:
    environment = tmp_path / "clean"
    venv.create(environment, with_pip=True)
    python = environment / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    requirements = "demo.txt" if kind == "*.tar.gz" else "core.txt"
    subprocess.run([*pip, "--require-hashes", "--no-deps", "-r", str(root / "requirements" / requirements)], check=True)
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", str(next(built.glob(kind)))], check=True)

    subprocess.run([str(python), "-m", "pip", "check"], check=True)  # the pinned file is whole
    done = subprocess.run([environment / "bin" / "venire", "--version"], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == f"venire {__version__}"
