"""An audit on the terminal and as JSON."""

import json

from venire.domain.audit import Audit, CorrectedSystem
from venire.domain.finding import Undefined
from venire.domain.identity import Json
from venire.reporting.audit_rows import (
    PART_TITLES,
    RATE_TITLES,
    part_rows,
    people_sentences,
    rate_rows,
    rate_sentences,
    rater_rows,
    rater_titles,
    spread_sentences,
    support_sentences,
)
from venire.reporting.columns import align
from venire.reporting.replay_json import figure_json, number_json
from venire.reporting.text import make_inert


def audit_text(audit: Audit) -> str:
    """Everything that fits on a terminal; every delta is in the JSON and on the page."""
    lines = [f"! {warning}" for warning in audit.warnings]
    lines += ["", f"Criterion {audit.criterion_id}: {audit.gold_is}."]
    if audit.raters:
        lines += ["", *align([rater_titles(audit), *rater_rows(audit)], n_left=2, widest=40)]
    lines += ["", "PEOPLE", *people_sentences(audit)]
    lines += ["", "PASS RATES", *rate_sentences(audit), *align([RATE_TITLES, *rate_rows(audit)], widest=40)]
    lines += ["", "LEANS", *(lean.sentence for lean in audit.leans), *spread_sentences(audit)]
    lines += ["", *support_sentences(audit)]
    if audit.parts:
        titles = (PART_TITLES[0], rater_titles(audit)[2], *PART_TITLES[2:])
        lines += ["", "PARTS", *align([titles, *part_rows(audit)], widest=40)]
    return make_inert("\n".join(lines).strip("\n"))


def audit_document(audit: Audit) -> str:
    """Everything, as JSON text."""
    return json.dumps(audit_json(audit), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def audit_json(audit: Audit) -> Json:
    """Everything, as a JSON value."""
    people, corrected, support = audit.people, audit.corrected, audit.support
    return {
        "criterion": audit.criterion_id,
        "gold": audit.gold_is,
        "raters": [
            {
                "name": one.name,
                "kind": one.kind,
                "figure": figure_json(one.figure),
                "accuracy": figure_json(one.accuracy),
                "of_ceiling": figure_json(one.of_ceiling),
            }
            for one in audit.raters
        ],
        "people": {
            "annotators": list(people.annotators),
            "ceiling": figure_json(people.ceiling),
            "alpha": number_json(people.alpha),
            "ac1": number_json(people.ac1),
            "pairs": [{"annotators": [one, other], "kappa": figure_json(found)} for one, other, found in people.pairs],
            "alternative_annotator": [
                {
                    "name": one.name,
                    "winning_rate": number_json(one.winning_rate),
                    "advantage": number_json(one.advantage),
                    "passes": one.passes,
                    "epsilon": one.epsilon,
                }
                for one in people.replaceable
            ],
        },
        "alpha_of_judges": number_json(audit.alpha_of_judges),
        "pass_rates": {"undefined": corrected.reason}
        if isinstance(corrected, Undefined)
        else {
            "pooled": corrected.pooled,
            "why": corrected.why,
            "advice": corrected.advice,
            "systems": [_rate(row) for row in corrected.rows],
        },
        "support": {
            "brier": number_json(support.brier),
            "calibration_error": number_json(support.calibration_error),
            "bins": [{"support": said, "right": right, "n": n} for said, right, n in support.bins],
        },
        "leans": [
            {"kind": one.kind, "judge": one.judge_id, "figure": figure_json(one.figure), "sentence": one.sentence}
            for one in audit.leans
        ],
        "deltas": [
            {"judge": one.judge_id, "system": one.system, "delta": figure_json(one.delta), "own_family": one.is_kin}
            for one in audit.deltas
        ],
        "delta_spread": dict(audit.delta_spread),
        "parts": [
            {"name": one.name, "figure": figure_json(one.figure), "accuracy": figure_json(one.accuracy)}
            for one in audit.parts
        ],
        "warnings": list(audit.warnings),
        "seed": audit.seed,
    }


def _rate(row: CorrectedSystem) -> Json:
    return {
        "system": row.system,
        "n": row.n,
        "as_judged": number_json(row.apparent),
        "corrected": figure_json(row.corrected),
        "prediction_powered": figure_json(row.powered),
        "labels_only": figure_json(row.labels_only),
        "n_labelled": row.n_labelled,
        "calibrated_by": row.calibrated,
    }
