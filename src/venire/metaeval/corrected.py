"""Corrected pass rates: what the panel's verdicts say of every system once the panel's own errors are taken off."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes
from venire.domain.audit import CorrectedRates, CorrectedSystem
from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.rubric import NominalScale
from venire.errors import UndefinedStatistic
from venire.stats.corrected_rate import correct_rate
from venire.stats.homogeneity import proportions_differ
from venire.stats.prediction_powered import PoweredMean, powered_mean

LEVEL = 0.95
SAME = 0.05
"""Below this p value error rates are taken to differ between systems."""
ALL = "all systems"


def correct_rates(
    panel: CodedVotes, gold: CodedVotes | None, systems: Sequence[tuple[str | None, ...]]
) -> CorrectedRates | Undefined:
    """Correct the share of positive verdicts of every system.

    The panel's errors are estimated on the labels of all systems, unless a test says that they differ between systems:
    then on each system's own.

    Args:
        panel, gold: one rater each, over the same subjects.
        systems: by subject, who wrote its response.
    """
    if not isinstance(panel.scale, NominalScale) or len(panel.labels) != 2:
        return Undefined("a pass rate needs a scale of two labels")
    if gold is None:
        return Undefined("there is no gold: nobody knows the panel's errors")
    code = panel.labels.index(panel.scale.positive)
    seen = _Seen(
        said=np.asarray(panel.codes[0] == code, dtype=np.bool_),
        decided=panel.present[0],
        truth=np.asarray(gold.codes[0] == code, dtype=np.bool_),
        labelled=np.asarray(gold.present[0] & panel.present[0], dtype=np.bool_),
    )
    names = sorted({own[0] for own in systems if own and own[0] is not None}) if systems else []
    wrote = {name: np.array([own[:1] == (name,) for own in systems], dtype=np.bool_) for name in names}
    differ = _what_differs(seen, wrote)
    own_calibration = differ is not None
    rows = [_row(ALL, np.ones(len(systems), dtype=np.bool_), seen, own=True)]
    rows += [_row(name, mask, seen, own=own_calibration) for name, mask in wrote.items()] if len(names) > 1 else []
    why = (
        f"the panel's {differ} differs between systems, so that each is corrected by its own labels"
        if differ is not None
        else "no test tells the panel's errors on one system from those on another: all labels are used together"
    )
    return CorrectedRates(rows=tuple(rows), pooled=not own_calibration, why=why, advice=_advice(rows[0], seen))


class _Seen:
    """What the panel said and what is true, as booleans."""

    def __init__(
        self,
        *,
        said: NDArray[np.bool_],
        decided: NDArray[np.bool_],
        truth: NDArray[np.bool_],
        labelled: NDArray[np.bool_],
    ) -> None:
        self.said, self.decided, self.truth, self.labelled = said, decided, truth, labelled

    def calibration(self, mask: NDArray[np.bool_]) -> tuple[int, int, int, int]:
        """Hits, truly positive, rejections, truly negative; of the labelled."""
        positive, negative = self.labelled & self.truth & mask, self.labelled & ~self.truth & mask
        return (
            int((positive & self.said).sum()),
            int(positive.sum()),
            int((negative & ~self.said).sum()),
            int(negative.sum()),
        )


def _what_differs(seen: _Seen, wrote: dict[str, NDArray[np.bool_]]) -> str | None:
    counts = [seen.calibration(mask) for mask in wrote.values()]
    for name, part, whole in (("sensitivity", 0, 1), ("specificity", 2, 3)):
        try:
            found = proportions_differ([one[part] for one in counts], [one[whole] for one in counts])
        except UndefinedStatistic:
            continue
        if found.p_value < SAME:
            return f"{name} (p = {found.p_value:.3f})"
    return None


def _row(name: str, mask: NDArray[np.bool_], seen: _Seen, *, own: bool) -> CorrectedSystem:
    decided = seen.decided & mask
    n, n_said = int(decided.sum()), int((seen.said & decided).sum())
    calibration = seen.calibration(mask if own else np.ones(len(mask), dtype=np.bool_))
    labelled = seen.labelled & mask
    powered = _powered(seen, labelled, decided & ~labelled)
    return CorrectedSystem(
        system=name,
        n=n,
        apparent=n_said / n if n else Undefined("the panel decided none of its responses"),
        corrected=_corrected(name, n_said, n, calibration),
        powered=powered if isinstance(powered, Undefined) else _finding(name, powered, "mean", labelled),
        labels_only=powered if isinstance(powered, Undefined) else _finding(name, powered, "labels_only", labelled),
        n_labelled=int(labelled.sum()),
        calibrated="its own labels" if own else "the labels of all systems",
    )


def _corrected(name: str, n_said: int, n: int, calibration: tuple[int, int, int, int]) -> Finding | Undefined:
    try:
        found = correct_rate(n_said, n, calibration=calibration, level=LEVEL)
    except UndefinedStatistic as reason:
        return Undefined(str(reason))
    method = f"smoothed and shifted as by Lang and Reiczigel (2014), from {calibration[1]} and {calibration[3]} labels"
    return Finding(
        name="corrected_pass_rate",
        about=name,
        value=found.rate,
        interval=Interval(low=found.low, high=found.high, level=LEVEL, method=method),
        n=n,
        n_groups=n,
        provenance=f"corrected for sensitivity {found.sensitivity:.3f} and specificity {found.specificity:.3f} (Rogan "
        "and Gladen 1978); responses are taken as independent",
    )


def _powered(seen: _Seen, labelled: NDArray[np.bool_], others: NDArray[np.bool_]) -> PoweredMean | Undefined:
    if not others.any():
        return Undefined("everything is labelled: the labels alone tell the rate")
    try:
        return powered_mean(
            seen.truth[labelled].astype(float), seen.said[labelled].astype(float), seen.said[others].astype(float)
        )
    except UndefinedStatistic as reason:
        return Undefined(str(reason))


def _finding(name: str, found: PoweredMean, which: str, labelled: NDArray[np.bool_]) -> Finding:
    powered = which == "mean"
    low, high = (found.low, found.high) if powered else (found.labels_low, found.labels_high)
    method = "normal, with PPI++'s variance (arXiv 2311.01453)" if powered else "normal, of the labels alone"
    return Finding(
        name="powered_pass_rate" if powered else "labelled_pass_rate",
        about=name,
        value=found.mean if powered else found.labels_only,
        interval=Interval(low=max(0.0, low), high=min(1.0, high), level=LEVEL, method=method),
        n=int(labelled.sum()) + (found.n_unlabelled if powered else 0),
        n_groups=int(labelled.sum()),
        provenance=f"prediction-powered with weight {found.weight:.2f} on the verdicts; the labelled ones must be a "
        "random sample"
        if powered
        else "share of the labelled ones that are positive; they must be a random sample",
    )


def _advice(row: CorrectedSystem, seen: _Seen) -> str:
    """How many more labels halve the interval, and how to draw them."""
    found = row.corrected
    if isinstance(found, Undefined) or isinstance(found.interval, Undefined) or isinstance(found.value, Undefined):
        return "Label some 50 responses that the panel called positive and some 50 that it did not, drawn at random."
    half = (found.interval.high - found.interval.low) / 2
    n = int(seen.labelled.sum())
    share = float((seen.said & seen.decided).sum() / max(1, int(seen.decided.sum())))
    return (
        f"The interval is {half:.3f} wide on each side, with {n:,} labels; four times as many labels halve what comes "
        f"of them. Draw them at random within what the panel called positive ({share:.0%}) and within the rest: items "
        "on which judges disagree are no random sample, and would bias both error rates."
    )
