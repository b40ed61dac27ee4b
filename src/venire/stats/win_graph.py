"""Win graphs: who has beaten whom, directly or over others; whether a paired-comparison model has a solution."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class WinGraph:
    """Players in parts within which everybody has beaten everybody, at least over others."""

    component: NDArray[np.intp]
    """Shape (n_players,): the part of each player, numbered by its first member."""
    n_components: int
    island: NDArray[np.intp]
    """Shape (n_players,): players with the same number have met, at least over others."""
    n_islands: int

    @property
    def is_strong(self) -> bool:
        """Whether ratings of all players exist and are unique up to a constant."""
        return self.n_components == 1


def win_graph(wins: NDArray[np.number]) -> WinGraph:
    """Find the parts of a win matrix.

    A maximum-likelihood Bradley-Terry rating exists for all players if and only if every split of them into two parts
    has a win of each part over the other: a single strongly connected component (a tie is half a win for both).

    Args:
        wins: shape (n_players, n_players): how often the row's player beat the column's.

    References:
        Ford (1957), Solution of a ranking problem from binary comparisons, doi:10.2307/2308513.

    The third player lost to both others and never won:

    >>> found = win_graph(np.array([[0, 1, 1], [1, 0, 1], [0, 0, 0]]))
    >>> found.component.tolist(), found.n_islands
    ([0, 0, 1], 1)
    """
    if wins.ndim != 2 or wins.shape[0] != wins.shape[1]:
        raise ValueError(f"wins have shape {wins.shape!r}; it must be (n_players, n_players)")
    beats = _closure(wins > 0)
    component, n_components = _numbered(beats & beats.T)
    island, n_islands = _numbered(_closure((wins > 0) | (wins.T > 0)))
    return WinGraph(component=component, n_components=n_components, island=island, n_islands=n_islands)


def _closure(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whom each player reaches, itself included."""
    reach = edges | np.eye(len(edges), dtype=np.bool_)
    while True:
        further = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
        if bool((further == reach).all()):
            return reach
        reach = further


def _numbered(same: NDArray[np.bool_]) -> tuple[NDArray[np.intp], int]:
    first = np.argmax(same, axis=1) if len(same) else np.zeros(0, dtype=np.intp)
    names, number = np.unique(first, return_inverse=True)
    return number.astype(np.intp), len(names)
