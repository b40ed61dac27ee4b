"""The leading voter: labels found without the truth that are one voter's votes under another name."""

import numpy as np
from numpy.typing import NDArray

ALWAYS = 0.999
APART = 0.95
"""A voter who agrees as often as this is no stranger to the labels: then they are a consensus."""


def find_leading_voter(
    labels: NDArray[np.integer], counts: NDArray[np.number], posterior: NDArray[np.float64]
) -> int | None:
    """Find the voter whose votes are always the likeliest label, while nobody else's come close.

    Use it after a fit without true labels. With few voters, or with voters near chance, the likelihood is largest where
    one of them is held to be all but perfect: the others' votes then decide nothing, and which voter it is may be
    chance.

    Args:
        labels: shape (n_voters, n_patterns); a number that is no label is a missing vote.
        counts: shape (n_patterns,): items that have the pattern.
        posterior: shape (n_labels, n_patterns).

    Returns:
        The voter who agrees in 99.9 % of votes, on half of all items or more, while every other one stays below 95 %.

    >>> votes = np.array([[0, 1, 0, 1], [0, 1, 1, 0], [0, 0, 0, 0]])
    >>> find_leading_voter(votes, np.ones(4), np.array([[0.9, 0.1, 0.9, 0.1], [0.1, 0.9, 0.1, 0.9]]))
    0
    """
    likeliest = posterior.argmax(axis=0)
    is_vote = labels < len(posterior)
    n_votes = is_vote @ counts
    agreement = (is_vote & (labels == likeliest)) @ counts / np.maximum(n_votes, 1)
    leads = (agreement >= ALWAYS) & (n_votes >= counts.sum() / 2)
    if leads.sum() != 1:
        return None
    leader = int(leads.argmax())
    others = np.delete(agreement, leader)[np.delete(n_votes, leader) > 0]
    return leader if len(others) and bool((others < APART).all()) else None
