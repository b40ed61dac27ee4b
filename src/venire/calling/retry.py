"""Retries: which failures are tried again, and how long to wait before."""

from dataclasses import dataclass

from venire.domain.identity import seeded_index
from venire.errors import ProviderError


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and how patiently one request is tried."""

    n_tries: int = 6
    """The first one included."""
    first_wait_s: float = 0.5
    longest_wait_s: float = 30.0
    longest_server_wait_s: float = 120.0
    """A server that asks for more is not waited for: the call fails and says so."""


def wait_before_retry(error: ProviderError, n_tries: int, policy: RetryPolicy, key: str) -> float | None:
    """Seconds to wait before the next try, or None when the call is given up.

    Doubles from `first_wait_s`, with up to a quarter more by a hash of the key (so that calls which failed
    together do not return together, and a run is the same every time); never less than the server asked for.
    """
    if not error.is_retryable or n_tries >= policy.n_tries:
        return None
    jitter = 1.0 + seeded_index(1000, "retry", key, n_tries) / 4000
    if error.retry_after_s is not None:
        return None if error.retry_after_s > policy.longest_server_wait_s else error.retry_after_s * jitter
    return min(policy.first_wait_s * 2.0 ** (n_tries - 1), policy.longest_wait_s) * jitter
