"""The best single judge: which it is, and whether the panel is worth more than it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes
from venire.domain.finding import Finding, Undefined
from venire.domain.identity import JudgeId
from venire.domain.measures import Measure, RaterAgreement
from venire.metaeval.findings import Held, accuracy_value, error_value, kappa_value
from venire.metaeval.intervals import Resampled, interval_of, kappas, ratios, resample, shares_on_diagonal
from venire.metaeval.rows import RaterRow, count_missing

_CHOSEN_HERE = "the best judge was chosen on these same data, which favours it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The best single judge, and by what."""

    judge_id: JudgeId | None
    compared_by: Measure | Undefined


def find_best(judges: Sequence[RaterAgreement]) -> Best:
    """Find the voting judge with the highest kappa; without any kappa, accuracy; on numbers, the lowest error.

    Equal figures are settled by accuracy, then by name, so that the order of the judges does not matter.
    """
    measures: tuple[Measure, ...] = ("kappa", "accuracy", "mean_absolute_error")
    for measure in measures:
        ranked = sorted(
            (-_merit(judge, measure, value), -_merit(judge, "accuracy", 0.0), judge.rater)
            for judge in judges
            if judge.votes and isinstance(value := _figure(judge, measure), float)
        )
        if ranked:
            return Best(judge_id=JudgeId(ranked[0][2]), compared_by=measure)
    return Best(judge_id=None, compared_by=Undefined("no voting judge has a figure against gold"))


def subtract_best(
    best: Best, judges: Sequence[RaterRow], verdicts: RaterRow, gold: RaterRow, held: Held
) -> Finding | None:
    """The panel's figure minus the best judge's over the subjects that both decided, resampled in pairs.

    Kappa gives way to accuracy where one of the two has no kappa on these subjects.
    """
    if best.judge_id is None or isinstance(best.compared_by, Undefined):
        return None
    judge = next(row for row in judges if row.name == best.judge_id)
    both = judge.present & verdicts.present & gold.present
    measure: Measure = best.compared_by
    ours, theirs = _values(measure, verdicts, judge, gold, held)
    if measure == "kappa" and both.any() and (isinstance(ours, Undefined) or isinstance(theirs, Undefined)):
        measure = "accuracy"
        ours, theirs = _values(measure, verdicts, judge, gold, held)
    match ours, theirs:
        case float(), float():
            point: float | Undefined = ours - theirs
        case (Undefined() as reason, _) | (_, Undefined() as reason):
            point = reason
    n_groups = held.clusters.count(both)
    figures = _resample_difference(measure, [verdicts, judge], _where(gold, both), held)
    return Finding(
        name=f"{measure}_difference",
        about=f"panel minus {judge.name}",
        value=point,
        interval=interval_of(point, figures, n_groups=n_groups, seed=held.seed),
        n=int(both.sum()),
        n_groups=n_groups,
        missing=count_missing(gold, replace(verdicts, name="panel"), judge, named=True),
        provenance=f"{measure} of the panel minus that of the best single judge, over the subjects on which both have "
        f"a label and there is gold; the groups are resampled for both at once; {_CHOSEN_HERE}",
    )


def chance_of(votes: CodedVotes, gold: RaterRow, held: Held) -> Finding:
    """What always giving one and the same label (numbers: gold's median) reaches against gold."""
    codes = gold.codes[gold.present]
    if held.n_labels:
        counts = np.bincount(codes.astype(np.intp), minlength=held.n_labels)
        label = votes.labels[int(counts.argmax())]
        always = f"always response no. {label + 1}" if isinstance(label, int) else f"always {label!r}"
        name, value = "accuracy", float(counts.max() / len(codes))
    else:
        median = float(np.median(codes))
        name, value, always = "mean_absolute_error", float(np.abs(codes - median).mean()), f"always {median:g}"
    return Finding(
        name=name,
        about=always,
        value=value,
        interval=Undefined("a mark to compare with, taken from gold itself; it is not an estimate"),
        n=len(codes),
        n_groups=held.clusters.count(gold.present),
        missing=count_missing(gold),
        provenance="against gold: the one answer that suits gold best, given to every subject",
    )


def _values(
    measure: Measure, verdicts: RaterRow, judge: RaterRow, gold: RaterRow, held: Held
) -> tuple[float | Undefined, float | Undefined]:
    """The panel's and the judge's figure, in this order, over the subjects that both decided."""
    both = judge.present & verdicts.present & gold.present
    match measure:
        case "kappa":
            return kappa_value(verdicts, gold, both, held), kappa_value(judge, gold, both, held)
        case "accuracy":
            return accuracy_value(verdicts, gold, both), accuracy_value(judge, gold, both)
        case "mean_absolute_error":
            return error_value(verdicts, gold, both), error_value(judge, gold, both)


def _resample_difference(measure: Measure, pair: Sequence[RaterRow], gold: RaterRow, held: Held) -> Resampled:
    sums = resample(pair, lambda some: held.sums(some, gold), held.seed)
    ours, theirs = sums[:, 0], sums[:, 1]
    match measure:
        case "kappa":
            return kappas(ours, held.weights).minus(kappas(theirs, held.weights))
        case "accuracy":
            return shares_on_diagonal(ours).minus(shares_on_diagonal(theirs))
        case "mean_absolute_error":
            return ratios(ours).minus(ratios(theirs))


def _where(row: RaterRow, kept: NDArray[np.bool_]) -> RaterRow:
    """The row with votes on the kept subjects alone."""
    return replace(row, missing=np.where(kept, row.missing, 1).astype(np.int16))


def _figure(judge: RaterAgreement, measure: Measure) -> float | Undefined:
    finding = judge.against_gold(measure)
    return finding if isinstance(finding, Undefined) else finding.value


def _merit(judge: RaterAgreement, measure: Measure, default: float) -> float:
    value = _figure(judge, measure)
    if isinstance(value, Undefined):
        return default
    return -value if measure == "mean_absolute_error" else value
