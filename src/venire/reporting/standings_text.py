"""Standings on the terminal and as JSON."""

import json
from collections.abc import Sequence

from venire.domain.finding import Undefined
from venire.domain.identity import Json
from venire.domain.standing import Ranking, Standing
from venire.reporting.replay_json import finding_json
from venire.reporting.standings_rows import RATER_TITLES, cells_of, rater_cells, sentences_of, titles_of
from venire.reporting.text import make_inert, shorten


def standings_text(ranking: Ranking) -> str:
    """The sentences, the table, and every judge's own order."""
    lines = [*sentences_of(ranking), ""]
    lines += _table([titles_of(ranking), *(cells_of(row, ranking) for row in ranking.standings)], n_left=1)
    if ranking.raters:
        lines += ["", *_table([RATER_TITLES, *map(rater_cells, ranking.raters)], n_left=4)]
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
                "tau_with_panel": _number(rater.tau),
                "tau_with_reference": _number(rater.tau_with_reference),
            }
            for rater in ranking.raters
        ],
        "reference": ranking.reference,
        "reference_tau": {"undefined": tau.reason} if isinstance(tau, Undefined) else finding_json(tau),
        "notes": list(ranking.notes),
        "seed": ranking.seed,
    }


def _number(value: float | Undefined) -> Json:
    return {"undefined": value.reason} if isinstance(value, Undefined) else value


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


def _table(rows: Sequence[Sequence[str]], n_left: int) -> list[str]:
    cut = [[shorten(cell, 100) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cut, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if number < n_left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cut
    ]
