"""The best of four responses by the scores of five judges (rb2_composo): their mean beside a cross-fitted logit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.papers.binary import Estimate
from benchmarks.papers.figures import Figure
from benchmarks.papers.recorded import rows
from venire.stats.cluster_bootstrap import percentile_interval, resampled_sums
from venire.stats.conditional_logit import choice_probabilities, conditional_logit
from venire.stats.cross_fitting import assign_folds, cross_fit

FILES = {"base_both": ("full", "mini"), "base_claude_both": ("full", "mini"), "base_nano": ("nano",)}
N_RESPONSES = 4
SEED = 0
N_RESAMPLES = 2000
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Mean scores of a few samples: shape (n_items, n_responses, n_judges); response 0 is the best by gold."""

    scores: NDArray[np.float64]
    present: NDArray[np.bool_]


def best_of_four(folder: Path) -> Iterator[Figure]:
    """The five judges at one sample and at eight; over the items on which every judge scored every response."""
    recorded = _read(folder)
    for k, source in ((1, 83.6), (8, None)):
        found = scored(recorded, k)
        complete = found.present.all(axis=(1, 2))
        mean = found.scores[complete].mean(axis=2)
        logit = _logit(found)[complete]
        name = f"rb2, five judges, {k} sample{'s' * (k > 1)}"
        if source is not None:
            strict = 100 * float(_right(mean)[1].mean())
            yield Figure(name=f"{name}: mean, a tie is wrong, %", source=source, measured=strict, decimals=1)
        for rule, place in (("a tie shares", 0), ("a tie is wrong", 1)):
            gain = _paired(_right(logit)[place] - _right(mean)[place])
            accuracies = f"{_right(logit)[place].mean():.3f} against {_right(mean)[place].mean():.3f}"
            yield Figure(
                name=f"claim: {name}: conditional logit beats the mean, {rule}: {accuracies}, difference {gain}",
                source=None,
                measured=gain.value,
                holds=gain.low > 0,
            )


def scored(recorded: Sequence[Mapping[tuple[str, str], Sequence[Sequence[float | None]]]], k: int) -> Scored:
    """The mean of the first k samples that were read; every item that some judge scored."""
    items = sorted({item for judge in recorded for item in judge})
    scores = np.zeros((len(items), N_RESPONSES, len(recorded)))
    present = np.zeros(scores.shape, dtype=np.bool_)
    for column, judge in enumerate(recorded):
        for row, item in enumerate(items):
            for response, samples in enumerate(judge.get(item, ())):
                read = [one for one in samples[:k] if one is not None]
                if read:
                    scores[row, response, column] = np.mean(read)
                    present[row, response, column] = True
    return Scored(scores=scores, present=present)


def _read(folder: Path) -> list[dict[tuple[str, str], Sequence[Sequence[float | None]]]]:
    judges = []
    for file, sizes in FILES.items():
        lines = rows(folder / f"{file}_k8.jsonl.gz")
        for size in sizes:
            key = f"{size}_scores"
            judges.append({(line["subset"], line["id"]): line[key] for line in lines if line.get(key)})
    return judges


def _logit(found: Scored) -> NDArray[np.float64]:
    """The chance of each response to be the best; every item is its own group."""
    best = np.zeros(len(found.scores), dtype=np.intp)
    is_offered = np.ones(found.scores.shape[:2], dtype=np.bool_)

    def fit_and_predict(learn: NDArray[np.intp], test: NDArray[np.intp]) -> NDArray[np.float64]:
        fit = conditional_logit(found.scores[learn], found.present[learn], is_offered[learn], best[learn])
        return choice_probabilities(fit, found.scores[test], found.present[test], is_offered[test])

    return cross_fit(assign_folds(np.arange(len(best)), seed=SEED), fit_and_predict)


def _right(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Whether response 0 has the highest value, by item: a tie for it shares, and a tie is wrong."""
    leads = values >= values.max(axis=1, keepdims=True) - _EQUAL
    shared = leads[:, 0] / leads.sum(axis=1)
    return shared, (shared == 1.0).astype(np.float64)


def _paired(differences: NDArray[np.float64]) -> Estimate:
    drawn = resampled_sums(differences, N_RESAMPLES, SEED) / len(differences)
    interval = percentile_interval(drawn, np.ones(N_RESAMPLES, dtype=np.bool_))
    return Estimate(value=float(differences.mean()), low=interval.low, high=interval.high)
