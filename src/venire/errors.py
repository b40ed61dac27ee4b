"""The whole error tree of venire.

    VenireError
    ├── UsageError                 somebody's mistake: nothing was asked, the command exits with 2
    │   ├── DesignError            the design contradicts itself or cannot be carried out
    │   ├── DataError              rows of an input file are bad; carries every Problem found
    │   ├── JudgeUnavailable       a judge cannot be asked at all: key, model, address, missing extra
    │   └── RunFolderError         the run folder cannot be read, written or locked
    ├── ProviderError              one request to one judge failed; a fact that calling records
    └── UndefinedStatistic         a statistic has no value for these data, with the reason

Mistakes are raised; facts about judges (a refusal, a time-out, an unreadable ballot) are recorded.
A message says what happened with the value, what was expected, and what to do.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # errors carry it as it is; nothing here looks into it
    from venire.domain.headroom import RateHeadroom

__all__ = [
    "DataError",
    "DesignError",
    "ErrorKind",
    "JudgeUnavailable",
    "Problem",
    "ProviderError",
    "RunFolderError",
    "UndefinedStatistic",
    "UsageError",
    "VenireError",
]


class VenireError(Exception):
    """Base of every error that venire raises on purpose."""


class UsageError(VenireError):
    """A mistake that the caller can mend: the command exits with 2."""


class DesignError(UsageError):
    """The design contradicts itself or cannot be carried out. `at` is the path of the field to blame, if known."""

    def __init__(self, message: str, at: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.at = at


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong with one row of an input file."""

    file: str
    line: int
    """Physical line number, from 1; 0 where the file as a whole is meant."""
    id: str | None
    """The id of the row, where it could be read."""
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        who = f" (id {self.id!r})" if self.id is not None else ""
        return f"{place}{who}: {self.message}"


class DataError(UsageError):
    """Rows of an input file are bad. `problems` holds every one of them, in file order."""

    SHOWN = 20

    def __init__(self, problems: tuple[Problem, ...], advice: str = "") -> None:
        self.problems = problems
        lines = [str(problem) for problem in problems[: self.SHOWN]]
        if len(problems) > self.SHOWN:
            lines.append(f"… and {len(problems) - self.SHOWN} more problems")
        super().__init__("\n".join([*lines, *([advice] if advice else [])]))


class JudgeUnavailable(UsageError):
    """A judge cannot be asked at all: no key, unknown model, wrong address, missing extra."""


class RunFolderError(UsageError):
    """The run folder cannot be read, written or locked."""


ErrorKind = Literal[
    "auth",  # 401, 403: the key is missing or refused
    "not_found",  # 404: unknown model or wrong path
    "bad_request",  # other 4xx: the request itself is not accepted
    "unsupported",  # 400: it does not take something that the design asks for
    "adapted",  # 400: it did not take how the request was written; it is written otherwise from here on
    "quota",  # the account has no credit left
    "rate_limit",  # 429
    "server",  # 5xx, 529
    "connection",  # refused, reset, no such host
    "timeout",  # no whole answer within the call's deadline
    "no_choices",  # a success status without an answer in it
    "bad_reply",  # a success status whose body is not the API's
    "not_recorded",  # a recording holds no answer to this call
]


class ProviderError(VenireError):
    """One request to one judge failed; calling retries it or records it as a failure of that call."""

    RETRYABLE: frozenset[ErrorKind] = frozenset(
        {"rate_limit", "server", "connection", "timeout", "no_choices", "bad_reply", "adapted"}
    )
    UNAVAILABLE: frozenset[ErrorKind] = frozenset(
        {"auth", "not_found", "bad_request", "unsupported", "quota", "connection"}
    )
    UNBILLED: frozenset[ErrorKind] = frozenset(
        {"auth", "not_found", "bad_request", "unsupported", "adapted", "quota", "rate_limit", "server"}
    )
    """An error status instead of an answer: nothing was generated. A time-out or a cut connection may be billed."""

    def __init__(
        self,
        kind: ErrorKind,
        message: str,
        *,
        status: int | None = None,
        retry_after_s: float | None = None,
        headroom: "RateHeadroom | None" = None,
        raw: str = "",
    ) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind
        self.status = status
        self.retry_after_s = retry_after_s
        self.headroom = headroom
        self.raw = raw

    @property
    def is_retryable(self) -> bool:
        """Whether the same request may succeed when it is sent again."""
        return self.kind in self.RETRYABLE

    @property
    def tells_of_the_judge(self) -> bool:
        """Whether every further call to this judge would fail the same way, if none has worked yet."""
        return self.kind in self.UNAVAILABLE


class UndefinedStatistic(VenireError):
    """A statistic has no value for these data; the message is the reason, in plain words."""
