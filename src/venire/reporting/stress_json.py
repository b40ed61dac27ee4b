"""A stress test as one JSON document; what is undefined is null beside its reason."""

import json
from dataclasses import asdict

from venire.domain.finding import Undefined
from venire.domain.identity import Json
from venire.domain.stress import Loss, Stress, StressCurve


def stress_document(stress: Stress) -> str:
    """Every figure of a stress test."""
    plan = asdict(stress.plan)
    document: dict[str, Json] = {
        "plan": plan | {"not_sourced": ["cauchy_location", "cauchy_scale", "noise_sd"]},
        "criteria": list(stress.criteria),
        "over": stress.over,
        "loss": "share_wrong" if stress.is_labels else "root_mean_square_distance",
        "reference": "gold" if stress.has_gold else "own clean consensus (proxy)",
        "rescaled": stress.is_rescaled,
        "judges": list(stress.judges),
        "subjects": stress.n_subjects,
        "left_out": dict(stress.left_out),
        "fewest_votes": stress.fewest_votes,
        "curves": [_curve(curve) for curve in stress.curves],
        "single_judges": [_curve(curve) for curve in stress.singles],
        "premiums": [
            {"rule": one.rule, "loss": _loss(one.loss), **_number("relative", one.relative)} for one in stress.premiums
        ],
        "breakdowns": [
            {
                "corruption": one.corruption,
                "rule": one.rule,
                "range_checked": one.is_checked,
                **_number("n_broken", one.n_broken),
                "bound": one.bound,
                "bound_is": one.meaning,
            }
            for one in stress.breakdowns
        ],
        "theoretical_breakdown": stress.theoretical_breakdown,
        "sizes": [
            {
                "judges": one.n_judges,
                "panels": one.n_panels,
                "losses": {rule: _loss(loss) for rule, loss in one.losses},
                **_number("n_effective", one.n_effective),
            }
            for one in stress.sizes
        ],
        "error_correlation": _correlation(stress),
        "notes": list(stress.notes),
    }
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _curve(curve: StressCurve) -> Json:
    return {
        "corruption": curve.corruption,
        "rule": curve.rule,
        "range_checked": curve.is_checked,
        "points": [
            {
                "rate": point.rate,
                "loss": _loss(point.loss),
                **_number("low", point.low),
                **_number("high", point.high),
                "repeats": point.n_repeats,
            }
            for point in curve.points
        ],
    }


def _loss(loss: Loss | Undefined) -> Json:
    if isinstance(loss, Undefined):
        return {"value": None, "value_undefined": loss.reason}
    return {"value": loss.value, "mean_distance": loss.mean_distance, "n": loss.n, "undecided": loss.n_undecided}


def _number(name: str, value: float | Undefined) -> dict[str, Json]:
    return {name: None, f"{name}_undefined": value.reason} if isinstance(value, Undefined) else {name: value}


def _correlation(stress: Stress) -> Json:
    found = stress.correlation
    if isinstance(found, Undefined):
        return _number("mean", found)
    return {"mean": found.mean, **_number("plateau", found.plateau)}
