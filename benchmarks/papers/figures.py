"""Figures beside their source: printed, written as JSON, and counted.

A figure matches when it equals the source's at the digits printed there. One that does not match may carry a written
reason; without a reason the command that prints it exits with 1.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

BUILD = Path("build") / "papers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure: what a source prints for it and what was measured here."""

    name: str
    source: float | None
    """None: a claim in words, which `holds` answers."""
    measured: float
    decimals: int = 3
    """The digits that the source prints."""
    holds: bool | None = None
    """Whether a claim in words holds; None: the numbers are compared."""
    reason: str = ""
    """Why it does not match, where that is known."""

    @property
    def matches(self) -> bool:
        """Whether source and measurement agree at the printed digits."""
        if self.source is None:
            return bool(self.holds)
        # Half a unit of the last digit, and a hair for decimals that binary numbers cannot hold.
        return abs(self.measured - self.source) <= 0.5 * 10**-self.decimals + 1e-9


def conclude(paper: str, figures: Sequence[Figure], more: object = None) -> int:
    """Print every figure beside its source, write all as JSON, and say how many match.

    Args:
        paper: the name in `make paper-NAME`.
        more: further results for the JSON file, such as tables without a source.

    Returns:
        The exit code: 1 where a figure does not match and has no written reason.
    """
    for figure in figures:
        print(_line(figure))
    BUILD.mkdir(parents=True, exist_ok=True)
    document = {"figures": [asdict(figure) | {"matches": figure.matches} for figure in figures], "tables": more}
    (BUILD / f"{paper}.json").write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    n_matching = sum(figure.matches for figure in figures)
    print(f"paper-{paper}: {n_matching} of {len(figures)} figures match")
    return int(any(not figure.matches and not figure.reason for figure in figures))


def _line(figure: Figure) -> str:
    mark = "matches" if figure.matches else "DIFFERS"
    source = "claim" if figure.source is None else f"{figure.source:.{figure.decimals}f}"
    text = f"{mark}  {figure.name}: {figure.measured:.{figure.decimals}f} (source: {source})"
    return f"{text}; {figure.reason}" if figure.reason and not figure.matches else text
