"""Rates: how long the next request must wait so that a limit by the minute, declared or learned, is kept. Pure."""

import math
from collections import deque
from dataclasses import dataclass

from venire.domain.call import Request, Usage
from venire.domain.headroom import Allowance

WINDOW_S = 60.0
CHARACTERS_PER_TOKEN = 4
"""OpenAI counts a request against its limit before answering it, by a quarter of its characters and max_tokens:
https://platform.openai.com/docs/guides/rate-limits ("How do these rate limits work?")."""


def estimate_tokens(request: Request, n_draws: int) -> int:
    """What a request will probably be counted as, before anything is known about its answer."""
    n_characters = sum(len(message.content) for message in request.messages) + len(request.format.schema)
    return n_characters // CHARACTERS_PER_TOKEN + request.max_tokens * n_draws


def tokens_of(usage: Usage) -> int | None:
    """What a request was really counted as; None where the provider does not say."""
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    return usage.input_tokens + usage.output_tokens


@dataclass(slots=True, kw_only=True)
class Spent:
    """What one request took of a limit, and when; the amount may be corrected."""

    at: float
    amount: int


class MinuteWindow:
    """A declared limit: in no stretch of 60 seconds is more than this taken.

    A log of the last minute and no leaky bucket: a bucket that allows a burst of the limit allows nearly twice the
    limit in its first minute, and one that allows none makes a short run slow for nothing.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._log: deque[Spent] = deque()
        self._sum = 0

    def wait_s(self, amount: int, now: float) -> float:
        """Seconds until so much may be taken; more than the whole limit fits into an empty minute alone."""
        self._forget(now)
        over = self._sum + min(amount, self._limit) - self._limit
        if over <= 0:
            return 0.0
        for spent in self._log:
            over -= spent.amount
            if over <= 0:
                return spent.at + WINDOW_S - now
        return 0.0

    def take(self, amount: int, now: float) -> Spent:
        """Take so much."""
        spent = Spent(at=now, amount=amount)
        self._log.append(spent)
        self._sum += amount
        return spent

    def correct(self, spent: Spent, amount: int) -> None:
        """Put what was really counted in the place of an estimate; without effect when its minute is over."""
        if self._log and spent.at >= self._log[0].at:
            self._sum += amount - spent.amount
            spent.amount = amount

    def _forget(self, now: float) -> None:
        while self._log and self._log[0].at + WINDOW_S <= now:
            self._sum -= self._log.popleft().amount


class LearnedLimit:
    """A limit that is known only from what a provider says is left of it.

    It fills up at an even pace, whatever it is counted by: (limit - left) / reset is the pace at which OpenAI and
    Anthropic say that they refill. Where that much is not told, what is left is used up and then the reset awaited.
    """

    def __init__(self, longest_wait_s: float) -> None:
        """Set up; a limit that would make a request wait longer is mistrusted, and the request is sent."""
        self._longest_wait_s = longest_wait_s
        self._left = math.inf
        self._limit = math.inf
        self._pace = 0.0
        self._at = 0.0
        self._reset_at = -math.inf
        self._blocked_since = math.inf

    def learn(self, told: Allowance, n_under_way: int, now: float) -> None:
        """Take what an answer told; what is under way meanwhile was perhaps not yet counted."""
        self._left = float(told.left - n_under_way)
        self._limit = math.inf if told.limit is None else float(told.limit)
        self._at = now
        self._reset_at = now if told.reset_s is None else now + told.reset_s
        used = 0 if told.limit is None else told.limit - told.left
        self._pace = used / told.reset_s if told.reset_s and used > 0 else 0.0

    def wait_s(self, amount: int, now: float) -> float:
        """Seconds until so much is likely to be left."""
        missing = min(float(amount), self._limit) - self._level(now)
        if missing <= 0 or now - self._blocked_since >= self._longest_wait_s:
            return 0.0
        self._blocked_since = min(self._blocked_since, now)
        wait_s = missing / self._pace if self._pace else self._reset_at - now
        return max(0.0, min(wait_s, self._blocked_since + self._longest_wait_s - now))

    def take(self, amount: int, now: float) -> None:
        """Take so much."""
        self._left = self._level(now) - amount
        self._at = now
        self._blocked_since = math.inf

    def _level(self, now: float) -> float:
        if not self._pace and now >= self._reset_at:
            return math.inf
        return min(self._limit, self._left + self._pace * (now - self._at))
