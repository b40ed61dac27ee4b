"""Notes: what a reader should know before trusting the panel, in plain sentences."""

from collections.abc import Iterator, Mapping
from typing import get_args

import numpy as np

from venire.coding.votes import CodedVotes
from venire.domain.design import Design
from venire.domain.finding import Finding, Undefined
from venire.domain.identity import CriterionId
from venire.domain.judgment import FailureReason
from venire.domain.measures import Agreement, Measure, RaterAgreement
from venire.domain.panel import BASELINE_PROVIDERS

EMBEDDED_PROVIDERS = frozenset({"embedded", "similarity", "containment"})
DEMO_QUALITY = (
    "Demo quality: the embedded judges are small models and rules; they show the plumbing, not a judgement to rely on."
)
HIGH_FAILURE_SHARE = 0.05
"""Above this share of unreadable ballots a judge's own figures speak of the ballots that it happened to fill in."""


def write_notes(
    agreement: Mapping[CriterionId, Agreement], design: Design, votes: Mapping[CriterionId, CodedVotes]
) -> tuple[str, ...]:
    """Write the notes of a run, the gravest first.

    Args:
        agreement, votes: by criterion of the design; votes of all judges.
    """
    notes: list[str] = []
    if any(judge.provider in EMBEDDED_PROVIDERS for judge in design.judges):
        notes.append(DEMO_QUALITY)
    for criterion_id, measured in agreement.items():
        prefix = f"Criterion {criterion_id}: " if len(agreement) > 1 else ""
        notes.extend(prefix + note for note in _notes_of(measured, design))
    notes.extend(_high_failures(design, votes))
    return tuple(notes)


def _notes_of(measured: Agreement, design: Design) -> Iterator[str]:
    if isinstance(measured.chance, Undefined):
        yield (
            "There is no gold: agreement with the panel is not accuracy. Add people's annotations to learn "
            "which judges are right."
        )
        return
    yield from _panel_and_best(measured)
    yield from _at_chance(measured)
    yield from _baselines(measured, design)


def _panel_and_best(measured: Agreement) -> Iterator[str]:
    difference = measured.panel_minus_best
    if difference is None:
        yield "No voting judge has a figure against gold, so the panel cannot be compared with its best judge."
        return
    name = difference.name.removesuffix("_difference").replace("_", " ")
    if isinstance(difference.value, Undefined):
        yield (
            f"The panel cannot be compared with its best single judge, {measured.best_single}: "
            f"{difference.value.reason}."
        )
        return
    gain = -difference.value if name == "mean absolute error" else difference.value
    size = f"by {abs(difference.value):.2f} in {name}"
    sure = _distinguishable(difference)
    if gain < 0:
        yield f"The best single judge, {measured.best_single}, beats the panel {size}; the difference is {sure}."
    elif gain > 0:
        yield f"The panel beats its best single judge, {measured.best_single}, {size}; the difference is {sure}."
    else:
        yield f"The panel and its best single judge, {measured.best_single}, have the same {name}."


def _distinguishable(difference: Finding) -> str:
    subjects = _subjects(difference.n)
    if isinstance(difference.interval, Undefined):
        return f"without an interval on {subjects} ({difference.interval.reason})"
    few = ", and with so few groups the interval is too narrow" if "few groups" in difference.interval.method else ""
    if difference.interval.excludes_zero:
        return f"distinguishable from 0 on {subjects}{few}"
    return f"not distinguishable from 0 on {subjects}{few}"


def _at_chance(measured: Agreement) -> Iterator[str]:
    for rater in measured.judges:
        kappa = rater.kappa
        if not rater.votes or isinstance(kappa, Undefined) or isinstance(kappa.value, Undefined) or kappa.value >= 0:
            continue
        on = f"kappa {kappa.value:.2f} on {_subjects(kappa.n)}"
        if not isinstance(kappa.interval, Undefined) and kappa.interval.high < 0:
            yield f"Judge {rater.rater} is worse than chance ({on}, its interval lies below 0): it harms the panel."
        elif not isinstance(kappa.interval, Undefined):
            yield f"Judge {rater.rater} is not better than chance ({on}, its interval includes 0)."
        else:
            yield f"Judge {rater.rater} is not better than chance ({on}, without an interval)."


def _baselines(measured: Agreement, design: Design) -> Iterator[str]:
    if isinstance(measured.compared_by, Undefined):
        return
    panel = _value(measured.panel, measured.compared_by)
    for rater in measured.judges:
        provider = next(judge.provider for judge in design.judges if judge.id == rater.rater)
        baseline = _value(rater, measured.compared_by)
        if provider not in BASELINE_PROVIDERS or panel is None or baseline is None:
            continue
        is_error = measured.compared_by == "mean_absolute_error"
        if baseline <= panel if is_error else baseline >= panel:
            name = measured.compared_by.replace("_", " ")
            yield (
                f"The baseline {rater.rater} is as good as the panel or better "
                f"({name} {baseline:.2f} against {panel:.2f}): the panel adds nothing to a rule that does not read."
            )


def _value(rater: RaterAgreement, measure: Measure) -> float | None:
    finding = rater.against_gold(measure)
    if isinstance(finding, Undefined) or isinstance(finding.value, Undefined):
        return None
    return finding.value


def _high_failures(design: Design, votes: Mapping[CriterionId, CodedVotes]) -> Iterator[str]:
    for judge in design.judges:
        n_failed = n_asked = 0
        for coded in votes.values():
            missing = coded.missing[coded.rater(judge.id)]
            counts = dict(
                zip(("", *coded.reasons), np.bincount(missing, minlength=len(coded.reasons) + 1), strict=True)
            )
            n_asked += len(missing) - int(counts.get("not_asked", 0))
            n_failed += sum(int(counts.get(reason, 0)) for reason in get_args(FailureReason))
        if n_asked and n_failed / n_asked > HIGH_FAILURE_SHARE:
            yield (
                f"Judge {judge.id} gave no readable label in {n_failed} of {n_asked} cases "
                f"({n_failed / n_asked:.0%}): its figures speak of the others alone."
            )


def _subjects(n: int) -> str:
    return f"{n} subject" if n == 1 else f"{n} subjects"
