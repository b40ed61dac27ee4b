"""Penalised logistic regression: label probabilities from several signals, with a ridge on their weights."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic
from venire.stats.newton import Local, minimise
from venire.stats.standardised_signals import Standardisation, learn_standardisation, standardise

PENALTY = 1.0
"""Half a squared weight costs as much as one nat of likelihood: scikit-learn's default C = 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogisticFit:
    """Weights that turn signals into label probabilities."""

    weights: NDArray[np.float64]
    """Shape (n_scores, n_columns), on standardised signals, then on the flags of missing ones. One row with two labels
    (for label 1 against 0), else one for each label."""
    intercepts: NDArray[np.float64]
    """Shape (n_scores,); with more than two labels they sum to 0."""
    standardisation: Standardisation
    n_labels: int
    log_likelihood: float
    """Without the penalty."""
    n: int
    n_iterations: int
    converged: bool


def penalised_logistic(
    signals: NDArray[np.float64],
    present: NDArray[np.bool_],
    labels: NDArray[np.number],
    n_labels: int,
    *,
    penalty: float = PENALTY,
) -> LogisticFit:
    """Fit label probabilities to signals: minimise −log likelihood + ½ penalty · Σ weights².

    Use it to combine what many voters say, scores and votes alike, where some items have a true label: a voter below
    chance carries signal too. Predict items that it did not learn from (`cross_fit`). Signals are standardised inside;
    a missing one is filled with its mean and flagged by a column of its own; intercepts are free. With two labels it is
    the binary model, with more the multinomial one with a row of weights for each label.

    Args:
        signals: shape (n_items, n_signals), read only where `present`.
        present: the same shape.
        labels: shape (n_items,), the true labels.
        n_labels: at least 2.
        penalty: above 0; without it the weights of labels that signals separate grow for ever.

    Returns:
        The fit, for `logistic_probabilities`.

    Raises:
        UndefinedStatistic: a label does not occur, so that its intercept is −∞.
        ValueError: shapes differ, a present signal is not finite, a label is no label, or the penalty is not above 0.

    References:
        Cox (1958), The regression analysis of binary sequences, doi:10.1111/j.2517-6161.1958.tb00292.x.
        Le Cessie and van Houwelingen (1992), Ridge estimators in logistic regression, doi:10.2307/2347628.

    Two items of three say "yes", and the signal says nothing, so the intercept alone speaks:

    >>> silent = np.zeros((3, 1))
    >>> fit = penalised_logistic(silent, np.ones((3, 1), dtype=bool), np.array([0, 1, 1]), n_labels=2)
    >>> logistic_probabilities(fit, silent, np.ones((3, 1), dtype=bool))[0].round(4).tolist()
    [0.3333, 0.6667]
    """
    truth = _checked(signals, labels, n_labels)
    if not penalty > 0:
        raise ValueError(f"penalty is {penalty!r}; a number above 0 was expected")
    learnt = learn_standardisation(signals, present)
    design = _with_ones(standardise(learnt, signals, present))
    if n_labels == 2:
        found = minimise(lambda w: _binary(w, design, truth, penalty), np.zeros(design.shape[1]), len(truth))
    else:
        start = np.zeros(n_labels * design.shape[1])
        found = minimise(lambda w: _multinomial(w, design, truth, n_labels, penalty), start, len(truth))
    table = found.point.reshape(-1, design.shape[1])
    return LogisticFit(
        weights=table[:, 1:],
        intercepts=table[:, 0],
        standardisation=learnt,
        n_labels=n_labels,
        log_likelihood=0.5 * penalty * float(np.square(table[:, 1:]).sum()) - found.value,
        n=len(truth),
        n_iterations=found.n_iterations,
        converged=found.converged,
    )


def logistic_probabilities(
    fit: LogisticFit, signals: NDArray[np.float64], present: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The probability of each label: shape (n_items, n_labels)."""
    scores = standardise(fit.standardisation, signals, present) @ fit.weights.T + fit.intercepts
    if fit.n_labels == 2:
        scores = np.concatenate([np.zeros_like(scores), scores], axis=1)
    return np.exp(_log_softmax(scores))


def _checked(signals: NDArray[np.float64], labels: NDArray[np.number], n_labels: int) -> NDArray[np.intp]:
    if n_labels < 2:
        raise ValueError(f"n_labels is {n_labels!r}; a choice has at least two")
    if labels.shape != signals.shape[:1]:
        raise ValueError(f"signals and labels have shapes {signals.shape!r} and {labels.shape!r}")
    if not bool(((labels >= 0) & (labels < n_labels) & (labels == np.floor(labels))).all()):
        raise ValueError(f"a true label is not one of 0 … {n_labels - 1}; leave unlabelled items out")
    truth = labels.astype(np.intp)
    counts = np.bincount(truth, minlength=n_labels)
    if bool((counts == 0).any()):
        absent = int(counts.argmin())
        raise UndefinedStatistic(
            f"logistic regression: label {absent} is the true one of none of {len(truth)} items to learn from; "
            "label more items, or merge labels"
        )
    return truth


def _binary(weights: NDArray[np.float64], design: NDArray[np.float64], truth: NDArray[np.intp], ridge: float) -> Local:
    """Penalised loss of the binary model; the first column of the design is the intercept's."""
    scores = design @ weights
    costs = np.full(len(weights), ridge)
    costs[0] = 0.0
    chance = np.exp(-np.logaddexp(0.0, -scores))
    # −log p(true): log(1 + e^s) where the label is 0, log(1 + e^−s) where it is 1.
    loss = np.logaddexp(0.0, np.where(truth == 1, -scores, scores)).sum()
    return Local(
        value=float(loss + 0.5 * (costs * weights**2).sum()),
        gradient=design.T @ (chance - truth) + costs * weights,
        hessian=(design.T * (chance * (1.0 - chance))) @ design + np.diag(costs),
    )


def _multinomial(
    weights: NDArray[np.float64], design: NDArray[np.float64], truth: NDArray[np.intp], n_labels: int, ridge: float
) -> Local:
    """Penalised loss of the multinomial model.

    Adding one number to all intercepts changes no probability; half the square of their sum is added to the loss, so
    that the minimum is the one where they sum to 0.
    """
    n_columns = design.shape[1]
    table = weights.reshape(n_labels, n_columns)
    logs = _log_softmax(design @ table.T)
    chances = np.exp(logs)
    costs = np.full(table.shape, ridge)
    costs[:, 0] = 0.0
    surplus = chances.copy()
    surplus[np.arange(len(truth)), truth] -= 1.0
    gradient = surplus.T @ design + costs * table
    gradient[:, 0] += table[:, 0].sum()
    hessian = np.zeros((n_labels, n_columns, n_labels, n_columns))
    for one in range(n_labels):
        for other in range(one + 1):
            curve = chances[:, one] * ((one == other) - chances[:, other])
            block = (design.T * curve) @ design
            hessian[one, :, other] = block
            hessian[other, :, one] = block
    hessian[:, 0, :, 0] += 1.0
    flat = hessian.reshape(weights.size, weights.size) + np.diag(costs.reshape(-1))
    value = -logs[np.arange(len(truth)), truth].sum() + 0.5 * (costs * table**2).sum() + 0.5 * table[:, 0].sum() ** 2
    return Local(value=float(value), gradient=gradient.reshape(-1), hessian=flat)


def _log_softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    shifted = scores - scores.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)), dtype=np.float64)


def _with_ones(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate([np.ones((len(columns), 1)), columns], axis=1)
