"""Contests: what verdicts say of systems, as arrays: battles between two, or scores of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes
from venire.domain.rubric import BOTH_BAD, TIE, NominalScale, OrdinalScale
from venire.stats.bradley_terry_resamples import Games


@dataclass(frozen=True, slots=True, kw_only=True)
class Contests:
    """What one rater's votes say of the systems."""

    systems: tuple[str, ...]
    """Sorted by name."""
    score_name: str
    games: Games | None
    """None: responses were judged alone."""
    groups: NDArray[np.intp]
    """Shape (n,): of every battle or response, the number of its group, without gaps."""
    member: NDArray[np.intp]
    """Shape (n_entries,): which system an entry of the scores is of."""
    score: NDArray[np.float64]
    """Shape (n_entries,)."""
    entry_group: NDArray[np.intp]
    """Shape (n_entries,)."""
    n_groups: int
    undecided: NDArray[np.intp]
    """Shape (n_systems,): subjects without a decision."""
    n_both_bad: int
    n_unnamed: int
    """Subjects of which a response names no system, or that set a system against itself."""


def contests_of(votes: CodedVotes, systems: Sequence[tuple[str | None, ...]], groups: Sequence[str]) -> Contests:
    """What the first rater of the votes says.

    Args:
        systems: by subject, who wrote its responses; None where nobody knows.
        groups: of every subject.
    """
    names = tuple(sorted({name for own in systems for name in own if name is not None}))
    number = {name: place for place, name in enumerate(names)}
    numbers = np.unique(np.array(groups, dtype=object), return_inverse=True)[1] if len(groups) else np.zeros(0, np.intp)
    return (
        _battles(votes, systems, numbers, names, number)
        if votes.n_positions
        else _scores(votes, systems, numbers, names, number)
    )


def _battles(
    votes: CodedVotes,
    systems: Sequence[tuple[str | None, ...]],
    groups: NDArray[np.intp],
    names: tuple[str, ...],
    number: dict[str, int],
) -> Contests:
    """Every two responses of a subject meet: the chosen one beats each other, a tie is a tie between all."""
    tie = votes.labels.index(TIE) if TIE in votes.labels else -1
    bad = votes.labels.index(BOTH_BAD) if BOTH_BAD in votes.labels else -1
    undecided = np.zeros(len(names), dtype=np.intp)
    met: list[tuple[int, int, float, int]] = []
    n_bad = n_unnamed = 0
    present, codes = votes.present[0].tolist(), votes.codes[0].astype(np.intp).tolist()
    for column, own in enumerate(systems):
        players = [number[name] for name in own if name is not None]
        if len(players) < len(own) or len(set(players)) < len(players):
            n_unnamed += 1
        elif not present[column]:
            undecided[players] += 1
        elif codes[column] == bad:
            n_bad += 1
        else:
            for one, other in combinations(range(len(players)), 2):
                score = _score_of(codes[column], one, other, tie)
                if score is not None:
                    met.append((players[one], players[other], score, int(groups[column])))
    table = np.array(met, dtype=np.float64).reshape(-1, 4)
    first, second, score_of_first = table[:, 0].astype(np.intp), table[:, 1].astype(np.intp), table[:, 2]
    kept, own_groups = np.unique(table[:, 3], return_inverse=True)
    return Contests(
        systems=names,
        score_name="win_rate",
        games=Games(first=first, second=second, score=score_of_first, n_players=len(names)),
        groups=own_groups,
        member=np.concatenate([first, second]),
        score=np.concatenate([score_of_first, 1.0 - score_of_first]),
        entry_group=np.concatenate([own_groups, own_groups]),
        n_groups=len(kept),
        undecided=undecided,
        n_both_bad=n_bad,
        n_unnamed=n_unnamed,
    )


def _score_of(chosen: int, one: int, other: int, tie: int) -> float | None:
    """What the first of two positions scores against the second; None: neither was chosen."""
    if chosen == tie:
        return 0.5
    return float(chosen == one) if chosen in (one, other) else None


def _scores(
    votes: CodedVotes,
    systems: Sequence[tuple[str | None, ...]],
    groups: NDArray[np.intp],
    names: tuple[str, ...],
    number: dict[str, int],
) -> Contests:
    name, scores = goodness(votes)
    member = np.array([number.get(own[0] or "", -1) if own else -1 for own in systems], dtype=np.intp)
    present = votes.present[0]
    counted = present & (member >= 0)
    kept, own_groups = np.unique(groups[counted], return_inverse=True)
    return Contests(
        systems=names,
        score_name=name,
        games=None,
        groups=own_groups,
        member=member[counted],
        score=scores[counted],
        entry_group=own_groups,
        n_groups=len(kept),
        undecided=np.bincount(member[~present & (member >= 0)], minlength=len(names)),
        n_both_bad=0,
        n_unnamed=int((member < 0).sum()),
    )


def goodness(votes: CodedVotes) -> tuple[str, NDArray[np.float64]]:
    """How good each vote of the first rater is, higher is better, and what that is called."""
    codes = votes.codes[0]
    if isinstance(votes.scale, NominalScale):
        return "pass_rate", (codes == votes.labels.index(votes.scale.positive)).astype(np.float64)
    if isinstance(votes.scale, OrdinalScale):
        return "mean_position", codes / (len(votes.labels) - 1)
    return "mean", codes
