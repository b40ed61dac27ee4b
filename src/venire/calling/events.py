"""Events: what happens while judges are asked, told through one hook; whoever listens decides what to show."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from venire.domain.call import Usage
from venire.domain.identity import JudgeId


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEvent:
    """One thing that happened to calls of one judge."""

    kind: Literal["reused", "answered", "failed", "retried"]
    """reused: found in the store; answered: paid for and stored; failed: given up; retried: will be sent again."""
    judge_id: JudgeId
    n_calls: int
    usage: Usage | None = None
    """What was billed, on answered, failed and retried exchanges."""
    message: str = ""
    """Why, on failed and retried."""


Listener = Callable[[CallEvent], None]


def ignore(_: CallEvent) -> None:
    """Listen to nothing."""
