"""Standings: win rates, strengths, ranks; undecided verdicts count for nobody, and names change nothing."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.coding.labels import labels_of
from venire.coding.votes import CodedVotes
from venire.domain.finding import Interval, Undefined
from venire.domain.identity import ItemId
from venire.domain.item import Subject
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, OrdinalScale, Scale
from venire.domain.standing import RankRange, Standing
from venire.ranking.agreement import tau_finding
from venire.ranking.contests import contests_of
from venire.ranking.standings import Ranked, rank_contests

PAIR = ChoiceScale(both_bad=True)
FIRST, SECOND, TIED, BAD = 0.0, 1.0, 2.0, 3.0
Battle = tuple[str | None, str | None, float | None]


def ranked(battles: Sequence[Battle], groups: Sequence[str] | None = None) -> Ranked:
    """Rank battles: two systems, and who won (None: undecided)."""
    votes = votes_of(PAIR, [won for _, _, won in battles], responses=(0, 1))
    systems = [(first, second) for first, second, _ in battles]
    return rank_contests(contests_of(votes, systems, groups or [f"g{n}" for n in range(len(battles))]), seed=0)


def votes_of(scale: Scale, codes: Sequence[float | None], responses: tuple[int, ...] = (0,)) -> CodedVotes:
    return CodedVotes(
        scale=scale,
        labels=labels_of(scale, len(responses)),
        raters=("panel",),
        subjects=tuple(Subject(item_id=ItemId(f"i{n}"), responses=responses) for n in range(len(codes))),
        codes=np.array([[code or 0.0 for code in codes]]),
        missing=np.array([[int(code is None) for code in codes]], dtype=np.int16),
        reasons=("undecided",),
    )


def by_name(found: Ranked) -> dict[str, Standing]:
    return {row.system: row for row in found.standings}


def mixed(n: int, seed: int = 0) -> list[Battle]:
    """Battles between three systems, the first the strongest."""
    generator = np.random.default_rng(seed)
    names, chances = ["a", "b", "c"], {("a", "b"): 0.7, ("b", "c"): 0.7, ("a", "c"): 0.85}
    found: list[Battle] = []
    for _ in range(n):
        one, other = sorted(generator.choice(3, size=2, replace=False))
        won = generator.random() < chances[names[one], names[other]]
        found.append((names[one], names[other], FIRST if won else SECOND))
    return found


def test_a_tie_is_half_a_win() -> None:
    rows = by_name(ranked([("a", "b", FIRST), ("a", "b", TIED), ("b", "a", TIED), ("a", "b", SECOND)]))

    assert rows["a"].score.value == rows["b"].score.value == 0.5
    assert rows["a"].rank == rows["b"].rank == 1


def test_what_is_undecided_or_bad_on_both_sides_counts_for_nobody() -> None:
    battles: list[Battle] = [
        ("a", "b", FIRST),
        ("a", "b", SECOND),
        ("a", "b", FIRST),
        ("a", "b", None),
        ("a", "b", BAD),
    ]
    rows = by_name(ranked(battles))

    assert rows["a"].score.value == pytest.approx(2 / 3)
    assert (rows["a"].score.n, rows["a"].n_undecided) == (3, 1)


def test_the_position_shown_is_not_the_system() -> None:
    rows = by_name(ranked([("a", "b", FIRST), ("b", "a", SECOND), ("b", "a", FIRST), ("a", "b", FIRST)]))

    assert rows["a"].score.value == 0.75


def test_strengths_have_intervals_and_ranks_that_resamples_give() -> None:
    found = ranked(mixed(400))

    assert found.by == "strength"
    assert [row.system for row in found.standings] == ["a", "b", "c"]
    first = found.standings[0]
    assert first.range == RankRange(best=1, worst=1)
    assert not isinstance(first.strength, Undefined)
    assert isinstance(first.strength.interval, Interval)
    assert first.strength.interval.low < first.strength.value < first.strength.interval.high  # type: ignore[operator]


def test_an_unbeaten_system_is_ranked_by_win_rate_and_named() -> None:
    found = ranked([("a", "b", FIRST), ("a", "c", FIRST), ("b", "c", FIRST), ("c", "b", FIRST)])

    assert found.by == "win_rate"
    assert "a lost no battle" in found.notes[0]
    assert [row.rank for row in found.standings] == [1, 2, 2]
    assert all(isinstance(row.strength, Undefined) for row in found.standings)


def test_systems_that_never_met_are_said_not_to_compare() -> None:
    found = ranked([("a", "b", FIRST), ("b", "a", FIRST), ("c", "d", FIRST), ("d", "c", FIRST)])

    assert "2 parts that never met" in found.notes[0]


def test_a_system_without_a_verdict_stands_last_and_has_no_figure() -> None:
    rows = by_name(ranked([("a", "b", FIRST), ("b", "a", FIRST), ("c", "a", None)]))

    assert isinstance(rows["c"].score.value, Undefined)
    assert rows["c"].rank == 3


@given(st.permutations(range(120)), st.permutations(["x", "y", "z"]))
def test_names_and_the_order_of_rows_change_nothing(order: list[int], names: list[str]) -> None:
    battles = mixed(120)
    groups = [f"g{n % 40}" for n in range(120)]
    renamed = dict(zip("abc", names, strict=True))
    others: list[Any] = [(renamed[str(battles[n][0])], renamed[str(battles[n][1])], battles[n][2]) for n in order]

    plain = by_name(ranked(battles, groups))
    shuffled = by_name(ranked(others, [groups[n] for n in order]))

    for name, row in plain.items():
        other = shuffled[renamed[name]]
        assert (row.rank, row.range, row.score.value) == (other.rank, other.range, other.score.value)
        assert row.strength.value == other.strength.value  # type: ignore[union-attr]
        assert row.strength.interval == other.strength.interval  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("scale", "codes", "name", "means"),
    [
        (NominalScale(labels=("yes", "no")), [0.0, 0.0, 1.0, 0.0], "pass_rate", (0.5, 1.0)),
        (OrdinalScale(labels=("bad", "fair", "good")), [0.0, 1.0, 1.0, 2.0], "mean_position", (0.25, 0.75)),
        (IntervalScale(min=1, max=9), [1.0, 9.0, 4.0, 5.0], "mean", (2.5, 7.0)),
    ],
)
def test_responses_judged_alone_are_ranked_by_their_mean(
    scale: Scale, codes: list[float], name: str, means: tuple[float, float]
) -> None:
    votes = votes_of(scale, codes)
    found = rank_contests(contests_of(votes, [("a",), ("b",), ("a",), ("b",)], ["g", "g", "h", "h"]), seed=0)

    rows = by_name(found)
    assert (found.by, rows["a"].score.name) == ("score", name)
    assert (rows["a"].score.value, rows["b"].score.value) == means
    assert found.standings[0].system == "b"


def test_the_best_of_a_list_beats_every_other() -> None:
    scale = ChoiceScale(tie=False)
    votes = votes_of(scale, [1.0, 2.0], responses=(0, 1, 2))
    rows = by_name(rank_contests(contests_of(votes, [("a", "b", "c")] * 2, ["g", "h"]), seed=0))

    assert {name: row.score.n for name, row in rows.items()} == {"a": 2, "b": 3, "c": 3}
    assert rows["a"].score.value == 0


def test_tau_counts_systems_and_says_when_they_are_few() -> None:
    ours = {"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.0}
    found = tau_finding(ours, {"a": 3.0, "b": 1.0, "c": 2.0, "x": 9.0}, about="panel", seed=0)

    assert found.value == pytest.approx(1 / 3)
    assert (found.n, found.missing) == (3, (("not in the reference", 1),))
    assert "few systems" in getattr(found.interval, "method", "few systems")
