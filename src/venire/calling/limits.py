"""Limits of one key: requests and tokens by the minute, as declared, and by model as its provider tells them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from venire.calling.exchange import RoundTrip
from venire.calling.rates import LearnedLimit, MinuteWindow, Spent, estimate_tokens, tokens_of
from venire.calling.retry import RetryPolicy
from venire.domain.call import Call
from venire.domain.headroom import RateHeadroom
from venire.domain.panel import Judge
from venire.errors import ProviderError


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """What a request was let in with."""

    model: str | None
    epoch: int
    """Of the width, when it was let in."""
    n_tokens: int
    """As estimated; 0 where no limit counts tokens."""
    spent: Spent | None
    """Its tokens in the declared limit."""


@dataclass(slots=True, kw_only=True)
class _Model:
    """What is known of one model's limits: providers count each model by itself."""

    requests: LearnedLimit
    tokens: LearnedLimit
    n_under_way: int = 0
    n_tokens_under_way: int = 0
    is_limited: bool = False
    """Whether its provider ever told anything."""


class KeyLimits:
    """The limits of a key; of several judges that declare one, the lowest holds, as it is the key's."""

    def __init__(self, judges: Sequence[Judge], policy: RetryPolicy) -> None:
        self._policy = policy
        self._requests = _window(judge.requests_per_minute for judge in judges)
        self._tokens = _window(judge.tokens_per_minute for judge in judges)
        self._models: dict[str | None, _Model] = {}
        self._is_limited = self._requests is not None or self._tokens is not None

    def wait_s(self, calls: Sequence[Call]) -> float:
        """Seconds until a request for these draws may be sent."""
        return max(self.key_wait_s(calls), self.model_wait_s(calls)) if self._is_limited else 0.0

    def key_wait_s(self, calls: Sequence[Call]) -> float:
        """Seconds until the declared limits have room for it."""
        if self._requests is None and self._tokens is None:
            return 0.0
        now = self._policy.clock()
        requests_s = 0.0 if self._requests is None else self._requests.wait_s(1, now)
        if self._tokens is None:
            return requests_s
        return max(requests_s, self._tokens.wait_s(_estimate(calls), now))

    def model_wait_s(self, calls: Sequence[Call]) -> float:
        """Seconds until the limits that the provider told of its model have room for it."""
        model = self._models.get(calls[0].request.model)
        if model is None or not model.is_limited:
            return 0.0
        now = self._policy.clock()
        return max(model.requests.wait_s(1, now), model.tokens.wait_s(_estimate(calls), now))

    def take(self, calls: Sequence[Call], epoch: int) -> Pass:
        """Count a request that is sent now."""
        name = calls[0].request.model
        model = self._models.get(name)
        if model is None:
            longest_s = self._policy.longest_wait_s
            model = _Model(requests=LearnedLimit(longest_s), tokens=LearnedLimit(longest_s))
            self._models[name] = model
        model.n_under_way += 1
        if not self._is_limited:
            return Pass(model=name, epoch=epoch, n_tokens=0, spent=None)
        n_tokens, now = _estimate(calls), self._policy.clock()
        model.n_tokens_under_way += n_tokens
        model.requests.take(1, now)
        model.tokens.take(n_tokens, now)
        if self._requests is not None:
            self._requests.take(1, now)
        spent = None if self._tokens is None else self._tokens.take(n_tokens, now)
        return Pass(model=name, epoch=epoch, n_tokens=n_tokens, spent=spent)

    def settle(self, entry: Pass, trip: RoundTrip | None) -> None:
        """Correct what was estimated by what came, and learn what the provider told."""
        model = self._models[entry.model]
        model.n_under_way -= 1
        model.n_tokens_under_way -= entry.n_tokens
        if trip is None:
            return
        counted = tokens_of(trip.exchange.usage)
        if counted is None and trip.failure is not None and trip.failure.kind in ProviderError.UNBILLED:
            counted = 0
        if entry.spent is not None and self._tokens is not None and counted is not None:
            self._tokens.correct(entry.spent, counted)
        if trip.headroom is not None:
            self._learn(model, trip.headroom)

    def _learn(self, model: _Model, told: RateHeadroom) -> None:
        self._is_limited = model.is_limited = True
        now = self._policy.clock()
        if told.requests is not None:
            model.requests.learn(told.requests, model.n_under_way, now)
        if told.tokens is not None:
            model.tokens.learn(told.tokens, model.n_tokens_under_way, now)


def _estimate(calls: Sequence[Call]) -> int:
    return estimate_tokens(calls[0].request, len(calls))


def _window(declared: Iterable[int | None]) -> MinuteWindow | None:
    limits = [limit for limit in declared if limit is not None]
    return MinuteWindow(min(limits)) if limits else None
