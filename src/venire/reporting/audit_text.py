"""An audit on the terminal and as JSON."""

import json
from collections.abc import Sequence

from venire.domain.audit import Audit, CorrectedSystem
from venire.domain.finding import Finding, Undefined
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
from venire.reporting.replay_json import finding_json
from venire.reporting.text import make_inert, shorten


def audit_text(audit: Audit) -> str:
    """Everything that fits on a terminal; every delta is in the JSON and on the page."""
    lines = [f"! {warning}" for warning in audit.warnings]
    lines += ["", f"Criterion {audit.criterion_id}: {audit.gold_is}."]
    if audit.raters:
        lines += ["", *_table([rater_titles(audit), *rater_rows(audit)], 2)]
    lines += ["", "PEOPLE", *people_sentences(audit)]
    lines += ["", "PASS RATES", *rate_sentences(audit), *_table([RATE_TITLES, *rate_rows(audit)], 1)]
    lines += ["", "LEANS", *(lean.sentence for lean in audit.leans), *spread_sentences(audit)]
    lines += ["", *support_sentences(audit)]
    if audit.parts:
        titles = (PART_TITLES[0], rater_titles(audit)[2], *PART_TITLES[2:])
        lines += ["", "PARTS", *_table([titles, *part_rows(audit)], 1)]
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
                "figure": _figure(one.figure),
                "accuracy": _figure(one.accuracy),
                "of_ceiling": _figure(one.of_ceiling),
            }
            for one in audit.raters
        ],
        "people": {
            "annotators": list(people.annotators),
            "ceiling": _figure(people.ceiling),
            "alpha": _number(people.alpha),
            "ac1": _number(people.ac1),
            "pairs": [{"annotators": [one, other], "kappa": _figure(found)} for one, other, found in people.pairs],
            "alternative_annotator": [
                {
                    "name": one.name,
                    "winning_rate": _number(one.winning_rate),
                    "advantage": _number(one.advantage),
                    "passes": one.passes,
                    "epsilon": one.epsilon,
                }
                for one in people.replaceable
            ],
        },
        "alpha_of_judges": _number(audit.alpha_of_judges),
        "pass_rates": {"undefined": corrected.reason}
        if isinstance(corrected, Undefined)
        else {
            "pooled": corrected.pooled,
            "why": corrected.why,
            "advice": corrected.advice,
            "systems": [_rate(row) for row in corrected.rows],
        },
        "support": {
            "brier": _number(support.brier),
            "calibration_error": _number(support.calibration_error),
            "bins": [{"support": said, "right": right, "n": n} for said, right, n in support.bins],
        },
        "leans": [
            {"kind": one.kind, "judge": one.judge_id, "figure": _figure(one.figure), "sentence": one.sentence}
            for one in audit.leans
        ],
        "deltas": [
            {"judge": one.judge_id, "system": one.system, "delta": _figure(one.delta), "own_family": one.is_kin}
            for one in audit.deltas
        ],
        "delta_spread": dict(audit.delta_spread),
        "parts": [
            {"name": one.name, "figure": _figure(one.figure), "accuracy": _figure(one.accuracy)} for one in audit.parts
        ],
        "warnings": list(audit.warnings),
        "seed": audit.seed,
    }


def _rate(row: CorrectedSystem) -> Json:
    return {
        "system": row.system,
        "n": row.n,
        "as_judged": _number(row.apparent),
        "corrected": _figure(row.corrected),
        "prediction_powered": _figure(row.powered),
        "labels_only": _figure(row.labels_only),
        "n_labelled": row.n_labelled,
        "calibrated_by": row.calibrated,
    }


def _figure(found: Finding | Undefined) -> Json:
    return {"undefined": found.reason} if isinstance(found, Undefined) else finding_json(found)


def _number(value: float | Undefined) -> Json:
    return {"undefined": value.reason} if isinstance(value, Undefined) else value


def _table(rows: Sequence[Sequence[str]], n_left: int) -> list[str]:
    if len(rows) < 2:
        return []
    cut = [[shorten(cell, 40) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cut, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if number < n_left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cut
    ]
