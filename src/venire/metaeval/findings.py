"""Findings: one rater's figure against one reference, with its interval and what was left out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.domain.finding import Finding, Undefined
from venire.errors import UndefinedStatistic
from venire.metaeval.intervals import Resampled, interval_of, kappas, ratios, shares_on_diagonal
from venire.metaeval.rows import Clusters, RaterRow, count_missing, ratio_sums, table_sums
from venire.stats.accuracy import accuracy
from venire.stats.cohen_kappa import Weights, cohen_kappa, confusion_table
from venire.stats.mean_absolute_error import mean_absolute_error


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What all raters of one criterion are held to: the same groups, labels, weights and seed."""

    clusters: Clusters
    n_labels: int
    """0 where the scale holds numbers."""
    weights: Weights
    seed: int

    def sums(self, raters: Sequence[RaterRow], reference: RaterRow) -> NDArray[np.float64]:
        """Per-group confusion tables for labels; per-group absolute errors and numbers counted otherwise."""
        if self.n_labels:
            return table_sums(raters, reference, self.clusters, self.n_labels)
        return ratio_sums(raters, reference, self.clusters, absolute=True)


def same_label_share(
    rater: RaterRow, reference: RaterRow, held: Held, resampled: NDArray[np.float64], name: str
) -> Finding:
    """The share of subjects on which rater and reference gave the same label.

    Args:
        resampled: tables (n_resamples, n_labels, n_labels), or equal and counted subjects (n_resamples, 2).
        name: "accuracy" against gold, "agreement" with the panel.
    """
    both = rater.present & reference.present
    point = _value(lambda: accuracy(rater.codes[both], reference.codes[both]).accuracy)
    figures = ratios(resampled) if resampled.ndim == 2 else shares_on_diagonal(resampled)
    return _finding(name, rater, reference, held, point, figures)


def kappa_with(rater: RaterRow, reference: RaterRow, held: Held, resampled: NDArray[np.float64]) -> Finding:
    """Cohen's kappa of rater and reference."""
    both = rater.present & reference.present
    point = kappa_value(rater, reference, both, held)
    return _finding("kappa", rater, reference, held, point, kappas(resampled, held.weights))


def average_error(
    rater: RaterRow, reference: RaterRow, held: Held, resampled: NDArray[np.float64], name: str
) -> Finding:
    """The mean absolute difference of the numbers of rater and reference; lower is better."""
    both = rater.present & reference.present
    point = error_value(rater, reference, both)
    return _finding(name, rater, reference, held, point, ratios(resampled))


def kappa_value(rater: RaterRow, reference: RaterRow, both: NDArray[np.bool_], held: Held) -> float | Undefined:
    """Kappa over the subjects of `both`."""
    return _value(
        lambda: (
            cohen_kappa(confusion_table(rater.codes[both], reference.codes[both], held.n_labels), held.weights).kappa
        )
    )


def accuracy_value(rater: RaterRow, reference: RaterRow, both: NDArray[np.bool_]) -> float | Undefined:
    """Accuracy over the subjects of `both`."""
    return _value(lambda: accuracy(rater.codes[both], reference.codes[both]).accuracy)


def error_value(rater: RaterRow, reference: RaterRow, both: NDArray[np.bool_]) -> float | Undefined:
    """Mean absolute error over the subjects of `both`."""
    return _value(lambda: mean_absolute_error(rater.codes[both], reference.codes[both]).loss)


def _value(compute: Callable[[], float]) -> float | Undefined:
    try:
        return compute()
    except UndefinedStatistic as reason:
        return Undefined(str(reason))


def _finding(
    name: str, rater: RaterRow, reference: RaterRow, held: Held, point: float | Undefined, figures: Resampled
) -> Finding:
    both = rater.present & reference.present
    n_groups = held.clusters.count(both)
    is_share = name in {"agreement", "accuracy"}
    return Finding(
        name=name,
        about=rater.name,
        value=point,
        interval=interval_of(point, figures, n_groups=n_groups, seed=held.seed, is_share=is_share),
        n=int(both.sum()),
        n_groups=n_groups,
        missing=count_missing(reference, rater),
        provenance=_provenance(name, held.weights),
    )


def _provenance(name: str, weights: Weights) -> str:
    match name:
        case "agreement":
            how = "against the panel's verdicts, of which a voting judge's own vote is a part: share of equal labels"
        case "mean_absolute_difference":
            how = "from the panel's verdicts, of which a voting judge's own vote is a part: mean absolute difference"
        case "accuracy":
            how = "against gold: share of equal labels"
        case "mean_absolute_error":
            how = "from gold: mean absolute difference in units of the scale, lower is better; numbers have no kappa"
        case _:
            how = {
                "nominal": "against gold: Cohen's kappa (1960)",
                "linear": "against gold: Cohen's weighted kappa (1968), linear weights",
                "quadratic": "against gold: Cohen's weighted kappa (1968), quadratic weights in the scale's order",
            }[weights]
    return f"{how}; over the subjects on which both have a label"
