"""Panels on LLMBar: where members share a lean towards the first shown, a panel is worse than one good judge."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.papers.figures import Figure
from benchmarks.papers.recorded import Recorded, read_pairs
from venire.aggregation.coded import code_decisions
from venire.aggregation.rules import apply_rule
from venire.domain.aggregation import Aggregation
from venire.domain.identity import CriterionId
from venire.stats.dawid_skene import dawid_skene

SOURCES = {"Metrics_Reference": (0.845, 0.722, 0.779), "Vanilla_NoRules": (0.780, 0.616, 0.591)}
"""By prompt, the accuracy of gpt-4, of all judges by majority, and of Dawid-Skene over judge and order."""


def llmbar_figures(folder: Path) -> Iterator[Figure]:
    """All 619 items; a vote for each judge and order, counted votes only, a tied vote counts as "A"."""
    for prompt, (single, panel, latent) in SOURCES.items():
        pairs = read_pairs(folder, [prompt])
        raters = pairs.votes.raters
        strong = [rater for rater in raters if rater.startswith("gpt-4@")]
        for name, source, measured in (
            ("gpt-4", single, majority_accuracy(pairs, strong)),
            ("all judges", panel, majority_accuracy(pairs, raters)),
            ("Dawid-Skene", latent, _latent_accuracy(pairs)),
        ):
            yield Figure(name=f"llmbar accuracy, {prompt}, {name}", source=source, measured=measured)


def majority_accuracy(pairs: Recorded, raters: Sequence[str]) -> float:
    """Accuracy over all items of the label that most votes hold; a tied vote, or none, counts as "A"."""
    aggregation = Aggregation(rule="plurality", denominator="counted")
    coded = code_decisions(apply_rule(pairs.votes.only(raters), aggregation), CriterionId("better"), aggregation)
    return float((np.where(coded.present[0], coded.codes[0], 0.0) == pairs.gold.codes[0]).mean())


def _latent_accuracy(pairs: Recorded) -> float:
    fit = dawid_skene(pairs.votes.codes, pairs.votes.present, n_labels=2)
    return float(((fit.posterior[:, 1] > 0.5) == pairs.gold.codes[0]).mean())
