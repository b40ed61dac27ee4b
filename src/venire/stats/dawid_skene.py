"""Dawid–Skene: the true label behind the votes of voters who each err in their own way."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic
from venire.stats.label_patterns import LabelPatterns, find_patterns
from venire.stats.leading_voter import find_leading_voter

SMOOTHING = 0.1
"""Votes added to every cell of a voter's confusion table, so that no label becomes impossible."""
TOLERANCE = 1e-7
MAX_ITERATIONS = 1000
N_RESTARTS = 4
_SAMPLE = 1000
"""Patterns on which random starts are tried: enough to see a better optimum, whatever the number of items."""
_TRIAL_ITERATIONS = 12
_BLOCK = 8192
"""Patterns at once: their sums stay in the processor's cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentLabels:
    """The labels behind the votes, as probabilities."""

    posterior: NDArray[np.float64]
    """Shape (n_items, n_labels): the probability of each label; means something only where `defined`."""
    defined: NDArray[np.bool_]
    """Shape (n_items,): False where nobody voted."""
    prior: NDArray[np.float64]
    """Shape (n_labels,): how often each label is true."""
    confusion: NDArray[np.float64]
    """Shape (n_voters, n_labels, n_labels): how often a voter gives label l (last) where label k is true."""
    log_likelihood: float
    n_iterations: int
    converged: bool
    n_patterns: int
    """Distinct label patterns among the items."""
    from_random_start: bool
    """Whether a random start found a likelier solution than the one that starts at the shares of votes."""
    warnings: tuple[str, ...]
    """Why the fit should not be believed: labels that switched, vanished or stand on one voter."""


@dataclass(slots=True)
class _State:
    """Where the fit stands; posterior has shape (n_labels, n_patterns)."""

    posterior: NDArray[np.float64]
    prior: NDArray[np.float64]
    confusion: NDArray[np.float64]
    log_likelihood: float = -np.inf
    n_iterations: int = 0
    converged: bool = False


def dawid_skene(
    codes: NDArray[np.number], present: NDArray[np.bool_], n_labels: int, *, n_restarts: int = N_RESTARTS, seed: int = 0
) -> LatentLabels:
    """Estimate the true label of every item and every voter's confusion table, by expectation maximisation.

    Use it for three voters or more who err independently given the truth. Where voters share a bias it believes the
    bias: it has no gold. The model: P(votes of item i) = Σ_k π_k Π_j θ_j[k, vote of j on i], missing votes left out.
    Computed on distinct patterns of votes with their counts. It starts at the shares of votes; random starts are tried
    on a sample of patterns and followed where they are likelier.

    Args:
        codes: shape (n_voters, n_items), labels 0 … n_labels − 1 where `present`.
        present: shape (n_voters, n_items).
        n_restarts: random starts beside the first.
        seed: of the random starts, numpy's PCG64.

    Returns:
        Posterior, prior, confusion tables (0.1 votes are added to each cell), with the log likelihood.

    Raises:
        UndefinedStatistic: there is no vote at all.
        ValueError: a code is no label.

    References:
        Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM algorithm,
        doi:10.2307/2346806.

    Two voters are always right, one has the labels of half the items the other way round:

    >>> votes = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 0]])
    >>> fit = dawid_skene(votes, np.ones(votes.shape, dtype=bool), n_labels=2)
    >>> fit.posterior.argmax(axis=1).tolist(), fit.converged
    ([0, 0, 1, 1], True)
    """
    patterns = find_patterns(codes, present, n_labels)
    has_votes = patterns.has_votes
    if not bool(has_votes.any()):
        raise UndefinedStatistic(f"Dawid-Skene: none of {codes.shape[0]} voters voted on any of {codes.shape[1]} items")
    counts = np.where(has_votes, patterns.counts, 0).astype(np.float64)
    shares = _shares(patterns.labels, n_labels)
    start = _likeliest_start(patterns.labels, counts, shares, n_restarts, seed)
    state = _maximise(patterns.labels, counts, shares if start is None else start, MAX_ITERATIONS)
    if start is not None:
        first = _maximise(patterns.labels, counts, shares, MAX_ITERATIONS)
        if first.log_likelihood >= state.log_likelihood:
            start, state = None, first
    return LatentLabels(
        posterior=state.posterior.T[patterns.pattern_of],
        defined=has_votes[patterns.pattern_of],
        prior=state.prior,
        confusion=state.confusion,
        log_likelihood=state.log_likelihood,
        n_iterations=state.n_iterations,
        converged=state.converged,
        n_patterns=len(patterns.counts),
        from_random_start=start is not None,
        warnings=tuple(_warnings(patterns, counts, state)),
    )


def _shares(labels: NDArray[np.int16], n_labels: int) -> NDArray[np.float64]:
    """The share of votes that each label holds: shape (n_labels, n_patterns)."""
    votes = np.stack([(labels == label).sum(axis=0) for label in range(n_labels)]).astype(np.float64)
    n = votes.sum(axis=0)
    return np.asarray(np.where(n > 0, votes / np.maximum(n, 1), 1 / n_labels), dtype=np.float64)


def _likeliest_start(
    labels: NDArray[np.int16], counts: NDArray[np.float64], shares: NDArray[np.float64], n_restarts: int, seed: int
) -> NDArray[np.float64] | None:
    """A random start that a short fit on a sample finds likelier than the shares of votes; None: there is none."""
    generator = np.random.Generator(np.random.PCG64(seed))
    n_labels, n_patterns = shares.shape
    kept = np.arange(n_patterns)
    if n_patterns > _SAMPLE:
        kept = np.sort(generator.choice(n_patterns, size=_SAMPLE, replace=False, p=counts / counts.sum()))
    sample, weights = labels[:, kept], counts[kept]
    first = _maximise(sample, weights, shares[:, kept], _TRIAL_ITERATIONS).log_likelihood
    best: NDArray[np.float64] | None = None
    for _ in range(n_restarts):
        drawn = generator.dirichlet(np.ones(n_labels), size=len(kept)).T
        # A start that is mostly noise: half of it the votes, so that labels keep their names.
        state = _maximise(sample, weights, 0.5 * shares[:, kept] + 0.5 * drawn, _TRIAL_ITERATIONS)
        if state.log_likelihood > first + 1e-6 * weights.sum():
            first = state.log_likelihood
            best = _expect(labels, state.prior, state.confusion)[0]
    return best


def _maximise(
    labels: NDArray[np.int16], counts: NDArray[np.float64], posterior: NDArray[np.float64], max_iterations: int
) -> _State:
    """Alternate both steps until the log likelihood of an item moves by less than the tolerance."""
    state = _State(posterior=posterior, prior=np.empty(0), confusion=np.empty(0))
    n = counts.sum()
    while not state.converged and state.n_iterations < max_iterations:
        state.prior, state.confusion = _fit(labels, counts, state.posterior)
        state.posterior, likelihoods = _expect(labels, state.prior, state.confusion)
        log_likelihood = float(likelihoods @ counts)
        state.converged = bool(abs(log_likelihood - state.log_likelihood) < TOLERANCE * n)
        state.log_likelihood = log_likelihood
        state.n_iterations += 1
    return state


def _fit(
    labels: NDArray[np.int16], counts: NDArray[np.float64], posterior: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The maximisation step: prior and confusion tables from the posterior."""
    n_labels, n_voters = len(posterior), len(labels)
    weighted = posterior * counts
    tables = np.empty((n_voters, n_labels, n_labels + 1))
    for voter in range(n_voters):
        for label in range(n_labels):
            tables[voter, label] = np.bincount(labels[voter], weights=weighted[label], minlength=n_labels + 1)
    confusion = tables[:, :, :n_labels] + SMOOTHING
    prior = weighted.sum(axis=1) + SMOOTHING
    return prior / prior.sum(), confusion / confusion.sum(axis=2, keepdims=True)


