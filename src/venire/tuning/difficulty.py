"""Difficulty: thirds of the subjects by how much the panel's votes differ."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes

NAMES = ("easy third", "middle third", "hard third")
FEWEST = 10
"""A part with fewer subjects is not looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difficulty:
    """The parts, and what is to be said of them."""

    parts: tuple[tuple[str, NDArray[np.bool_]], ...]
    notes: tuple[str, ...]


def difficulty_parts(votes: CodedVotes) -> Difficulty:
    """Cut the subjects into thirds by the spread of the votes; equal spreads are never torn apart.

    Spread is the share of votes that differ from the most frequent label, or the standard deviation of numbers. With
    few judges few spreads are possible, so that thirds may be far from a third, or fewer than three.

    Args:
        votes: of the voting judges.
    """
    n = votes.present.sum(axis=0)
    enough = n > 1
    if not bool(enough.any()):
        return Difficulty(parts=(), notes=("No subject has two votes, so that none is easy or hard.",))
    spread = _spread(votes, n)
    third = _third_of(spread, enough)
    masks = tuple(enough & (third == number) for number in range(len(NAMES)))
    parts = tuple(
        (f"{name} (spread {_range(spread[mask])})", np.asarray(mask, dtype=np.bool_))
        for name, mask in zip(NAMES, masks, strict=True)
        if mask.sum() >= FEWEST
    )
    sizes = [int(mask.sum()) for mask in masks]
    uneven = max(sizes) > 2 * max(min(sizes), 1)
    counts = f"{sizes[0]:,}, {sizes[1]:,} and {sizes[2]:,}"
    note = f"By difficulty the subjects fall into {counts}: equal spreads stay together."
    return Difficulty(parts=parts, notes=(note,) if uneven else ())


def _third_of(spread: NDArray[np.float64], counted: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The third in which each spread's middle rank lies; shape (n_subjects,)."""
    _, inverse, counts = np.unique(spread[counted], return_inverse=True, return_counts=True)
    middle = (np.cumsum(counts) - counts / 2) / counts.sum()
    third = np.zeros(len(spread), dtype=np.intp)
    third[counted] = np.minimum((middle * len(NAMES)).astype(np.intp), len(NAMES) - 1)[inverse]
    return third


def _spread(votes: CodedVotes, n: NDArray[np.intp]) -> NDArray[np.float64]:
    if votes.labels:
        held = np.stack([((votes.codes == code) & votes.present).sum(axis=0) for code in range(len(votes.labels))])
        return np.asarray(1 - held.max(axis=0) / np.maximum(n, 1), dtype=np.float64)
    mean = np.where(votes.present, votes.codes, 0.0).sum(axis=0) / np.maximum(n, 1)
    squares = (np.where(votes.present, votes.codes - mean, 0.0) ** 2).sum(axis=0) / np.maximum(n, 1)
    # Rounded, so that equal spreads are equal.
    return np.asarray(np.round(np.sqrt(squares), 9), dtype=np.float64)


def _range(spread: NDArray[np.float64]) -> str:
    if not len(spread):
        return "none"
    low, high = float(spread.min()), float(spread.max())
    return f"{low:.2f}" if low == high else f"{low:.2f} to {high:.2f}"
