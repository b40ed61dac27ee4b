"""What PoLL left open: size, families, substitution, one judge asked several times, open weights, another set."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np

from benchmarks.papers.binary import Scores, judge_of, verdicts_of
from benchmarks.papers.poll_pairs import majority_accuracy
from benchmarks.papers.recorded import Recorded, read_pairs, read_reference
from venire.coding.votes import CodedVotes
from venire.stats.cohen_kappa import cohen_kappa

MATCHED = 0.01
"""Panels are compared whose members' mean accuracies differ by no more."""
CLOSED = ("gpt-4-turbo",)
PROMPTS = ("CoT", "Metrics", "Metrics_Reference", "Reference", "Vanilla", "Vanilla_NoRules")
"""Those under which every judge of llmbar was asked about the 419 items of LLMBar itself."""


def ablations(trivia: Recorded, judges: Sequence[str], shared: Path) -> Mapping[str, Sequence[str]]:
    """Print and return every ablation, as lines."""
    scores = Scores([judge_of(trivia.votes, name) for name in judges], trivia, trivia.groups("question_id"))
    told = {
        "size": _sizes(trivia, judges),
        "families": _families(trivia, judges, scores),
        "substitution": _substitution(trivia, judges),
        "multiplicity": _multiplicity(shared / "data" / "llmbar"),
        "open weights": _open_weights(trivia, judges),
        "nq301": _nq301(shared / "data" / "nq301"),
    }
    for name, lines in told.items():
        print(f"\n## {name}")
        print("\n".join(lines), flush=True)
    return told


def _kappas(recorded: Recorded, panels: Sequence[Sequence[str]]) -> np.ndarray:
    verdicts = [verdicts_of(recorded.votes, panel) for panel in panels]
    return Scores(verdicts, recorded, recorded.groups("question_id")).kappas()


def _sizes(trivia: Recorded, judges: Sequence[str]) -> list[str]:
    alone = dict(zip(judges, _kappas(trivia, [(name,) for name in judges]), strict=True))
    lines = []
    for size in range(1, len(judges) + 1):
        panels = list(combinations(judges, size))
        kappas = _kappas(trivia, panels)
        best = np.array([max(alone[name] for name in panel) for panel in panels])
        lines.append(
            f"{size} judges, {len(panels)} panels by majority: kappa mean {kappas.mean():.3f}, "
            f"worst {kappas.min():.3f}, best {kappas.max():.3f} (chosen here: flattered); "
            f"{(kappas > best).sum()} beat their best member"
        )
    return lines


def _families(trivia: Recorded, judges: Sequence[str], scores: Scores) -> list[str]:
    accuracy = dict(zip(judges, scores.accuracies(), strict=True))
    threes = list(combinations(judges, 3))
    n_families = np.array([len({trivia.families[name] for name in three}) for three in threes])
    kappas = _kappas(trivia, threes)
    members = np.array([np.mean([accuracy[name] for name in three]) for three in threes])
    differences = []
    for three in np.flatnonzero(n_families == 1):
        near = np.flatnonzero((n_families == 3) & (np.abs(members - members[three]) <= MATCHED))
        differences += [kappas[other] - kappas[three] for other in near]
    lines = [
        f"panels of three from {n} famil{'y' if n == 1 else 'ies'}: {(n_families == n).sum()} panels, mean kappa "
        f"{kappas[n_families == n].mean():.3f}, mean member accuracy {members[n_families == n].mean():.3f}"
        for n in (1, 2, 3)
    ]
    above = sum(difference > 0 for difference in differences)
    lines.append(
        f"three families minus one family, member accuracy within {MATCHED}: {len(differences)} comparisons, mean "
        f"difference of kappa {np.mean(differences):+.3f}, above 0 in {above}"
        if differences
        else f"no panel of three families has members as accurate, within {MATCHED}, as a panel of one family"
    )
    return lines


