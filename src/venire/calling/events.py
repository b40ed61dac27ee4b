"""Events: what happens while judges are asked, told through one hook; whoever listens decides what to show."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from venire.domain.call import Usage
from venire.domain.identity import JudgeId


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEvent:
    """One thing that happened to calls of one judge.

    `n_calls` of reused, answered and failed together count every call that is told, once.
    """

    kind: Literal["reused", "answered", "failed", "retried", "reasked", "paused", "stopped"]
    """reused: found in the store, or answered by an identical call; answered: a reply came and is stored (a hollow
    one answers no call, but is billed); failed: given up; retried: will be sent again; reasked: unread ballots that
    are asked for again, as calls beside those planned at first; paused: the judge keeps failing and is left alone for a
    while; stopped: it is not asked any further in this run."""
    judge_id: JudgeId
    n_calls: int
    usage: Usage | None = None
    """What the reply was billed, on answered."""
    message: str = ""
    """Why, on failed, retried, paused and stopped."""


Listener = Callable[[CallEvent], None]


def ignore(_: CallEvent) -> None:
    """Listen to nothing."""
