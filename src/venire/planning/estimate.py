"""Estimates: how many calls and tokens a plan needs and what it costs, before a cent is spent."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from venire.domain.bound import input_tokens_at_most
from venire.domain.call import Call
from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import CallId, JudgeId, RequestId
from venire.domain.panel import MATERIAL_PROVIDERS, Judge
from venire.domain.price import Price
from venire.planning.past import Past
from venire.planning.reasks import NOTE_BYTES, most_tokens_again
from venire.planning.tokens import Amount, TextLength, assume_input, assume_output, measure_request

CHUNK = 500
"""Calls looked up at once: the plan is never held whole."""

FindAnswered = Callable[[Sequence[CallId]], Collection[CallId]]
"""Those of the calls whose answer is stored already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeEstimate:
    """What one judge will be asked."""

    judge_id: JudgeId
    n_calls: int
    n_answered: int
    """Calls whose answer is stored already: they cost nothing."""
    input_tokens: Amount
    """Of the calls still to be sent; input shared by several draws of one request counted once, but for the most."""
    output_tokens: Amount
    usd: Amount | Undefined
    basis: str
    """What the token counts rest on."""

    @property
    def n_left(self) -> int:
        """Calls still to be sent."""
        return self.n_calls - self.n_answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What the whole plan will take."""

    judges: tuple[JudgeEstimate, ...]
    reask: int
    """How often a ballot may be asked for again; the most that it costs counts all of them."""

    @property
    def usd(self) -> Amount:
        """The sum over the judges whose price is known."""
        return sum((judge.usd for judge in self.judges if isinstance(judge.usd, Amount)), Amount())

    @property
    def unpriced(self) -> tuple[JudgeEstimate, ...]:
        """The judges that are still to be asked at a price that is not known."""
        return tuple(judge for judge in self.judges if isinstance(judge.usd, Undefined))

    @property
    def n_unpriced(self) -> int:
        """Their calls."""
        return sum(judge.n_left for judge in self.unpriced)

    @property
    def unpriced_tokens(self) -> int:
        """And the tokens that these are expected to take."""
        return round(sum(judge.input_tokens.expected + judge.output_tokens.expected for judge in self.unpriced))


def nothing_answered(_: Sequence[CallId]) -> Collection[CallId]:
    """There is no store."""
    return ()


def estimate_plan(
    calls: Iterable[Call],
    design: Design,
    prices: Mapping[JudgeId, Price | Undefined],
    *,
    find_answered: FindAnswered = nothing_answered,
    past: Mapping[JudgeId, Past] | None = None,
) -> Estimate:
    """Sum up a plan: calls and tokens, what they will cost at these prices, and the most that they can.

    Args:
        calls: the plan; ballots that are to be asked for again may stand in it too.
        design: under which they were planned.
        prices: of every judge.
        find_answered: which calls are stored.
        past: what earlier calls of a judge took; without it, stated assumptions hold.
    """
    sums = {judge.id: _Sum(judge, design) for judge in design.judges}
    plan = iter(calls)
    while chunk := list(islice(plan, CHUNK)):
        answered = set(find_answered([call.id for call in chunk]))
        for call in chunk:
            sums[call.judge_id].add(call, is_answered=call.id in answered)
    known = past or {}
    return Estimate(
        judges=tuple(sums[judge.id].estimate(prices[judge.id], known.get(judge.id)) for judge in design.judges),
        reask=design.policy.reask,
    )


class _Sum:
    """What has been counted for one judge."""

    def __init__(self, judge: Judge, design: Design) -> None:
        self._judge = judge
        self._design = design
        self._is_silent = judge.provider in MATERIAL_PROVIDERS
        self._n_calls = self._n_answered = 0
        self._sent = TextLength()
        self._guessed = Amount()
        self._limit = 0
        """Tokens that the first replies can have."""
        self._most_input = self._most_output = self._longest = 0
        self._last_sent: tuple[RequestId, int] | None = None
        """The request whose input was counted last, and which of its exchanges: draws of one exchange share it."""

    def add(self, call: Call, *, is_answered: bool) -> None:
        """Count one call."""
        self._n_calls += 1
        self._n_answered += is_answered
        if is_answered or self._is_silent:
            return
        request = call.request
        exchange = (request.id, call.sample // self._judge.samples_per_request)
        if exchange != self._last_sent:
            self._last_sent = exchange
            self._sent += measure_request(request)
        self._limit += request.max_tokens
        self._guessed += assume_output(self._judge, self._design, request.max_tokens)
        self._add_most(call)

    def _add_most(self, call: Call) -> None:
        # An endpoint may answer one draw of a request at a time, and a ballot is asked for again alone: the most
        # counts the input for each draw.
        again = self._design.policy.reask - call.attempt
        largest = input_tokens_at_most(call.request) + (NOTE_BYTES if again > 0 else 0)
        self._longest = max(self._longest, largest)
        self._most_input += largest * (1 + max(again, 0))
        ballot = self._design.ballot_of(self._judge)
        self._most_output += call.request.max_tokens + most_tokens_again(ballot.max_tokens, call.attempt, again)

    def estimate(self, price: Price | Undefined, past: Past | None) -> JudgeEstimate:
        """The sums so far."""
        n_left = self._n_calls - self._n_answered
        read = replace(_input(self._sent, past), at_most=float(self._most_input))
        if past is None:
            written, basis = self._guessed, "no earlier calls: token counts are assumed"
        else:
            written = past.output_tokens.times(n_left).capped(self._limit)
            basis = f"token counts as in {past.n:,} earlier requests"
        written = replace(written, at_most=float(self._most_output))
        if self._is_silent or not n_left:
            basis = "no tokens" if self._is_silent else "nothing is left to ask"
            read = written = Amount()
        return JudgeEstimate(
            judge_id=self._judge.id,
            n_calls=self._n_calls,
            n_answered=self._n_answered,
            input_tokens=read,
            output_tokens=written,
            usd=self._usd(read, written, price) if n_left else Amount(),
            basis=basis,
        )

    def _usd(self, read: Amount, written: Amount, price: Price | Undefined) -> Amount | Undefined:
        if isinstance(price, Undefined):
            return price
        if price.holds_to is not None and self._longest > price.holds_to:
            return Undefined(
                f"requests may have up to {self._longest:,} tokens and the price holds to {price.holds_to:,} "
                f"({price.source})"
            )
        usd = read.times(price.input_usd / 1e6) + written.times(price.output_usd / 1e6)
        dearest = read.at_most * price.dearest_input_rate / 1e6 + written.at_most * price.output_usd / 1e6
        return replace(usd, at_most=dearest)


def _input(length: TextLength, past: Past | None) -> Amount:
    assumed = assume_input(length)
    return assumed if past is None else past.input_ratio.times(assumed.expected)
