"""Bradley-Terry: strengths of players from who beat whom."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic
from venire.stats.win_graph import win_graph

TOLERANCE = 1e-9
"""Of the gradient, as a share of a player's games: a billionth of a win."""
MOST_STEPS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class BradleyTerry:
    """Strengths on the log scale."""

    strengths: NDArray[np.float64]
    """Shape (n_players,), of mean 0: a difference of d means odds of e**d."""
    log_likelihood: float
    n_games: float
    n_iterations: int
    gradient: float
    """The largest difference between a player's wins and those that the strengths predict."""
    converged: bool


def fit_bradley_terry(wins: NDArray[np.number]) -> BradleyTerry:
    """Find the strengths under which what happened is most likely, P(i beats j) = 1 / (1 + exp(s_j − s_i)).

    Use it to rank players that did not all meet equally often. Newton's method, with steps halved where the likelihood
    would fall; the likelihood is concave, so that there is one answer.

    Args:
        wins: shape (n_players, n_players): how often the row's player beat the column's; a tie is half a win for
            both. The diagonal is not read.

    Returns:
        Strengths of mean 0, with the gradient at the end.

    Raises:
        UndefinedStatistic: there are fewer than 2 players; or the strengths are not finite or not comparable, because
            some players never lost to, never beat or never met the others, directly or over third ones.
        ValueError: wins are negative, not finite, or not square.

    References:
        Bradley and Terry (1952), Rank analysis of incomplete block designs, doi:10.1093/biomet/39.3-4.324.
        Hunter (2004), MM algorithms for generalized Bradley-Terry models, doi:10.1214/aos/1079120141.

    Three wins to one are odds of 3, and the strengths are log 3 apart:

    >>> result = fit_bradley_terry(np.array([[0, 3], [1, 0]]))
    >>> round(float(np.exp(result.strengths[0] - result.strengths[1])), 9)
    3.0
    """
    table = np.array(wins, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not bool(np.isfinite(table).all()) or table.min() < 0:
        raise ValueError(f"wins of shape {table.shape!r} must be a square table of finite counts, none below 0")
    np.fill_diagonal(table, 0.0)
    if len(table) < 2:
        raise UndefinedStatistic(f"Bradley-Terry: {len(table)} player; at least 2 are needed to compare")
    refuse_separated(table)
    games = table + table.T
    won = table.sum(axis=1)
    strengths = np.zeros(len(table))
    likelihood = _log_likelihood(strengths, table)
    scale = TOLERANCE * np.maximum(games.sum(axis=1), 1.0)
    for n_iterations in range(MOST_STEPS):  # noqa: B007 - told in the result
        chance = chances(strengths)
        gradient = won - (games * chance).sum(axis=1)
        if bool((np.abs(gradient) <= scale).all()):
            break
        step = gradient @ inverse_information(games, chance)
        strengths, likelihood = _climb(strengths, step, table, likelihood)
    return BradleyTerry(
        strengths=strengths - strengths.mean(),
        log_likelihood=likelihood,
        n_games=float(games.sum() / 2),
        n_iterations=n_iterations,
        gradient=float(np.abs(gradient).max()),
        converged=bool((np.abs(gradient) <= scale).all()),
    )


def chances(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance that the row's player beats the column's: shape (…, n_players, n_players) for (…, n_players)."""
    difference = strengths[..., :, None] - strengths[..., None, :]
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * difference)))


def inverse_information(games: NDArray[np.float64], chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """The inverse of minus the second derivative, on strengths of mean 0: shape (n_players, n_players)."""
    part = games * chance * chance.T
    information = np.diag(part.sum(axis=1)) - part
    # A constant on all strengths changes nothing: the direction of ones is filled in, and drops out again.
    return np.linalg.inv(information + np.full(games.shape, max(float(information.trace()), 1e-300) / len(games) ** 2))


def refuse_separated(wins: NDArray[np.float64]) -> None:
    """Refuse wins from which strengths of all players cannot be told.

    Raises:
        UndefinedStatistic: see `fit_bradley_terry`.
    """
    graph = win_graph(wins)
    if graph.n_islands > 1:
        raise UndefinedStatistic(
            f"Bradley-Terry: the players fall into {graph.n_islands} parts that never met, not even over others"
        )
    if not graph.is_strong:
        raise UndefinedStatistic(
            "Bradley-Terry: some players never lost to, or never beat, any of the others; their strength has no bound"
        )


def _climb(
    strengths: NDArray[np.float64], step: NDArray[np.float64], wins: NDArray[np.float64], likelihood: float
) -> tuple[NDArray[np.float64], float]:
    for halvings in range(40):
        moved = strengths + step / 2**halvings
        reached = _log_likelihood(moved, wins)
        # At the top the likelihood is flat: a step that only rounding makes worse is a step.
        if reached >= likelihood - 1e-12 * abs(likelihood):
            return moved, max(reached, likelihood)
    return strengths, likelihood


def _log_likelihood(strengths: NDArray[np.float64], wins: NDArray[np.float64]) -> float:
    difference = strengths[:, None] - strengths[None, :]
    return float(-(wins * np.logaddexp(0.0, -difference)).sum())