def _expect(
    labels: NDArray[np.int16], prior: NDArray[np.float64], confusion: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The expectation step: posterior (n_labels, n_patterns), and the log likelihood of each pattern."""
    n_labels, n_patterns = len(prior), labels.shape[1]
    logs = np.zeros((len(labels), n_labels, n_labels + 1))  # a missing vote says nothing: its logarithm is 0
    logs[:, :, :n_labels] = np.log(confusion)
    posterior = np.empty((n_labels, n_patterns))
    likelihoods = np.empty(n_patterns)
    for start in range(0, n_patterns, _BLOCK):
        part = slice(start, start + _BLOCK)
        sums = np.repeat(np.log(prior)[:, None], labels[0, part].size, axis=1)
        for voter, votes in enumerate(labels[:, part]):
            sums += logs[voter].take(votes, axis=1)
        top = sums.max(axis=0)
        sums -= top
        np.exp(sums, out=sums)
        total = sums.sum(axis=0)
        likelihoods[part] = top + np.log(total)
        np.divide(sums, total, out=posterior[:, part])
    return posterior, likelihoods


def _warnings(patterns: LabelPatterns, counts: NDArray[np.float64], state: _State) -> list[str]:
    found: list[str] = []
    n_votes = np.stack([(patterns.labels[voter] < len(state.prior)) @ counts for voter in range(len(patterns.labels))])
    n_voting = int((n_votes > 0).sum())
    if n_voting < 3:
        found.append(f"{n_voting} voters: with fewer than three nothing tells a voter's errors from the truth")
    if not state.converged:
        found.append(f"not converged after {state.n_iterations} iterations")
    mean = np.average(state.confusion, axis=0, weights=n_votes)
    for label, row in enumerate(mean):
        if state.prior[label] * counts.sum() < 1:
            found.append(f"degenerate: no item is left for label {label}")
        elif row.argmax() != label:
            found.append(f"label switching: where label {label} is held true, most votes are for label {row.argmax()}")
    if len(state.prior) > 1 and state.prior.max() * counts.sum() > counts.sum() - 1:
        found.append(f"degenerate: every item is held to be label {state.prior.argmax()}")
    leader = find_leading_voter(patterns.labels, counts, state.posterior)
    if leader is not None:
        found.append(f"stands on one voter: the likeliest label is always that of voter {leader}")
    return found
