"""Conditional logit: which of several alternatives is the best, from signals of each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.errors import UndefinedStatistic
from venire.stats.newton import Local, minimise
from venire.stats.standardised_signals import checked_signals

PENALTY = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionalLogitFit:
    """Weights that turn the signals of alternatives into the chance of each to be the best."""

    weights: NDArray[np.float64]
    """Shape (n_columns,): on the signals, then on the flags of missing ones, each divided by its deviation."""
    deviations: NDArray[np.float64]
    """Shape (n_columns,): how far a column lies from its item's mean; 0 where it never differs, and is left out."""
    flagged: NDArray[np.intp]
    """The signals that were missing for some alternatives: each has a second column, 1 where it is missing."""
    log_likelihood: float
    """Without the penalty."""
    n: int
    n_iterations: int
    converged: bool


def conditional_logit(
    signals: NDArray[np.float64],
    present: NDArray[np.bool_],
    is_offered: NDArray[np.bool_],
    chosen: NDArray[np.number],
    *,
    penalty: float = PENALTY,
) -> ConditionalLogitFit:
    """Fit P(alternative a of item i is the best) ∝ exp(β · signals of a), with a ridge on β.

    Use it to combine the scores of many voters where one of n responses is the best: only differences within an item
    count, so a voter's severity does not, nor does it matter where an alternative stands. A signal is scaled by its
    deviation from its item's mean; a missing one is filled with the mean of the item's other alternatives (it neither
    helps nor harms) and flagged by a column of its own.

    Args:
        signals: shape (n_items, n_alternatives, n_signals), read only where `present`.
        present: the same shape.
        is_offered: shape (n_items, n_alternatives): False where an item has fewer alternatives.
        chosen: shape (n_items,): the number of the best one.
        penalty: above 0; without it the weights of signals that always point to the best grow for ever.

    Returns:
        The fit, for `choice_probabilities`.

    Raises:
        UndefinedStatistic: no item offers two alternatives, so there is nothing to learn.
        ValueError: shapes differ, a present signal is not finite, or the best one is not on offer.

    References:
        McFadden (1974), Conditional logit analysis of qualitative choice behavior, in Zarembka (ed.), Frontiers in
        econometrics, pages 105–142.

    The best of two alternatives has the higher signal in both items, so it is the likelier one:

    >>> scores = np.array([[[1.0], [3.0]], [[9.0], [7.0]]])
    >>> offered = np.ones((2, 2), dtype=bool)
    >>> fit = conditional_logit(scores, np.ones(scores.shape, dtype=bool), offered, np.array([1, 0]))
    >>> choice_probabilities(fit, scores, np.ones(scores.shape, dtype=bool), offered).argmax(axis=1).tolist()
    [1, 0]
    """
    best = _checked(signals, is_offered, chosen)
    if not penalty > 0:
        raise ValueError(f"penalty is {penalty!r}; a number above 0 was expected")
    seen = present & is_offered[:, :, None]
    flagged = np.flatnonzero((seen != is_offered[:, :, None]).any(axis=(0, 1)) & seen.any(axis=(0, 1)))
    columns = _columns(signals, seen, is_offered, flagged)
    n_offered = is_offered.sum()
    deviations = np.sqrt(np.square(columns).sum(axis=(0, 1)) / n_offered)
    size = np.abs(np.where(seen, signals, 0.0)).max(axis=(0, 1))
    size = np.concatenate([size, np.ones(len(flagged))])
    deviations[deviations <= 1e-12 * size] = 0.0  # what rounding leaves of equal values is no signal
    scaled = columns / np.where(deviations > 0, deviations, np.inf)
    found = minimise(lambda w: _loss(w, scaled, is_offered, best, penalty), np.zeros(len(deviations)), len(best))
    return ConditionalLogitFit(
        weights=found.point,
        deviations=deviations,
        flagged=flagged,
        log_likelihood=0.5 * penalty * float(np.square(found.point).sum()) - found.value,
        n=len(best),
        n_iterations=found.n_iterations,
        converged=found.converged,
    )


