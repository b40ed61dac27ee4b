"""One vote per judge and subject: samples of one order combine first, then the orders."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.tally import mean_of, tally
from venire.coding.votes import CodedDraws, CodedVotes, ShownOrder
from venire.domain.design import Orders
from venire.domain.rubric import BOTH_BAD, TIE, IntervalScale

SAMPLES_TIED = "samples tied"
ORDERS_DISAGREE = "orders disagree"
NOT_ASKED = "not_asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OneOrder:
    """A judge's vote as one order gave it: both of shape (n_judges, n_subjects)."""

    codes: NDArray[np.float64]
    missing: NDArray[np.int16]


def combine_draws(draws: CodedDraws, orders: Orders, flip: Literal["tie", "undecided"]) -> CodedVotes:
    """Make each judge's draws on a subject one vote.

    Samples of one order: the label that most of those read agree on; an exact tie is missing, "samples tied".
    Numbers: their mean. A sample that was not read is left out (samples are there to spare); where none was read,
    the reason of the first one asked stands.

    Orders: where both are wanted, a vote needs both: one alone would bring back the position bias that the second
    was paid to remove. If one is missing, so is the vote, for that reason (AB's before BA's). If they differ, the
    vote is a tie (flip "tie", on a scale that has ties) or missing, "orders disagree". A reply of "both bad" that
    the other order does not share is missing too: both bad never becomes a tie. Numbers: the mean of the orders.

    Args:
        draws: of all judges, for one criterion.
        orders: those that the design asks for; draws in another order are passed over.
    """
    wanted: tuple[ShownOrder, ...] = ("AB", "BA") if orders == "both" else (orders,)
    reasons = tuple(sorted({*draws.reasons, SAMPLES_TIED, ORDERS_DISAGREE, NOT_ASKED}))
    ways = [_combine_samples(draws, order, reasons) for order in wanted]
    vote = ways[0] if len(ways) == 1 else _combine_orders(ways[0], ways[1], draws, flip, reasons)
    return CodedVotes(
        scale=draws.scale,
        labels=draws.labels,
        raters=draws.raters,
        subjects=draws.subjects,
        codes=vote.codes,
        missing=vote.missing,
        reasons=reasons,
    )


def _combine_samples(draws: CodedDraws, order: ShownOrder, reasons: tuple[str, ...]) -> _OneOrder:
    not_asked = 1 + reasons.index(NOT_ASKED)
    numbers = np.array([0, *(1 + reasons.index(reason) for reason in draws.reasons)], dtype=np.int16)
    samples = [place for place, draw in enumerate(draws.draws) if draw.order == order]
    shape = (len(draws.raters), len(draws.subjects))
    if not samples:
        return _OneOrder(codes=np.zeros(shape), missing=np.full(shape, not_asked, dtype=np.int16))
    missing = numbers[draws.missing[:, :, samples]]
    if len(samples) == 1:
        return _OneOrder(codes=draws.codes[:, :, samples[0]], missing=missing[:, :, 0])
    # Every sample is a voter, every (judge, subject) a subject of its own.
    codes = draws.codes[:, :, samples].reshape(-1, len(samples)).T
    missing = missing.reshape(-1, len(samples)).T
    first = np.argmax(missing != not_asked, axis=0)
    why = np.take_along_axis(missing, first[None, :], axis=0)[0]
    present = missing == 0
    if isinstance(draws.scale, IntervalScale):
        combined = mean_of(codes, present)
    else:
        counted = tally(codes, present)
        combined = counted.leader
        why = np.where(counted.n_leaders > 1, 1 + reasons.index(SAMPLES_TIED), why)
        present &= counted.n_leaders == 1
    none_read = ~present.any(axis=0)
    return _OneOrder(codes=combined.reshape(shape), missing=np.where(none_read, why, 0).astype(np.int16).reshape(shape))


def _combine_orders(
    ab: _OneOrder, ba: _OneOrder, draws: CodedDraws, flip: Literal["tie", "undecided"], reasons: tuple[str, ...]
) -> _OneOrder:
    missing = np.where(ab.missing != 0, ab.missing, ba.missing)
    if isinstance(draws.scale, IntervalScale):
        return _OneOrder(codes=(ab.codes + ba.codes) / 2, missing=missing)
    differs = (ab.codes != ba.codes) & (missing == 0)
    becomes_tie = np.zeros_like(differs)
    codes = ab.codes
    if flip == "tie" and TIE in draws.labels:
        becomes_tie = differs
        if BOTH_BAD in draws.labels:
            both_bad = draws.labels.index(BOTH_BAD)
            becomes_tie = differs & (ab.codes != both_bad) & (ba.codes != both_bad)
        codes = np.where(becomes_tie, float(draws.labels.index(TIE)), ab.codes)
    missing = np.where(differs & ~becomes_tie, 1 + reasons.index(ORDERS_DISAGREE), missing)
    return _OneOrder(codes=codes, missing=missing.astype(np.int16))
