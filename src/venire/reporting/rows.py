"""Rows of the tables on judges: who stands where, and what stands in each cell, for terminal and page alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId
from venire.domain.measures import Agreement, Measure, RaterAgreement
from venire.reporting.report import JudgeRow, Report
from venire.reporting.text import Figure, show_cost, show_latency

Standing = Literal["votes", "panel", "beside"]
"""votes: its vote makes the verdict; panel: the verdict itself; beside: baselines and others that do not vote."""

FIGURE_TITLES: dict[Measure, str] = {
    "accuracy": "accuracy",
    "kappa": "kappa",
    "mean_absolute_error": "mean abs. error",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterLine:
    """One rater of one criterion in the order of reading: voting judges, the panel, all others."""

    rater: RaterAgreement
    standing: Standing
    remark: str
    """"best single judge", "baseline", "does not vote", or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredCriterion:
    """A criterion with its agreement."""

    id: CriterionId
    agreement: Agreement


@dataclass(frozen=True, slots=True, kw_only=True)
class ConductCells:
    """How one judge behaved, as words."""

    family: str
    calls: str
    failed: str
    latency: str
    cost: str


def order_raters(agreement: Agreement, judges: Sequence[JudgeRow]) -> tuple[RaterLine, ...]:
    """The raters in the order of reading; within it, the design's order."""
    remarks: dict[str, str] = {judge.id: _remark(judge) for judge in judges}
    lines = [
        RaterLine(
            rater=rater,
            standing="votes" if rater.votes else "beside",
            remark="best single judge" if rater.rater == agreement.best_single else remarks[rater.rater],
        )
        for rater in agreement.judges
    ]
    panel = RaterLine(rater=agreement.panel, standing="panel", remark="")
    voting = [line for line in lines if line.standing == "votes"]
    return (*voting, panel, *(line for line in lines if line.standing == "beside"))


def measures_of(agreement: Agreement) -> tuple[Measure, ...]:
    """Which figures against gold apply to this criterion; none without gold."""
    all_measures: tuple[Measure, ...] = ("accuracy", "kappa", "mean_absolute_error")
    return tuple(
        measure for measure in all_measures if not isinstance(agreement.panel.against_gold(measure), Undefined)
    )


def figures_of(rater: RaterAgreement, measures: Sequence[Measure]) -> tuple[Figure, ...]:
    """Agreement with the panel, then the figures against gold."""
    return (rater.with_panel, *(rater.against_gold(measure) for measure in measures))


def conduct_cells(judge: JudgeRow, report: Report) -> ConductCells:
    """How one judge behaved, for its row."""
    failed = sum(
        tally.n
        for criterion in report.criteria
        for votes in criterion.judges
        if votes.judge_id == judge.id
        for tally in votes.failures
    )
    family = judge.family or ("no model" if judge.model is None else "unknown")
    if isinstance(judge.conduct, Undefined):
        return ConductCells(family=family, calls="0", failed=f"{failed:,}", latency="not asked", cost="$0")
    return ConductCells(
        family=family,
        calls=f"{judge.conduct.n_answered:,}",
        failed=f"{failed:,}",
        latency=show_latency(judge.conduct.latency_p50_s, judge.conduct.latency_p95_s),
        cost=show_cost(judge.conduct.usd_known, judge.conduct.n_unpriced, judge.conduct.unpriced_tokens),
    )


def measured(report: Report) -> tuple[MeasuredCriterion, ...]:
    """The criteria on which agreement was measured: all but the combination."""
    return tuple(
        MeasuredCriterion(id=criterion.id, agreement=criterion.agreement)
        for criterion in report.criteria
        if isinstance(criterion.agreement, Agreement)
    )


def _remark(judge: JudgeRow) -> str:
    if judge.is_baseline:
        return "baseline"
    return "" if judge.votes else "does not vote"
