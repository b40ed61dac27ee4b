"""Agreement, bias and ranking on public judgments: python -m benchmarks.papers.meta [SHARED]  (make paper-meta)

Every figure is worked out again from the recorded labels with the statistics that `venire audit` and `venire rank` use,
and stands beside the one measured before. Definitions: a tie is half a win; a figure over human votes counts each vote.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.papers.binary import judge_of
from benchmarks.papers.figures import Figure, conclude
from benchmarks.papers.poll import ranking_tau
from benchmarks.papers.recorded import Row, read_reference, rows
from venire.stats.cohen_kappa import cohen_kappa, confusion_table

LABELS = ("A", "B", "tie")


def main(shared: Path) -> int:
    """Print every figure beside its source; the exit code says whether one differs without a reason."""
    data = shared / "data"
    figures = [
        *trivia(data / "triviaqa_judges"),
        *mtbench(data / "mtbench_human"),
        *position(data / "mtbench_posbias"),
        *ceilings(data),
    ]
    return conclude("meta", figures)


def trivia(folder: Path) -> Iterator[Figure]:
    """Agreement is not ranking."""
    recorded = read_reference(folder)
    for name, kappa, tau in (("contains", 0.67, 1.00), ("gemma-2b", 0.46, -0.04)):
        one = judge_of(recorded.votes, name)
        row = recorded.votes.rater(name)
        both = recorded.votes.present[row]
        measured = kappa_of(recorded.votes.codes[row][both], recorded.gold.codes[0][both], 2)
        yield Figure(name=f"triviaqa kappa, {name}", source=kappa, measured=measured, decimals=2)
        yield Figure(
            name=f"triviaqa tau of 8 systems, {name}", source=tau, measured=ranking_tau(one, recorded), decimals=2
        )


def mtbench(folder: Path) -> Iterator[Figure]:
    """GPT-4 beside people, and people beside one another."""
    items = {row["id"]: row for row in rows(folder / "items.jsonl.gz")}
    judged = {row["item_id"]: row for row in rows(folder / "judgments.jsonl.gz")}
    pairs = [
        (judged[name]["label"], vote["label"])
        for name, item in items.items()
        for vote in item["human"]
        if name in judged and judged[name]["label"] in LABELS and vote["label"] in LABELS
    ]
    said, human = coded(pairs)
    yield Figure(name="mtbench: gpt-4 with human votes", source=0.673, measured=float((said == human).mean()))
    yield Figure(
        name="mtbench kappa: gpt-4 with human votes", source=0.39, measured=kappa_of(said, human, 3), decimals=2
    )
    both = [
        (one["label"], other["label"])
        for item in items.values()
        for one, other in combinations(item["human"], 2)
        if one["label"] in LABELS and other["label"] in LABELS
    ]
    first, second = coded(both)
    yield Figure(
        name="mtbench kappa: pairs of human votes",
        source=0.41,
        measured=kappa_of(np.concatenate([first, second]), np.concatenate([second, first]), 3),
        decimals=2,
    )
    voted = [(name, item, vote["label"]) for name, item in items.items() for vote in item["human"]]
    by_people = [(item, label) for _, item, label in voted if label in LABELS]
    # A pair counts as often as people voted on it, so that both rates are over the same battles.
    by_judge = [(item, judged[name]["label"]) for name, item, _ in voted if judged[name]["label"] in LABELS]
    yield Figure(name="mtbench win rate of gpt-4, by gpt-4", source=0.854, measured=win_rate(by_judge, "gpt-4"))
    yield Figure(name="mtbench win rate of gpt-4, by people", source=0.731, measured=win_rate(by_people, "gpt-4"))
    flips = [bool(row["position_inconsistent"]) for row in judged.values()]
    yield Figure(name="mtbench: order changed gpt-4's verdict", source=0.157, measured=float(np.mean(flips)))


def position(folder: Path) -> Iterator[Figure]:
    """The same pair in both orders."""
    labels: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows(folder / "judgments.jsonl.gz"):
        if row["prompt"] == "full" and row["sample"] == 0 and row["label"] in LABELS:
            labels.setdefault((row["judge"], row["item_id"]), {})[row["order"]] = row["label"]
    for judge, source in (("gpt-4-0613", 0.815), ("gpt-3.5-turbo-1106", 0.695), ("gemini-pro", 0.572)):
        told = [one for (name, _), one in labels.items() if name == judge and len(one) == 2]
        same = [one["AB"] == one["BA"] for one in told]
        yield Figure(name=f"posbias: order consistency, {judge}", source=source, measured=float(np.mean(same)))
        if judge == "gemini-pro":
            flipped = [one for one in told if one["AB"] != one["BA"]]
            # Labels are canonical: B is shown second in AB, and A in BA. A tie chose neither.
            second = [one[order] == last for one in flipped for order, last in (("AB", "B"), ("BA", "A"))]
            second = [is_last for is_last, label in zip(second, _labels(flipped), strict=True) if label != "tie"]
            yield Figure(
                name="posbias: where gemini-pro flips, its choices of the second shown",
                source=0.87,
                measured=float(np.mean(second)),
                decimals=2,
            )


def _labels(flipped: Sequence[Mapping[str, str]]) -> list[str]:
    return [one[order] for one in flipped for order in ("AB", "BA")]


def ceilings(data: Path) -> Iterator[Figure]:
    """What people agree on, and what length alone tells."""
    pandalm = rows(data / "pandalm" / "items.jsonl.gz")
    for (one, other), source in ((("h1", "h2"), 0.85), (("h1", "h3"), 0.88), (("h2", "h3"), 0.86)):
        measured = kappa_between(pandalm, one, other, LABELS)
        yield Figure(name=f"pandalm kappa, {one} and {other}", source=source, measured=measured, decimals=2)
    longer = [longest(item) == item["gold"] for item in pandalm]
    yield Figure(
        name="pandalm: the longer response is gold's choice (a tie is none)",
        source=0.60,
        measured=float(np.mean(longer)),
        decimals=2,
    )
    nq = rows(data / "nq301" / "items.jsonl.gz")
    said = [{vote["annotator"]: vote["label"] for vote in item["human"]} for item in nq]
    # Seven answers have h3 in place of h2; elsewhere h3 was asked where the two differ, which is no ceiling.
    first, second = coded([(one["h1"], one.get("h2", one.get("h3", ""))) for one in said], ("correct", "incorrect"))
    yield Figure(name="nq301 kappa, h1 and h2", source=0.736, measured=kappa_of(first, second, 2))


def longest(item: Row) -> str:
    """Which response has more characters; the second where they are equally long, nothing where one is no text."""
    texts = [answer["text"] for answer in item["answers"]]
    if not all(isinstance(text, str) for text in texts):
        return ""  # six are booleans in the public file
    first, second = map(len, texts)
    return "A" if first > second else "B"


def kappa_between(items: Sequence[Row], one: str, other: str, labels: Sequence[str]) -> float:
    """Cohen's kappa of two annotators over what both labelled."""
    pairs = []
    for item in items:
        said = {vote["annotator"]: vote["label"] for vote in item["human"]}
        if said.get(one) in labels and said.get(other) in labels:
            pairs.append((said[one], said[other]))
    first, second = coded(pairs, labels)
    return kappa_of(first, second, len(labels))


def coded(pairs: Sequence[tuple[str, str]], labels: Sequence[str] = LABELS) -> tuple[Any, Any]:
    """Two columns of codes."""
    table = np.array([[labels.index(one), labels.index(other)] for one, other in pairs])
    return table[:, 0], table[:, 1]


def kappa_of(first: Any, second: Any, n_labels: int) -> float:
    """Cohen's kappa."""
    return cohen_kappa(confusion_table(first, second, n_labels)).kappa


def win_rate(told: Sequence[tuple[Mapping[str, Any], str]], system: str) -> float:
    """Wins of a system over its battles; a tie is half a win."""
    scores = []
    for item, label in told:
        names = [answer["model"] for answer in item["answers"]]
        if system in names:
            own = "A" if names[0] == system else "B"
            scores.append(0.5 if label == "tie" else float(label == own))
    return float(np.mean(scores))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")))
