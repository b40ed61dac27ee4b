"""The full report as JSON: that of the run, and what it tells beyond."""

import json

from venire.domain.identity import Json
from venire.reporting.audit_text import audit_json
from venire.reporting.cases import Case
from venire.reporting.deeper import Deeper
from venire.reporting.health_json import health_json
from venire.reporting.json_report import report_value
from venire.reporting.replay_json import replay_json
from venire.reporting.report import Report
from venire.reporting.standings_text import standings_json


def full_document(report: Report, deeper: Deeper, design_yaml: str) -> str:
    """The JSON as text."""
    document: Json = {
        "answers": [
            {
                "about": about,
                "questions": [
                    {
                        "question": answer.question,
                        "tone": answer.tone,
                        "headline": answer.headline,
                        "sentences": list(answer.sentences),
                    }
                    for answer in answers
                ],
            }
            for about, answers in deeper.answers
        ],
        "report": report_value(report),
        "audits": [audit_json(audit) for audit in deeper.audits],
        "rankings": [standings_json(ranking) for ranking in deeper.rankings],
        "panel_health": [health_json(health) for health in deeper.health],
        "replays": [replay_json(replay) for replay in deeper.replays],
        "cases": [_case_json(case) for case in deeper.cases],
        "n_cases_left_out": deeper.n_left_out,
        "design": design_yaml,
    }
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _case_json(case: Case) -> Json:
    told = case.told
    return {
        "kind": case.kind,
        "item": told.item_id,
        "responses": list(told.responses),
        "systems": list(told.systems),
        "category": case.category,
        "panel": told.panel.words,
        "gold": told.gold.words,
        "spread": told.spread,
        "votes": {said.rater: said.words for said in told.votes},
        "prompt": case.prompt,
        "context": case.context,
        "references": list(case.references),
        "texts": list(case.responses),
    }
