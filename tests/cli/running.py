"""Running the real command in a real process, on small files of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ITEMS: list[dict[str, Any]] = [
    {
        "id": f"q{number}",
        "prompt": f"What is {number} + {number}?",
        "responses": [{"system": "sum", "text": f"It is {2 * number}."}, {"system": "guess", "text": "I guess 4."}],
        "reference": [str(2 * number)],
        "gold": {"sum": "correct", "guess": "correct" if number == 2 else "incorrect"},
    }
    for number in range(1, 6)
]

RULES_DESIGN = """
protocol: pointwise
rubric:
  criteria:
    - id: correct
      question: Does the response give the same answer as the reference?
      scale: {type: nominal, labels: [correct, incorrect]}
judges:
  - {id: whole, provider: containment, parameters: {tokens: true}}
  - {id: inside, provider: containment}
  - {id: dice, provider: random}
aggregation: {rule: majority, quorum: 2}
"""


def api_design(base_url: str, **fields: str) -> str:
    """A design with one judge behind an endpoint."""
    extra = "".join(f"    {name}: {value}\n" for name, value in fields.items())
    return f"""
protocol: pointwise
rubric:
  criteria:
    - id: correct
      question: Is it right?
      scale: {{type: nominal, labels: [correct, incorrect]}}
judges:
  - id: remote
    provider: openai_compatible
    model: test-model
    base_url: {base_url}
{extra}
"""


def write_inputs(folder: Path, design: str, items: list[dict[str, Any]] | None = None) -> tuple[Path, Path]:
    """Items and design as files; returns their paths."""
    rows = ITEMS if items is None else items
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "design.yaml").write_text(design, encoding="utf-8")
    return folder / "items.jsonl", folder / "design.yaml"


def venire(*arguments: str | Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command and wait for it."""
    return subprocess.run(
        [sys.executable, "-m", "venire", *map(str, arguments)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "", **(env or {})},  # compiled once, not at every start
        timeout=120,
        check=False,
    )


def judge_into(folder: Path, design: str, *options: str, **kwargs: Any) -> subprocess.CompletedProcess[str]:
    """`venire judge` on the standard items, into folder/run."""
    items, design_file = write_inputs(folder, design, kwargs.pop("items", None))
    return venire("judge", items, "--design", design_file, "--out", folder / "run", *options, **kwargs)
