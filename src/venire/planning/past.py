"""What earlier calls of the same judges took: the best guess of what the next ones will."""

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from venire.domain.call import Exchange
from venire.domain.design import Design
from venire.domain.identity import JudgeId
from venire.domain.panel import Judge
from venire.planning.tokens import Amount, assume_input, measure_request

FEWEST = 5
"""Answered requests from which on they are a better guess than an assumption."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """The earlier requests of one judge, of the same model and ballot."""

    n: int
    input_ratio: Amount
    """Input tokens, as a multiple of what their length alone would let expect: the 5th percentile, the mean and the
    95th percentile of the requests."""
    output_tokens: Amount
    """Of one reply, in the same way."""


def read_past(exchanges: Iterable[Exchange], design: Design) -> Mapping[JudgeId, Past]:
    """The past of each judge that has one; requests to another model or with another token limit are not of it."""
    notes = {judge.id: _Notes(judge, design) for judge in design.judges}
    for exchange in exchanges:
        if exchange.judge_id in notes:
            notes[exchange.judge_id].enter(exchange)
    pasts = {judge_id: one.past() for judge_id, one in notes.items()}
    return {judge_id: past for judge_id, past in pasts.items() if past is not None}


class _Notes:
    """The counts of one judge, eight bytes each."""

    def __init__(self, judge: Judge, design: Design) -> None:
        self._judge = judge
        self._max_tokens = design.ballot_of(judge).max_tokens
        self._ratios = array("d")
        self._written = array("d")

    def enter(self, exchange: Exchange) -> None:
        request, usage = exchange.request, exchange.usage
        is_same = (request.provider, request.model) == (self._judge.provider, self._judge.model)
        if not (is_same and request.max_tokens == self._max_tokens and exchange.completions):
            return
        by_length = assume_input(measure_request(request)).expected
        if usage.input_tokens and by_length:
            self._ratios.append(usage.input_tokens / by_length)
        if usage.output_tokens:
            self._written.append(usage.output_tokens / len(exchange.completions))

    def past(self) -> Past | None:
        n = min(len(self._ratios), len(self._written))
        if n < FEWEST:
            return None
        return Past(n=n, input_ratio=_spread(self._ratios), output_tokens=_spread(self._written))


def _spread(values: "array[float]") -> Amount:
    low, high = np.percentile(values, [5, 95])
    mean = float(np.mean(values))
    # A few very long replies can lift the mean above the 95th percentile.
    return Amount(low=min(float(low), mean), expected=mean, high=max(float(high), mean))
