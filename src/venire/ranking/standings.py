"""Standings from contests: figures with intervals, strengths, ranks and their ranges."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.standing import RankedBy, RankRange, Standing
from venire.errors import UndefinedStatistic
from venire.ranking.contests import Contests
from venire.stats.bradley_terry import fit_bradley_terry
from venire.stats.bradley_terry_resamples import resample_bradley_terry
from venire.stats.cluster_bootstrap import percentile_interval, resampled_sums

N_RESAMPLES = 1000
LEVEL = 0.95
FEW_GROUPS = 30
"""Below this a nominal 95% interval covers less than 93% (decisions/statistics.md)."""
ARENA_MEAN = 1000.0
ARENA_SCALE = 400.0 / np.log(10.0)
"""Points for a unit of log odds: 400 points are odds of ten to one, as in Elo's scale."""
_FINE = 6
"""Decimals that are told: what lies below is rounding, and differs with the order of systems."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Standings and what there is to say of them."""

    by: RankedBy
    standings: tuple[Standing, ...]
    notes: tuple[str, ...]


def rank_contests(contests: Contests, *, seed: int) -> Ranked:
    """Rank the systems: battles by strength, or by win rate where strengths have no solution; else by mean score.

    Groups are resampled: all battles and responses of one prompt are drawn together.
    """
    sums = _sums_by_group(contests)
    drawn = resampled_sums(sums, N_RESAMPLES, seed) if contests.n_groups > 1 else np.zeros((0, *sums.shape[1:]))
    means, known = _means(sums.sum(axis=0)[None])
    resampled = _Resampled(*_means(drawn), n_groups=contests.n_groups, seed=seed)
    scores = [
        _score(contests, place, float(means[0, place]) if known[0, place] else _NOTHING, resampled)
        for place in range(len(contests.systems))
    ]
    strengths = _strengths(contests, seed) if contests.games is not None else _NO_BATTLES
    notes: list[str] = []
    if isinstance(strengths, Undefined):
        by: RankedBy = "score" if contests.games is None else "win_rate"
        if contests.games is not None:
            notes.append(f"Systems are ranked by win rate: {strengths.reason}.")
        order = np.where(known[0], means[0], -np.inf)
        told: list[Finding | Undefined] = [strengths] * len(contests.systems)
    else:
        by, order, resampled = "strength", strengths.points, strengths.resampled
        told = list(strengths.findings)
    ranks = _ranks(order[None])[0]
    ranges = _ranges(resampled)
    rows = [
        Standing(
            system=name,
            rank=int(ranks[place]),
            range=ranges[place],
            score=scores[place],
            strength=told[place],
            n_undecided=int(contests.undecided[place]),
        )
        for place, name in enumerate(contests.systems)
    ]
    return Ranked(by=by, standings=tuple(sorted(rows, key=lambda row: (row.rank, row.system))), notes=tuple(notes))


_NOTHING = Undefined("no battle or response of it was decided")
_NO_BATTLES = Undefined("responses were judged alone: there are no battles")


@dataclass(frozen=True, slots=True)
class _Resampled:
    """A figure of every system in every resample: both of shape (n_resamples, n_systems)."""

    values: NDArray[np.float64]
    defined: NDArray[np.bool_]
    n_groups: int
    seed: int

    def interval(self, place: int) -> Interval | Undefined:
        """Of one system."""
        if self.n_groups < 2:
            return Undefined(f"{self.n_groups} group; at least 2 are needed to see how groups vary")
        try:
            bounds = percentile_interval(self.values[:, place], self.defined[:, place], LEVEL)
        except UndefinedStatistic as reason:
            return Undefined(str(reason))
        if bounds.is_degenerate:
            return Undefined("every resample gives the same; these data do not show how far it could vary")
        how = f"percentile bootstrap over {self.n_groups} groups, {len(self.values)} resamples, seed {self.seed}"
        left_out = [f"{bounds.n_undefined} resamples without a value left out"] if bounds.n_undefined else []
        few = ["few groups: too narrow"] if self.n_groups < FEW_GROUPS else []
        return Interval(low=bounds.low, high=bounds.high, level=LEVEL, method="; ".join([how, *left_out, *few]))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Strengths:
    points: NDArray[np.float64]
    resampled: _Resampled
    findings: tuple[Finding, ...]


