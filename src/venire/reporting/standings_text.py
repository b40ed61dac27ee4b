"""Standings on the terminal and as JSON."""

import json

from venire.domain.finding import Undefined
from venire.domain.identity import Json
from venire.domain.standing import Ranking, Standing
from venire.reporting.columns import align
from venire.reporting.replay_json import finding_json, number_json
from venire.reporting.standings_rows import RATER_TITLES, cells_of, rater_cells, sentences_of, titles_of
from venire.reporting.text import make_inert


def standings_text(ranking: Ranking) -> str:
    """The sentences, the table, and every judge's own order."""
    lines = [*sentences_of(ranking), ""]
    lines += align([titles_of(ranking), *(cells_of(row, ranking) for row in ranking.standings)], n_left=1)
    if ranking.raters:
        lines += ["", *align([RATER_TITLES, *map(rater_cells, ranking.raters)], n_left=4)]
    lines += ["", *(f"- {note}" for note in ranking.notes)]
    return make_inert("\n".join(lines).rstrip("\n"))


def standings_document(ranking: Ranking) -> str:
    """Everything, as JSON text."""
    return json.dumps(standings_json(ranking), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def standings_json(ranking: Ranking) -> Json:
    """Everything, as a JSON value."""
    tau = ranking.reference_tau
    return {
        "criterion": ranking.criterion_id,
        "ranked_by": ranking.by,
        "score": ranking.score_name,
        "standings": [_standing(row) for row in ranking.standings],
        "raters": [
            {
                "rater": rater.rater,
                "scores": dict(rater.scores),
                "tau_with_panel": number_json(rater.tau),
                "tau_with_reference": number_json(rater.tau_with_reference),
            }
            for rater in ranking.raters
        ],
        "reference": ranking.reference,
        "reference_tau": {"undefined": tau.reason} if isinstance(tau, Undefined) else finding_json(tau),
        "notes": list(ranking.notes),
        "seed": ranking.seed,
    }


def _standing(row: Standing) -> Json:
    strength, ranks = row.strength, row.range
    return {
        "system": row.system,
        "rank": row.rank,
        "ranks": {"undefined": ranks.reason} if isinstance(ranks, Undefined) else [ranks.best, ranks.worst],
        "strength": {"undefined": strength.reason} if isinstance(strength, Undefined) else finding_json(strength),
        "score": finding_json(row.score),
        "n_undecided": row.n_undecided,
    }
