"""Standings: where systems stand, and how far that may be trusted."""

from dataclasses import dataclass
from typing import Literal

from venire.domain.finding import Finding, Undefined
from venire.domain.identity import CriterionId

RankedBy = Literal["strength", "win_rate", "score"]
"""strength: Bradley-Terry; win_rate: where strengths have no solution; score: of responses judged alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRange:
    """Between which ranks a system lies in 95 % of the resamples."""

    best: int
    worst: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One system's place."""

    system: str
    rank: int
    """1 is best; systems with the same figure share the better rank."""
    range: RankRange | Undefined
    score: Finding
    """Its win rate in battles (a tie is half a win), or the mean of its responses' verdicts."""
    strength: Finding | Undefined
    """On the Arena scale: 1000 is the mean, 400 more are odds of ten."""
    n_undecided: int
    """Its battles or responses without a decision: they enter no figure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterStandings:
    """How one judge, or gold, alone ranks the systems."""

    rater: str
    scores: tuple[tuple[str, float], ...]
    """By system, those it has a figure for, best first."""
    tau: float | Undefined
    """Kendall's tau-b with the panel's standings, over the systems that both rank."""
    tau_with_reference: float | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """All systems, best first."""

    criterion_id: CriterionId
    by: RankedBy
    score_name: str
    """What the score is: win_rate, pass_rate, mean_position or mean."""
    standings: tuple[Standing, ...]
    raters: tuple[RaterStandings, ...]
    """Every judge, then gold where there is any."""
    reference: str | None
    """What the panel's standings are held to."""
    reference_tau: Finding | Undefined
    notes: tuple[str, ...]
    seed: int
