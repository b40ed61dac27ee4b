"""The vectors of three public sets: hanna, topicalchat_gpt35 and rb2_composo, as arrays (judges, items, dims)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.papers.recorded import Row, rows

Numbers = NDArray[np.float64]
STUCK = 5.0
"""What the fifth member of topicalchat says of everything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What judges gave on each item, and what people did."""

    judges: tuple[str, ...]
    families: tuple[str, ...]
    values: Numbers
    """Shape (n_judges, n_items, n_dims): as published; 0 where there is none."""
    present: NDArray[np.bool_]
    low: Numbers
    """Shape (n_dims,)."""
    high: Numbers
    gold: Numbers | None
    """Shape (n_items, n_dims)."""


def read_hanna(folder: Path) -> Scored:
    """Twenty members, a judge under each of four prompts, on six criteria of 1 to 5; published values, all of them."""
    return _read_ratings(folder, {}, (1.0, 5.0))


def read_topicalchat(folder: Path) -> Scored:
    """Four members, one judge under four prompts, each the mean of its 20 samples, on four criteria."""
    return _read_ratings(folder, {"groundedness": (0.0, 1.0)}, (1.0, 3.0))


def _read_ratings(folder: Path, scales: Mapping[str, tuple[float, float]], scale: tuple[float, float]) -> Scored:
    items = rows(folder / "items.jsonl.gz")
    dims = sorted(items[0]["gold"])
    columns = {item["id"]: column for column, item in enumerate(items)}
    recorded = rows(folder / "judgments.jsonl.gz")
    judges = list(dict.fromkeys((row["judge"], row["prompt"], row["family"]) for row in recorded))
    places = {judge: place for place, judge in enumerate(judges)}
    totals = np.zeros((len(judges), len(items), len(dims)))
    counts = np.zeros(totals.shape)
    for row in recorded:
        judge, column = places[row["judge"], row["prompt"], row["family"]], columns[row["item_id"]]
        for dim, name in enumerate(dims):
            if (score := row["scores"].get(name)) is not None:
                totals[judge, column, dim] += score
                counts[judge, column, dim] += 1
    ends = np.array([scales.get(name, scale) for name in dims])
    return Scored(
        judges=tuple(f"{judge}@{prompt}" for judge, prompt, _ in judges),
        families=tuple(family for _, _, family in judges),
        values=totals / np.maximum(counts, 1),
        present=counts > 0,
        low=ends[:, 0],
        high=ends[:, 1],
        gold=np.array([[item["gold"][name] for name in dims] for item in items]),
    )


def within_scale(scored: Scored) -> NDArray[np.bool_]:
    """Which values are there and on their scale."""
    return scored.present & (scored.values >= scored.low) & (scored.values <= scored.high)


def read_rb2(folder: Path, variant: str, k: int, members: Sequence[str]) -> Scored:
    """Judges' mean scores of the four responses, response 0 being the right one, over their first k samples."""
    found: dict[str, list[Row]] = {}
    for suffix in ("both", "claude_both", "nano"):
        path = folder / f"{variant}_{suffix}_k8.jsonl.gz"
        found[suffix] = rows(path) if path.exists() else []
    keys = sorted({(row["subset"], row["id"]) for of_file in found.values() for row in of_file})
    columns = {key: column for column, key in enumerate(keys)}
    totals = np.zeros((len(members), len(keys), 4))
    counts = np.zeros(totals.shape)
    for judge, member in enumerate(members):
        suffix, field = RB2[member]
        for row in found[suffix]:
            column = columns[row["subset"], row["id"]]
            for response, samples in enumerate(row[field]):
                told = [score for score in samples[:k] if score is not None]
                totals[judge, column, response], counts[judge, column, response] = sum(told), len(told)
    return Scored(
        judges=tuple(members),
        families=tuple("openai" if name.startswith("gpt") else "anthropic" for name in members),
        values=totals / np.maximum(counts, 1),
        present=counts > 0,
        low=np.ones(4),
        high=np.full(4, 10.0),
        gold=None,
    )


RB2: Mapping[str, tuple[str, str]] = {
    "gpt-full": ("both", "full_scores"),
    "gpt-mini": ("both", "mini_scores"),
    "sonnet": ("claude_both", "full_scores"),
    "haiku": ("claude_both", "mini_scores"),
    "gpt-nano": ("nano", "nano_scores"),
}
"""In which file a judge of rb2_composo is, and under which name."""
