"""Standings as cells of text: the same on the terminal and on the page."""

from collections.abc import Sequence

from venire.domain.finding import Undefined
from venire.domain.standing import Ranking, RaterStandings, Standing
from venire.reporting.replay_rows import figure_cells


def titles_of(ranking: Ranking) -> tuple[str, ...]:
    """The titles of the table."""
    strength = ("strength", "95%") if ranking.by == "strength" else ()
    return ("system", "rank", "ranks, 95%", *strength, ranking.score_name.replace("_", " "), "95%", "n", "undecided")


def cells_of(row: Standing, ranking: Ranking) -> tuple[str, ...]:
    """One system, in the order of the titles."""
    value, interval = figure_cells(row.score)
    strength: tuple[str, ...] = ()
    if ranking.by == "strength" and not isinstance(row.strength, Undefined):
        strength = _points(row)
    ranks = "—" if isinstance(row.range, Undefined) else f"{row.range.best} to {row.range.worst}"
    return (row.system, str(row.rank), ranks, *strength, value, interval, f"{row.score.n:,}", f"{row.n_undecided:,}")


def _points(row: Standing) -> tuple[str, str]:
    """Strengths in whole points: a point is a thousandth of odds."""
    assert not isinstance(row.strength, Undefined), "only strengths are shown"
    value, interval = row.strength.value, row.strength.interval
    shown = "undefined" if isinstance(value, Undefined) else f"{value:.0f}"
    return shown, "none" if isinstance(interval, Undefined) else f"[{interval.low:.0f}, {interval.high:.0f}]"


RATER_TITLES = ("rater", "tau with the panel", "with the reference", "its order, best first")


def rater_cells(rater: RaterStandings) -> tuple[str, str, str, str]:
    """One judge, or gold."""
    taus = ["—" if isinstance(tau, Undefined) else f"{tau:.2f}" for tau in (rater.tau, rater.tau_with_reference)]
    return rater.rater, taus[0], taus[1], " > ".join(name for name, _ in rater.scores)


def sentences_of(ranking: Ranking) -> Sequence[str]:
    """The ranking in sentences."""
    by = {
        "strength": "Bradley-Terry strengths (ties half)",
        "win_rate": "win rates",
        "score": f"the {ranking.score_name.replace('_', ' ')} of their responses",
    }[ranking.by]
    lines = [f"{len(ranking.standings)} systems ranked by {by}, criterion {ranking.criterion_id}."]
    apart = [
        f"{one.system} above {other.system}"
        for one, other in zip(ranking.standings, ranking.standings[1:], strict=False)
        if not isinstance(one.range, Undefined)
        and not isinstance(other.range, Undefined)
        and one.range.worst < other.range.best
    ]
    lines.append(
        f"Neighbours that are told apart in 95 % of the resamples: {'; '.join(apart)}."
        if apart
        else "No two neighbours are told apart in 95 % of the resamples."
    )
    if ranking.reference is not None and not isinstance(ranking.reference_tau, Undefined):
        value, interval = figure_cells(ranking.reference_tau)
        lines.append(
            f"Kendall's tau with {ranking.reference}: {value} {interval} over {ranking.reference_tau.n} systems. "
            "High agreement on responses does not make a right order, nor the other way round."
        )
    return lines
