"""Panel health as JSON: every figure with its interval and counts."""

import json

from venire.domain.finding import Undefined
from venire.domain.health import JudgeHealth, PairHealth, PanelHealth, PartHealth, SizeHealth
from venire.domain.identity import Json
from venire.reporting.replay_json import figure_json, finding_json, number_json


def health_document(health: PanelHealth) -> str:
    """The JSON as text."""
    return json.dumps(health_json(health), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def health_json(health: PanelHealth) -> Json:
    """Every figure."""
    return {
        "criterion": health.criterion_id,
        "measure": health.measure,
        "against": health.against,
        "rule": health.rule,
        "seed": health.seed,
        "warnings": list(health.warnings),
        "notes": list(health.notes),
        "parts": [_part(part) for part in health.parts],
    }


def _part(part: PartHealth) -> Json:
    return {
        "name": part.name,
        "n_subjects": part.n_subjects,
        "panel": figure_json(part.panel),
        "best_single": part.best_single,
        "panel_minus_best": None if part.panel_minus_best is None else finding_json(part.panel_minus_best),
        "n_effective": number_json(part.n_effective),
        "mean_error_correlation": number_json(part.mean_error_correlation),
        "ideal_accuracy": number_json(part.ideal),
        "accuracy": number_json(part.accuracy),
        "judges": [_judge(judge) for judge in part.judges],
        "leave_one_out": {judge_id: finding_json(found) for judge_id, found in part.leave_one_out},
        "pairs": [_pair(pair) for pair in part.pairs],
        "sizes": [_size(size) for size in part.sizes],
    }


def _judge(judge: JudgeHealth) -> Json:
    return {
        "judge": judge.judge_id,
        "family": judge.family,
        "votes": judge.votes,
        "n": judge.n,
        "missing": dict(judge.missing),
        "figure": figure_json(judge.figure),
        "accuracy": figure_json(judge.accuracy),
        "severity": figure_json(judge.severity),
        "flip_rate": figure_json(judge.flip_rate),
        "first_shown": number_json(judge.first_shown),
        "self_consistency": figure_json(judge.consistency),
    }


def _pair(pair: PairHealth) -> Json:
    return {
        "judges": [pair.first, pair.second],
        "agreement": number_json(pair.agreement),
        "error_correlation": number_json(pair.error_correlation),
        "n": pair.n,
        "same_family": pair.same_family,
    }


def _size(size: SizeHealth) -> Json:
    if isinstance(size.chosen, Undefined):
        return {"size": size.size, "undefined": size.chosen.reason}
    return {
        "size": size.size,
        "judges": list(size.chosen.variant.judges),
        "out_of_sample": finding_json(size.chosen.out_of_sample),
        "in_sample": finding_json(size.chosen.in_sample),
        "n_chosen": size.chosen.n_chosen,
    }