def _strengths(contests: Contests, seed: int) -> _Strengths | Undefined:
    games = contests.games
    assert games is not None, "only battles have strengths"
    try:
        whole = fit_bradley_terry(games.wins())
    except UndefinedStatistic as reason:
        return Undefined(_named(str(reason).removeprefix("Bradley-Terry: "), contests))
    resampled = _Resampled(
        np.zeros((0, games.n_players)), np.zeros((0, games.n_players), bool), contests.n_groups, seed
    )
    if contests.n_groups > 1:
        drawn = resample_bradley_terry(games, contests.groups, N_RESAMPLES, seed)
        defined = np.repeat(drawn.defined[:, None], games.n_players, axis=1)
        resampled = _Resampled(_arena(drawn.strengths), defined, contests.n_groups, seed)
    points = _arena(whole.strengths)
    n_games = np.bincount(np.concatenate([games.first, games.second]), minlength=games.n_players)
    findings = tuple(
        Finding(
            name="strength",
            about=name,
            value=float(points[place]),
            interval=resampled.interval(place),
            n=int(n_games[place]),
            n_groups=contests.n_groups,
            missing=_missing(contests, place),
            provenance="Bradley-Terry strength on the Arena scale (mean 1000, 400 points are odds of ten); ties half",
        )
        for place, name in enumerate(contests.systems)
    )
    return _Strengths(points=points, resampled=resampled, findings=findings)


def _arena(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.round(ARENA_MEAN + ARENA_SCALE * strengths, _FINE), dtype=np.float64)


def _named(reason: str, contests: Contests) -> str:
    """The reason, with the systems that it speaks of."""
    games = contests.games
    assert games is not None, "only battles have strengths"
    wins = games.wins()
    won, lost = wins.sum(axis=1), wins.sum(axis=0)
    told = [
        (kind, [name for name, is_one in zip(contests.systems, which.tolist(), strict=True) if is_one])
        for kind, which in (
            ("never met anybody", (won + lost) == 0),
            ("lost no battle", (lost == 0) & (won > 0)),
            ("won no battle", (won == 0) & (lost > 0)),
        )
    ]
    names = "; ".join(f"{', '.join(names)} {kind}" for kind, names in told if names)
    return f"{reason} ({names})" if names else reason


def _sums_by_group(contests: Contests) -> NDArray[np.float64]:
    """Shape (n_groups, n_systems, 2): the sum of scores, and their number."""
    n_systems = len(contests.systems)
    cells = contests.entry_group * n_systems + contests.member
    size = contests.n_groups * n_systems
    parts = [
        np.bincount(cells, weights=contests.score, minlength=size),
        np.bincount(cells, minlength=size).astype(np.float64),
    ]
    return np.stack(parts, axis=1).reshape(contests.n_groups, n_systems, 2)


def _means(sums: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    defined = sums[..., 1] > 0
    return np.divide(sums[..., 0], sums[..., 1], out=np.zeros(defined.shape), where=defined), defined


def _score(contests: Contests, place: int, value: float | Undefined, resampled: _Resampled) -> Finding:
    own = contests.member == place
    return Finding(
        name=contests.score_name,
        about=contests.systems[place],
        value=value,
        interval=value if isinstance(value, Undefined) else resampled.interval(place),
        n=int(own.sum()),
        n_groups=len(np.unique(contests.entry_group[own])),
        missing=_missing(contests, place),
        provenance="a tie is half a win"
        if contests.score_name == "win_rate"
        else "mean over the responses that were decided",
    )


def _missing(contests: Contests, place: int) -> tuple[tuple[str, int], ...]:
    n = int(contests.undecided[place])
    return (("undecided", n),) if n else ()


def _ranks(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """Ranks from 1, of every row; equal values share the better rank."""
    return np.asarray(1 + (values[:, None, :] > values[:, :, None]).sum(axis=2), dtype=np.intp)


def _ranges(resampled: _Resampled) -> list[RankRange | Undefined]:
    usable = resampled.defined.all(axis=1)
    if not usable.any():
        reason = Undefined("there is no resample in which all systems have a figure")
        return [reason] * resampled.values.shape[1]
    ranks = _ranks(resampled.values[usable])
    tail = (1 - LEVEL) / 2
    best = np.quantile(ranks, tail, axis=0, method="lower")
    worst = np.quantile(ranks, 1 - tail, axis=0, method="higher")
    return [RankRange(best=int(one), worst=int(other)) for one, other in zip(best, worst, strict=True)]
