"""The one-coin model: Dawid–Skene with a single accuracy for each voter."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic
from venire.stats.label_patterns import find_patterns
from venire.stats.leading_voter import find_leading_voter

SMOOTHING = 0.1
"""Right votes, and wrong ones, added to every voter's count."""
TOLERANCE = 1e-7
MAX_ITERATIONS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class OneCoinLabels:
    """The labels behind the votes, as probabilities, with one accuracy for each voter."""

    posterior: NDArray[np.float64]
    """Shape (n_items, n_labels): means something only where `defined`."""
    defined: NDArray[np.bool_]
    """Shape (n_items,): False where nobody voted."""
    accuracy: NDArray[np.float64]
    """Shape (n_voters,): the chance that a voter gives the true label."""
    log_likelihood: float
    n_iterations: int
    converged: bool
    warnings: tuple[str, ...]


def one_coin(codes: NDArray[np.number], present: NDArray[np.bool_], n_labels: int) -> OneCoinLabels:
    """Estimate true labels where a voter is right with one chance and errs evenly among the other labels.

    Use it where voters give too few votes for a confusion table each. All labels are equally likely beforehand, so
    that nothing but the votes speaks. Expectation maximisation, from the shares of votes.

    Args:
        codes: shape (n_voters, n_items), labels 0 … n_labels − 1 where `present`.
        present: shape (n_voters, n_items).

    Returns:
        Posterior and accuracies (0.1 right and 0.1 wrong votes are added to each voter's).

    Raises:
        UndefinedStatistic: there is no vote at all.
        ValueError: a code is no label.

    References:
        Zhang, Chen, Zhou and Jordan (2016), Spectral methods meet EM, section 2 (the one-coin model),
        https://jmlr.org/papers/v17/14-511.html.

    >>> votes = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 0]])
    >>> fit = one_coin(votes, np.ones(votes.shape, dtype=bool), n_labels=2)
    >>> fit.posterior.argmax(axis=1).tolist(), bool(fit.accuracy[0] > fit.accuracy[2])
    ([0, 0, 1, 1], True)
    """
    patterns = find_patterns(codes, present, n_labels)
    has_votes = patterns.has_votes
    if not bool(has_votes.any()):
        raise UndefinedStatistic(f"one-coin: none of {codes.shape[0]} voters voted on any of {codes.shape[1]} items")
    counts = np.where(has_votes, patterns.counts, 0).astype(np.float64)
    voted = patterns.labels < n_labels
    holds = np.stack([patterns.labels == label for label in range(n_labels)]).astype(np.float64)
    votes = holds.sum(axis=1)
    posterior = np.where(has_votes, votes / np.maximum(votes.sum(axis=0), 1), 1 / n_labels)
    n_votes = voted @ counts
    log_likelihood, converged, n_iterations = -np.inf, False, 0
    accuracy = np.full(len(codes), 0.5)
    while not converged and n_iterations < MAX_ITERATIONS:
        right = np.einsum("kvp,kp,p->v", holds, posterior, counts)
        accuracy = (right + SMOOTHING) / (n_votes + 2 * SMOOTHING)
        gain = np.log(accuracy) - np.log((1 - accuracy) / (n_labels - 1))
        logs = np.einsum("kvp,v->kp", holds, gain)
        top = logs.max(axis=0)
        weights = np.exp(logs - top)
        posterior = weights / weights.sum(axis=0)
        base = np.log((1 - accuracy) / (n_labels - 1)) @ voted
        now = float((base + top + np.log(weights.sum(axis=0) / n_labels)) @ counts)
        converged = bool(abs(now - log_likelihood) < TOLERANCE * counts.sum())
        log_likelihood = now
        n_iterations += 1
    return OneCoinLabels(
        posterior=posterior.T[patterns.pattern_of],
        defined=has_votes[patterns.pattern_of],
        accuracy=accuracy,
        log_likelihood=log_likelihood,
        n_iterations=n_iterations,
        converged=converged,
        warnings=(
            *_warnings(accuracy, n_votes, n_labels, converged=converged),
            *_leading(find_leading_voter(patterns.labels, counts, posterior)),
        ),
    )


def _warnings(
    accuracy: NDArray[np.float64], n_votes: NDArray[np.float64], n_labels: int, *, converged: bool
) -> list[str]:
    found = []
    n_voting = int((n_votes > 0).sum())
    if n_voting < 3:
        found.append(f"{n_voting} voters: with fewer than three nothing tells a voter's errors from the truth")
    if not converged:
        found.append(f"not converged after {MAX_ITERATIONS} iterations")
    if float(np.average(accuracy, weights=n_votes)) < 1 / n_labels:
        found.append("label switching: by these labels most votes are wrong")
    return found


def _leading(voter: int | None) -> tuple[str, ...]:
    return () if voter is None else (f"stands on one voter: the likeliest label is always that of voter {voter}",)