def choice_probabilities(
    fit: ConditionalLogitFit,
    signals: NDArray[np.float64],
    present: NDArray[np.bool_],
    is_offered: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """The chance of each alternative to be the best: shape (n_items, n_alternatives), 0 where none is offered.

    Raises:
        ValueError: the signals are not as many as were learned, shapes differ, or an item offers nothing.
    """
    if signals.shape[-1] != len(fit.weights) - len(fit.flagged):
        raise ValueError(f"{signals.shape[-1]} signals; {len(fit.weights) - len(fit.flagged)} were learned")
    if not bool(is_offered.any(axis=1).all()):
        raise ValueError(f"item {int((~is_offered.any(axis=1)).argmax())} offers no alternative; leave it out")
    columns = _columns(signals, present & is_offered[:, :, None], is_offered, fit.flagged)
    scaled = columns / np.where(fit.deviations > 0, fit.deviations, np.inf)
    return np.exp(_log_chances(scaled @ fit.weights, is_offered))


def _checked(
    signals: NDArray[np.float64], is_offered: NDArray[np.bool_], chosen: NDArray[np.number]
) -> NDArray[np.intp]:
    if signals.ndim != 3 or is_offered.shape != signals.shape[:2] or chosen.shape != signals.shape[:1]:
        raise ValueError(
            f"signals, is_offered and chosen have shapes {signals.shape!r}, {is_offered.shape!r}, {chosen.shape!r}; "
            "(n_items, n_alternatives, n_signals) and its beginnings were expected"
        )
    if not bool((is_offered.sum(axis=1) >= 2).any()):
        raise UndefinedStatistic(f"conditional logit: none of {len(signals)} items offers two alternatives")
    best = chosen.astype(np.intp)
    in_range = (best == chosen) & (best >= 0) & (best < signals.shape[1])
    is_there = in_range & is_offered[np.arange(len(best)), np.where(in_range, best, 0)]
    if not bool(is_there.all()):
        item = int((~is_there).argmax())
        raise ValueError(f"item {item}: the best alternative is {chosen[item]!r}, which is not on offer")
    return best


def _columns(
    signals: NDArray[np.float64], seen: NDArray[np.bool_], is_offered: NDArray[np.bool_], flagged: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Signals and flags as differences from their item's mean; 0 where missing or not offered."""
    values = checked_signals(signals, seen)
    means = values.sum(axis=1, keepdims=True) / np.maximum(seen.sum(axis=1, keepdims=True), 1)
    centred = np.where(seen, values - means, 0.0)
    offered = is_offered[:, :, None]
    missing = (offered & ~seen)[:, :, flagged].astype(np.float64)
    share = missing.sum(axis=1, keepdims=True) / np.maximum(offered.sum(axis=1, keepdims=True), 1)
    return np.concatenate([centred, np.where(offered, missing - share, 0.0)], axis=2)


def _loss(
    weights: NDArray[np.float64],
    columns: NDArray[np.float64],
    is_offered: NDArray[np.bool_],
    best: NDArray[np.intp],
    ridge: float,
) -> Local:
    """The penalised negative log likelihood."""
    items = np.arange(len(best))
    logs = _log_chances(columns @ weights, is_offered)
    chances = np.exp(logs)
    expected = np.einsum("ia,iac->ic", chances, columns)
    flat = columns.reshape(-1, columns.shape[2])
    curvature = (flat.T * chances.reshape(-1)) @ flat - expected.T @ expected
    return Local(
        value=float(-logs[items, best].sum() + 0.5 * ridge * (weights**2).sum()),
        gradient=(expected - columns[items, best]).sum(axis=0) + ridge * weights,
        hessian=curvature + ridge * np.eye(len(weights)),
    )


def _log_chances(scores: NDArray[np.float64], is_offered: NDArray[np.bool_]) -> NDArray[np.float64]:
    open_scores = np.where(is_offered, scores, -np.inf)
    shifted = open_scores - open_scores.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)), dtype=np.float64)