def _substitution(trivia: Recorded, judges: Sequence[str]) -> list[str]:
    panel = ("gpt-4-turbo", "llama3-70b", "mistral-7b")
    base = float(_kappas(trivia, [panel])[0])
    lines = [f"{', '.join(panel)}: kappa {base:.3f}"]
    for out in panel:
        rest = [name for name in panel if name != out]
        others = [name for name in judges if name not in panel]
        kappas = _kappas(trivia, [(*rest, name) for name in others])
        told = ", ".join(f"{name} {kappa:.3f}" for name, kappa in zip(others, kappas, strict=True))
        lines.append(f"{out} replaced by: {told}")
    return lines


def _multiplicity(folder: Path) -> list[str]:
    """One judge under several prompts has as many votes as several judges under one: is it worth as much?"""
    pairs = _without_mtbench(read_pairs(folder, PROMPTS))
    names = sorted({rater.split("@")[0] for rater in pairs.votes.raters})
    by_judge = {
        name: [
            majority_accuracy(pairs, _raters(pairs, [name], prompts))
            for prompts in [*[(prompt,) for prompt in PROMPTS], *combinations(PROMPTS, 3)]
        ]
        for name in names
    }
    n = len(PROMPTS)
    lines = [
        f"{name}: one prompt, mean accuracy {np.mean(values[:n]):.3f}; three by majority {np.mean(values[n:]):.3f}"
        for name, values in by_judge.items()
    ]
    threes = [
        majority_accuracy(pairs, _raters(pairs, three, (prompt,)))
        for prompt in PROMPTS
        for three in combinations(names, 3)
    ]
    lines.append(
        f"three judges under one prompt: mean accuracy {np.mean(threes):.3f}, best {max(threes):.3f} (flattered)"
    )
    return lines


def _raters(pairs: Recorded, judges: Sequence[str], prompts: Sequence[str]) -> list[str]:
    wanted = {f"{judge}@{prompt} {order}" for judge in judges for prompt in prompts for order in ("AB", "BA")}
    return [rater for rater in pairs.votes.raters if rater in wanted]


def _without_mtbench(pairs: Recorded) -> Recorded:
    kept = np.array([item["subset"] != "mt-bench" for item in pairs.items])

    def cut(votes: CodedVotes) -> CodedVotes:
        subjects = tuple(subject for subject, is_kept in zip(votes.subjects, kept, strict=True) if is_kept)
        return replace(votes, subjects=subjects, codes=votes.codes[:, kept], missing=votes.missing[:, kept])

    items = tuple(item for item, is_kept in zip(pairs.items, kept, strict=True) if is_kept)
    return replace(pairs, votes=cut(pairs.votes), gold=cut(pairs.gold), items=items)


def _open_weights(trivia: Recorded, judges: Sequence[str]) -> list[str]:
    panels = list(combinations([name for name in judges if name not in CLOSED], 3))
    kappas = _kappas(trivia, panels)
    best = int(kappas.argmax())
    closed = float(_kappas(trivia, [CLOSED])[0])
    return [
        f"best of {len(panels)} open panels of three (chosen here: flattered): {', '.join(panels[best])}, kappa "
        f"{kappas[best]:.3f}; gpt-4-turbo alone {closed:.3f}; open panels at or above it: {(kappas >= closed).sum()}"
    ]


def _nq301(folder: Path) -> list[str]:
    nq = read_reference(folder)
    singles = [judge_of(nq.votes, name) for name in nq.votes.raters]
    rules = [verdicts_of(nq.votes, nq.votes.raters, rule) for rule in ("max", "majority", "unanimity")]
    scores = Scores([*singles, *rules], nq, nq.groups("question_id"))
    lines = []
    for name in scores.names:
        figures = ", ".join(f"{key} {estimate}" for key, estimate in scores.row(name).items())
        lines.append(f"{name}: n {scores.n(name):,}, {figures}")
    labels = [{one["annotator"]: one["label"] for one in item["human"]} for item in nq.items]
    pairs = [(one["h1"], one["h2"]) for one in labels if {"h1", "h2"} <= set(one)]
    both = np.array([[label == "correct" for label in pair] for pair in pairs], dtype=float)
    table = np.array([[((both == (a, b)).all(axis=1)).sum() for b in (0, 1)] for a in (0, 1)], dtype=float)
    return [*lines, f"two people with each other, {len(pairs):,} items: kappa {cohen_kappa(table).kappa:.3f}"]
