"""Agreement: every judge and the panel held against gold, and every judge against the panel."""

from collections.abc import Sequence
from dataclasses import replace

from venire.coding.votes import CodedVotes
from venire.domain.finding import Finding, Undefined
from venire.domain.measures import Agreement, RaterAgreement
from venire.domain.rubric import OrdinalScale
from venire.metaeval.best import chance_of, find_best, subtract_best
from venire.metaeval.findings import Held, average_error, kappa_with, same_label_share
from venire.metaeval.intervals import resample
from venire.metaeval.rows import RaterRow, number_groups, ratio_sums, rows_of

_NO_GOLD = Undefined("there is no gold")
_NUMBERS = Undefined("the scale holds numbers, which are compared by their distance: see the mean absolute error")
_LABELS = Undefined("the scale holds labels, which have no distance: see accuracy and kappa")
_ITSELF = Undefined("it is the panel")


def measure_agreement(
    *,
    votes: CodedVotes,
    panel: CodedVotes,
    gold: CodedVotes | None,
    groups: Sequence[str],
    voting: Sequence[str],
    seed: int = 0,
) -> Agreement:
    """Measure how the judges of one criterion agree with the panel's verdicts and, where there is any, with gold.

    Labels: accuracy and Cohen's kappa (quadratic weights on an ordinal scale). Numbers: mean absolute error.
    Intervals: 95% percentile bootstrap over groups, the same resamples for all raters.

    Args:
        votes: all judges, also those that do not vote.
        panel, gold: one rater each, over the same subjects.
        groups: one for each subject.
        voting: the judges whose votes make the verdict; the best single judge is one of them.

    Raises:
        ValueError: subjects, scales or groups do not fit together.
    """
    for other in (panel, *([] if gold is None else [gold])):
        if (other.subjects, other.scale, len(other.raters)) != (votes.subjects, votes.scale, 1):
            raise ValueError(
                f"{other.raters!r} must be one rater over the {len(votes.subjects)} subjects and the scale of the votes"
            )
    held = Held(
        clusters=number_groups(groups, len(votes.subjects)),
        n_labels=len(votes.labels),
        weights="quadratic" if isinstance(votes.scale, OrdinalScale) else "nominal",
        seed=seed,
    )
    judges, verdicts = rows_of(votes), rows_of(panel)[0]
    raters = _against_panel(judges, verdicts, held, voting)
    if gold is None or not bool(gold.present.any()):
        return Agreement(raters=raters, compared_by=_NO_GOLD, best_single=None, panel_minus_best=None, chance=_NO_GOLD)
    reference = rows_of(gold)[0]
    raters = _against_gold(raters, [*judges, verdicts], reference, held)
    best = find_best(raters[:-1])
    return Agreement(
        raters=raters,
        compared_by=best.compared_by,
        best_single=best.judge_id,
        panel_minus_best=subtract_best(best, judges, verdicts, reference, held),
        chance=chance_of(votes, reference, held),
    )


def _against_panel(
    judges: Sequence[RaterRow], verdicts: RaterRow, held: Held, voting: Sequence[str]
) -> tuple[RaterAgreement, ...]:
    numbers = held.n_labels == 0
    resampled = resample(judges, lambda some: ratio_sums(some, verdicts, held.clusters, absolute=numbers), held.seed)
    measure = average_error if numbers else same_label_share
    name = "mean_absolute_difference" if numbers else "agreement"
    findings: list[Finding | Undefined] = [
        measure(judge, verdicts, held, resampled[:, row], name) for row, judge in enumerate(judges)
    ]
    return tuple(
        RaterAgreement(
            rater=row.name,
            votes=row is not verdicts and row.name in voting,
            with_panel=finding,
            accuracy=_NO_GOLD,
            kappa=_NO_GOLD,
            mean_absolute_error=_NO_GOLD,
        )
        for row, finding in zip([*judges, verdicts], [*findings, _ITSELF], strict=True)
    )


def _against_gold(
    raters: Sequence[RaterAgreement], rows: Sequence[RaterRow], gold: RaterRow, held: Held
) -> tuple[RaterAgreement, ...]:
    resampled = resample(rows, lambda some: held.sums(some, gold), held.seed)
    if held.n_labels == 0:
        return tuple(
            replace(
                rater,
                accuracy=_NUMBERS,
                kappa=_NUMBERS,
                mean_absolute_error=average_error(row, gold, held, resampled[:, number], "mean_absolute_error"),
            )
            for number, (rater, row) in enumerate(zip(raters, rows, strict=True))
        )
    return tuple(
        replace(
            rater,
            accuracy=same_label_share(row, gold, held, resampled[:, number], "accuracy"),
            kappa=kappa_with(row, gold, held, resampled[:, number]),
            mean_absolute_error=_LABELS,
        )
        for number, (rater, row) in enumerate(zip(raters, rows, strict=True))
    )
