"""Bradley-Terry: beside evalica, under renaming and reordering, and where there is no solution."""

import evalica
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic
from venire.stats.bradley_terry import chances, fit_bradley_terry
from venire.stats.bradley_terry_resamples import Games, resample_bradley_terry
from venire.stats.cluster_bootstrap import group_weights
from venire.stats.win_graph import win_graph


def simulated(n_games: int, n_players: int, seed: int = 0, ties: float = 0.1) -> tuple[Games, NDArray[np.float64]]:
    generator = np.random.default_rng(seed)
    strengths = generator.normal(0, 1, n_players)
    first = generator.integers(0, n_players, n_games)
    second = (first + generator.integers(1, n_players, n_games)) % n_players
    won = generator.random(n_games) < 1 / (1 + np.exp(strengths[second] - strengths[first]))
    score = np.where(generator.random(n_games) < ties, 0.5, won.astype(float))
    return Games(first=first, second=second, score=score, n_players=n_players), strengths - strengths.mean()


TABLES = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 5), min_size=n, max_size=n), min_size=n, max_size=n)
)


@given(TABLES)
def test_predicted_wins_are_the_real_ones_and_names_do_not_matter(rows: list[list[int]]) -> None:
    wins = np.array(rows)
    np.fill_diagonal(wins, 0)
    if not win_graph(wins).is_strong:
        with pytest.raises(UndefinedStatistic):
            fit_bradley_terry(wins)
        return
    found = fit_bradley_terry(wins)
    order = np.random.default_rng(len(rows)).permutation(len(wins))

    games = wins + wins.T

    assert found.converged
    assert (games * chances(found.strengths)).sum(axis=1) == pytest.approx(wins.sum(axis=1), abs=1e-6)
    assert fit_bradley_terry(wins[np.ix_(order, order)]).strengths == pytest.approx(found.strengths[order], abs=1e-6)


def test_it_is_that_of_evalica() -> None:
    games, _ = simulated(4_000, 8, ties=0.0)
    names = [f"s{n}" for n in range(8)]
    theirs = evalica.bradley_terry(
        [names[one] for one in games.first],
        [names[one] for one in games.second],
        [evalica.Winner.X if score else evalica.Winner.Y for score in games.score],
        tolerance=1e-12,
        limit=10_000,
    ).scores

    ours = fit_bradley_terry(games.wins()).strengths

    logs = np.log(np.array([theirs[name] for name in names]))
    assert ours == pytest.approx(logs - logs.mean(), abs=1e-5)


def test_it_finds_the_strengths_that_made_the_games() -> None:
    games, strengths = simulated(50_000, 10, ties=0.0)

    assert fit_bradley_terry(games.wins()).strengths == pytest.approx(strengths, abs=0.1)


@pytest.mark.parametrize("rows", [[[0, 3], [0, 0]], [[0, 0], [3, 0]]])
def test_who_never_lost_has_no_strength(rows: list[list[int]]) -> None:
    """A shipped solver gives every player 0.000001 here, without a word."""
    with pytest.raises(UndefinedStatistic, match="no bound"):
        fit_bradley_terry(np.array(rows))


def test_parts_that_never_met_cannot_be_compared() -> None:
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[1, 0] = wins[2, 3] = wins[3, 2] = 1

    with pytest.raises(UndefinedStatistic, match="2 parts that never met"):
        fit_bradley_terry(wins)
    assert win_graph(wins).island.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(("wins", "message"), [(np.zeros((1, 1)), "at least 2"), (np.zeros((3, 3)), "3 parts")])
def test_nothing_to_compare_is_undefined(wins: NDArray[np.float64], message: str) -> None:
    with pytest.raises(UndefinedStatistic, match=message):
        fit_bradley_terry(wins)


@pytest.mark.parametrize("wins", [np.zeros((2, 3)), np.array([[0, -1], [1, 0]]), np.array([[0, np.inf], [1, 0]])])
def test_what_is_no_table_of_wins_is_refused(wins: NDArray[np.float64]) -> None:
    with pytest.raises(ValueError, match="square table"):
        fit_bradley_terry(wins)


@pytest.mark.parametrize("n_games", [60, 3_000])
def test_a_resample_is_what_a_fit_of_it_gives(n_games: int) -> None:
    games, _ = simulated(n_games, 5)
    groups = np.arange(n_games) % 23
    weights = group_weights(23, 50, seed=3)

    drawn = resample_bradley_terry(games, groups, 50, seed=3)

    for row in range(50):
        wins = games.wins(weights[row][groups])
        if not drawn.defined[row]:
            assert not win_graph(wins).is_strong
            continue
        assert drawn.strengths[row] == pytest.approx(fit_bradley_terry(wins).strengths, abs=1e-6)


def test_games_alone_vary_as_much_as_groups_of_one() -> None:
    games, _ = simulated(2_000, 6)
    alone = resample_bradley_terry(games, None, 800, seed=1)
    grouped = resample_bradley_terry(games, np.arange(2_000), 800, seed=2)

    assert alone.defined.all()
    assert alone.strengths.std(axis=0) == pytest.approx(grouped.strengths.std(axis=0), rel=0.15)


def test_the_same_seed_gives_the_same_resamples() -> None:
    games, _ = simulated(500, 4)
    ones = [resample_bradley_terry(games, None, 300, seed=5).strengths for _ in range(2)]

    assert (ones[0] == ones[1]).all()


def test_a_resample_without_a_solution_is_told() -> None:
    """Ten games, one of which the second player won: one draw of ten leaves it out in a third of the resamples."""
    games = Games(
        first=np.zeros(10, dtype=int), second=np.ones(10, dtype=int), score=np.array([0.0] + [1.0] * 9), n_players=2
    )

    drawn = resample_bradley_terry(games, np.arange(10), 400, seed=0)

    assert 0.25 < 1 - drawn.defined.mean() < 0.45
