"""The report as JSON: one documented shape, strict, keys always in the same order.

{"schema": 1, "title", "venire_version", "seed",
 "asked": {"protocol", "orders", "reference", "baseline"},
 "decision": {"rule", "denominator", "quorum", "tie", "flip", "criteria", "recuse", "best_of": text | null},
 "counts": {"items", "subjects", "calls_planned", "calls_settled", "calls_unasked"},
 "cost": {"usd_known", "unpriced", "unpriced_tokens": {"input", "output"}, "unpriced_by_reason"},
 "panel_latency": {"subjects", "p50_s": NUMBER, "p95_s": NUMBER},
 "notes": [text], "warnings": [text],
 "criteria": [{"id", "question", "scale", "weight", "outcomes": OUTCOMES,
               "systems": [{"system", "outcomes": OUTCOMES}],
               "judges": [{"judge", "votes", "abstained", "failures", "no_vote"}],
               "agreement": {"compared_by", "best_single", "panel_minus_best": FINDING | null, "chance": FINDING,
                             "raters": [{"rater", "is_panel", "votes", "with_panel": FINDING,
                                         "accuracy": FINDING, "kappa": FINDING,
                                         "mean_absolute_error": FINDING}]},
               "disagreements": [{"item", "responses", "systems", "spread", "panel", "gold", "votes": [SAID]}]}],
 "best_of_n": {"tie", "missing", "seed", "items", "decided", "shared", "tied", "without_score", "left_out": FINDING,
               "wrong": FINDING, "chance": NUMBER} | null,
 "judges": [{"id", "provider", "model", "family", "votes", "baseline", "conduct": CONDUCT,
             "read": READ}],
 "relatives": [{"judge", "votes", "system", "relation": "same model" | "same family" | "unknown"}],
 "without_relatives": [{"system", "criterion", "judges", "subjects", "score", "gold", "whole": PANEL,
                        "without": PANEL | NUMBER}]}

OUTCOMES  {"subjects", "decided", "by_label", "mean": NUMBER, "shared", "undecided", "undecided_by_reason"}
FINDING   {"name", "about", "value", "reason"?, "interval": {"low", "high", "level", "method"} or
          {"low": null, "high": null, "reason"}, "n", "n_groups", "missing", "provenance"}
NUMBER    a number, or {"value": null, "reason"}; so is every FINDING and CONDUCT that does not apply
CONDUCT   as `conduct_json` says
READ      {"labels", "by_step", "asked_again", "with_probabilities", "mean_coverage": NUMBER}
PANEL     {"decided", "score": NUMBER, "gold": NUMBER}, named by "score" and "gold" beside it
SAID      {"rater", "words", "label": true | false}; counts by label or reason are objects {name: n}
"""

import json
from collections.abc import Iterable

from venire.domain.best_of import BestOfMeasure
from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.identity import Json
from venire.domain.measures import Agreement, HowRead, RaterAgreement
from venire.domain.relatives import PanelFigures, WithoutRelatives
from venire.reporting.conduct_json import (
    absent_json,
    conduct_json,
    number_json,
    panel_latency_json,
    unpriced_tokens_json,
)
from venire.reporting.report import (
    CriterionReport,
    Disagreement,
    JudgeRow,
    JudgeVotes,
    Outcomes,
    Report,
    Said,
    Tally,
)

SCHEMA = 1
"""Raised when a key changes its meaning or goes."""


