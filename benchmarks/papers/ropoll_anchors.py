"""Figures measured before on hanna, topicalchat_gpt35 and rb2_composo, by the definitions given with them."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.papers.figures import Figure
from benchmarks.papers.ropoll_data import STUCK, Numbers, Scored, read_hanna, read_rb2, read_topicalchat, within_scale
from venire.metaeval.stress_rules import number_rules
from venire.stats.vector_distance import vector_distance

RULES = {rule.name: rule for rule in number_rules(n_dims=2, trim=0.2)}
Present = NDArray[np.bool_]


def decide(rule: str, values: Numbers, present: Present) -> tuple[Numbers, NDArray[np.bool_]]:
    """The consensus (n_items, n_dims) and where it is decided; the geometric median counts whole vectors alone."""
    if RULES[rule].needs_whole:
        present = np.repeat(present.all(axis=2, keepdims=True), values.shape[2], axis=2)
    found = RULES[rule].decide(np.where(present, values, 0.0), present)
    return found.values, found.decided


def hanna_figures(folder: Path) -> Iterator[Figure]:
    """Published values, then with those outside the scale as failures."""
    hanna = read_hanna(folder)
    gold = _gold(hanna)
    n_outside = int((hanna.present & ~within_scale(hanna)).sum())
    n_rows = int((hanna.present & ~within_scale(hanna)).any(axis=2).sum())
    yield Figure(name="hanna, values outside 1 to 5", source=1051, measured=n_outside, decimals=0)
    yield Figure(name="hanna, judgments that hold one", source=636, measured=n_rows, decimals=0)
    published = (
        ("mean", 0.375, 1.956),
        ("coordinate median", 0.379, 2.015),
        ("geometric median", 0.372, 1.972),
    )
    for rule, tau, distance in published:
        values, _ = decide(rule, hanna.values, hanna.present)
        yield Figure(name=f"hanna as published, tau of the {rule}", source=tau, measured=mean_tau(values, gold))
        measured = vector_distance(values, gold).mean
        yield Figure(name=f"hanna as published, distance of the {rule}", source=distance, measured=measured)
    taus = [mean_tau(values, gold) for values in hanna.values]
    distances = [vector_distance(values, gold).mean for values in hanna.values]
    yield Figure(name="hanna as published, tau of the best member", source=0.340, measured=max(taus))
    yield Figure(
        name="hanna as published, distance of the best member", source=2.05, measured=min(distances), decimals=2
    )
    for rule, tau, distance in (("mean", 0.379, 1.935), ("coordinate median", 0.382, 1.999)):
        values, _ = decide(rule, hanna.values, within_scale(hanna))
        name = f"hanna, outside the scale as failures, {{}} of the {rule}"
        yield Figure(name=name.format("tau"), source=tau, measured=mean_tau(values, gold))
        yield Figure(name=name.format("distance"), source=distance, measured=vector_distance(values, gold).mean)


def topicalchat_figures(folder: Path) -> Iterator[Figure]:
    """One of five members stuck at 5: a member that misses a dimension is dropped, or the item is."""
    chat = read_topicalchat(folder)
    gold = _gold(chat)
    values = np.concatenate([chat.values, np.full_like(chat.values[:1], STUCK)])
    whole = np.concatenate([chat.present.all(axis=2), np.ones_like(chat.present[:1, :, 0])])
    present = np.repeat(whole[:, :, None], values.shape[2], axis=2)
    complete = whole.all(axis=0)
    for rule, dropped, items in (("mean", 1.495, 1.472), ("geometric median", 0.969, 0.975)):
        found, _ = decide(rule, values, present)
        measured = vector_distance(found, gold).mean
        yield Figure(name=f"topicalchat, a stuck member, distance of the {rule}", source=dropped, measured=measured)
        measured = vector_distance(found[complete], gold[complete]).mean
        name = f"topicalchat, a stuck member, distance of the {rule} over {int(complete.sum())} complete items"
        yield Figure(
            name=name,
            source=items,
            measured=measured,
            reason=f"measured {measured:.5f}; from 1.47150 on it would match",
        )


def rb2_figures(folder: Path) -> Iterator[Figure]:
    """Means over samples, then over judges; right where response 0 is the strict maximum."""
    two = ("gpt-mini", "haiku")
    for members, source, n, strict in ((two, 89.0, 1742, 87.9), ((*two, "sonnet"), 90.3, 1730, 88.7)):
        right, scored, n_items = accuracy(read_rb2(folder, "criteria", 8, members))
        name = f"rb2, {' + '.join(members)}, criteria, k=8"
        yield Figure(name=f"{name}, N left out", source=source, measured=100 * right / scored, decimals=1)
        yield Figure(name=f"{name}, N", source=n, measured=scored, decimals=0)
        yield Figure(name=f"{name}, missing counted wrong", source=strict, measured=100 * right / n_items, decimals=1)
    alone = []
    for member in ("gpt-full", "gpt-mini", "haiku", "sonnet"):
        right, scored, _ = accuracy(read_rb2(folder, "criteria", 8, (member,)))
        alone.append((100 * right / scored, member))
    best, name = max(alone)
    yield Figure(name=f"rb2, best member alone ({name}), criteria, k=8", source=85.8, measured=best, decimals=1)
    right, scored, _ = accuracy(read_rb2(folder, "base", 1, ("gpt-full", "gpt-mini", "sonnet", "haiku", "gpt-nano")))
    yield Figure(name="rb2, five judges, base, k=1", source=83.6, measured=100 * right / scored, decimals=1)


def accuracy(scored: Scored) -> tuple[int, int, int]:
    """Items right, items on which every member has scored every response, and all items of the set."""
    complete = scored.present.all(axis=(0, 2))
    panel = scored.values.mean(axis=0)
    # A mean of the same numbers in another order may differ in the last bit: that is a tie.
    right = (panel[:, 0] > panel[:, 1:].max(axis=1) + 1e-9) & complete
    return int(right.sum()), int(complete.sum()), N_RB2


N_RB2 = 1763
"""Items of rb2_composo; files of some judges lack some of them."""


def mean_tau(values: Numbers, gold: Numbers) -> float:
    """Kendall's tau-b of each criterion with gold, averaged."""
    return float(np.mean([kendall_tau_b(values[:, dim], gold[:, dim]) for dim in range(gold.shape[1])]))


def kendall_tau_b(one: Numbers, other: Numbers) -> float:
    """Concordant minus discordant pairs, over the root of the untied pairs of each."""
    first, second = _signs(one), _signs(other)
    return float((first * second).sum() / np.sqrt(np.abs(first).sum() * np.abs(second).sum()))


def _signs(numbers: Numbers) -> Numbers:
    differences = numbers[:, None] - numbers[None, :]
    return np.where(np.abs(differences) <= 1e-9, 0.0, np.sign(differences))


def _gold(scored: Scored) -> Numbers:
    if scored.gold is None:
        raise ValueError("this set has no gold")
    return scored.gold