def report_json(report: Report) -> str:
    """Write the report as strict JSON: no NaN, no Infinity, ASCII, keys in the order of the module's docstring.

    Raises:
        ValueError: a figure is not finite; figures that have no value must be `Undefined`.
    """
    return json.dumps(report_value(report), indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def report_value(report: Report) -> Json:
    """The report as a JSON value."""
    counts = report.counts
    asked, decision = report.asked, report.decision
    return {
        "schema": SCHEMA,
        "title": report.title,
        "venire_version": report.venire_version,
        "seed": report.seed,
        "asked": {
            "protocol": asked.protocol,
            "orders": asked.orders,
            "reference": asked.reference,
            "baseline": asked.baseline,
        },
        "decision": {
            "rule": decision.rule,
            "denominator": decision.denominator,
            "quorum": decision.quorum,
            "tie": decision.tie,
            "flip": decision.flip,
            "criteria": decision.criteria,
            "recuse": decision.recuse,
            "best_of": decision.best_of,
        },
        "counts": {
            "items": counts.n_items,
            "subjects": counts.n_subjects,
            "calls_planned": counts.n_calls_planned,
            "calls_settled": counts.n_calls_settled,
            "calls_unasked": counts.n_calls_unasked,
        },
        "cost": {
            "usd_known": report.cost.usd_known,
            "unpriced": report.cost.n_unpriced,
            "unpriced_tokens": unpriced_tokens_json(report.cost.unpriced),
            "unpriced_by_reason": {part.reason: part.n_exchanges for part in report.cost.unpriced},
        },
        "panel_latency": panel_latency_json(report.panel_latency),
        "notes": list(report.notes),
        "warnings": list(report.warnings),
        "criteria": [_criterion(criterion) for criterion in report.criteria],
        "best_of_n": None if report.best_of_n is None else _best_of_n(report.best_of_n),
        "judges": [_judge(judge) for judge in report.judges],
        "relatives": [
            {"judge": each.judge_id, "votes": each.votes, "system": each.system, "relation": each.relation}
            for each in report.relatives
        ],
        "without_relatives": [_without(row) for row in report.without_relatives],
    }


def _best_of_n(best: BestOfMeasure) -> Json:
    return {
        "tie": best.how.tie,
        "missing": best.how.missing,
        "seed": best.how.seed,
        "items": best.n_items,
        "decided": best.n_decided,
        "shared": best.n_shared,
        "tied": best.n_tied,
        "without_score": best.n_unscored,
        "left_out": _finding(best.left_out),
        "wrong": _finding(best.wrong),
        "chance": number_json(best.chance),
    }


def _without(row: WithoutRelatives) -> Json:
    return {
        "system": row.system,
        "criterion": row.criterion_id,
        "judges": list(row.judge_ids),
        "subjects": row.n_subjects,
        "score": row.score_name,
        "gold": row.gold_name,
        "whole": _panel(row.whole),
        "without": absent_json(row.without) if isinstance(row.without, Undefined) else _panel(row.without),
    }


def _panel(figures: PanelFigures) -> Json:
    return {
        "decided": figures.n_decided,
        "score": number_json(figures.score),
        "gold": number_json(figures.against_gold),
    }


def _criterion(criterion: CriterionReport) -> Json:
    return {
        "id": criterion.id,
        "question": criterion.question,
        "scale": criterion.scale,
        "weight": criterion.weight,
        "outcomes": _outcomes(criterion.outcomes),
        "systems": [{"system": row.system, "outcomes": _outcomes(row.outcomes)} for row in criterion.systems],
        "judges": [_votes(judge) for judge in criterion.judges],
        "agreement": _agreement(criterion.agreement),
        "disagreements": [_disagreement(disagreement) for disagreement in criterion.disagreements],
    }


def _outcomes(outcomes: Outcomes) -> Json:
    return {
        "subjects": outcomes.n_subjects,
        "decided": outcomes.n_decided,
        "by_label": _counts(outcomes.decided),
        "mean": number_json(outcomes.mean),
        "shared": outcomes.n_shared,
        "undecided": outcomes.n_undecided,
        "undecided_by_reason": _counts(outcomes.undecided),
    }


def _votes(judge: JudgeVotes) -> Json:
    return {
        "judge": judge.judge_id,
        "votes": judge.n_votes,
        "abstained": judge.n_abstained,
        "failures": _counts(judge.failures),
        "no_vote": _counts(judge.no_vote),
    }


def _agreement(agreement: Agreement | Undefined) -> Json:
    if isinstance(agreement, Undefined):
        return absent_json(agreement)
    compared_by = agreement.compared_by
    return {
        "compared_by": absent_json(compared_by) if isinstance(compared_by, Undefined) else compared_by,
        "best_single": agreement.best_single,
        "panel_minus_best": None if agreement.panel_minus_best is None else _finding(agreement.panel_minus_best),
        "chance": _finding(agreement.chance),
        "raters": [_rater(rater, is_panel=rater is agreement.panel) for rater in agreement.raters],
    }


def _rater(rater: RaterAgreement, *, is_panel: bool) -> Json:
    return {
        "rater": rater.rater,
        "is_panel": is_panel,
        "votes": rater.votes,
        "with_panel": _finding(rater.with_panel),
        "accuracy": _finding(rater.accuracy),
        "kappa": _finding(rater.kappa),
        "mean_absolute_error": _finding(rater.mean_absolute_error),
    }


def _finding(finding: Finding | Undefined) -> Json:
    if isinstance(finding, Undefined):
        return absent_json(finding)
    value: dict[str, Json] = (
        {"value": None, "reason": finding.value.reason}
        if isinstance(finding.value, Undefined)
        else {"value": finding.value}
    )
    return {
        "name": finding.name,
        "about": finding.about,
        **value,
        "interval": _interval(finding.interval),
        "n": finding.n,
        "n_groups": finding.n_groups,
        "missing": dict(finding.missing),
        "provenance": finding.provenance,
    }


def _interval(interval: Interval | Undefined) -> Json:
    if isinstance(interval, Undefined):
        return {"low": None, "high": None, "reason": interval.reason}
    return {"low": interval.low, "high": interval.high, "level": interval.level, "method": interval.method}


def _disagreement(disagreement: Disagreement) -> Json:
    return {
        "item": disagreement.item_id,
        "responses": list(disagreement.responses),
        "systems": list(disagreement.systems),
        "spread": disagreement.spread,
        "panel": _said(disagreement.panel),
        "gold": _said(disagreement.gold),
        "votes": [_said(vote) for vote in disagreement.votes],
    }


def _said(said: Said) -> Json:
    return {"rater": said.rater, "words": said.words, "label": said.is_label}


def _judge(judge: JudgeRow) -> Json:
    return {
        "id": judge.id,
        "provider": judge.provider,
        "model": judge.model,
        "family": judge.family,
        "votes": judge.votes,
        "baseline": judge.is_baseline,
        "conduct": absent_json(judge.conduct) if isinstance(judge.conduct, Undefined) else conduct_json(judge.conduct),
        "read": absent_json(judge.how_read) if isinstance(judge.how_read, Undefined) else _how_read(judge.how_read),
    }


def _how_read(read: HowRead) -> Json:
    return {
        "labels": read.n_labels,
        "by_step": dict(read.steps),
        "asked_again": read.n_later_attempts,
        "with_probabilities": read.n_with_probabilities,
        "mean_coverage": number_json(read.mean_coverage),
    }


def _counts(tallies: Iterable[Tally]) -> Json:
    return {tally.name: tally.n for tally in tallies}
