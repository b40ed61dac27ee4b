"""Losses: the judges that are not asked any further, and whether the run goes on without them."""

from collections.abc import Callable

from venire.calling.events import CallEvent, Listener
from venire.domain.identity import JudgeId
from venire.errors import JudgeUnavailable

MayGoOn = Callable[[frozenset[JudgeId]], bool]
"""Whether asking the others still has a purpose when these judges are lost."""


class Losses:
    """Which judges were lost in this run."""

    def __init__(self, may_go_on: MayGoOn, listen: Listener) -> None:
        self._may_go_on = may_go_on
        self._listen = listen
        self._lost: set[JudgeId] = set()

    def refuse(self, judge_id: JudgeId, message: str, unavailable: JudgeUnavailable) -> None:
        """Take note that a judge refuses to be asked: its key, its credit, or everything that it was sent.

        Raises:
            JudgeUnavailable: as given; without this judge the run has no purpose.
        """
        if not self._may_go_on(frozenset({*self._lost, judge_id})):
            raise unavailable
        self.give_up(judge_id, message)

    def give_up(self, judge_id: JudgeId, message: str) -> None:
        """Take note that a judge is asked nothing further; its remaining calls fail, and can be asked again."""
        self._lost.add(judge_id)
        self._listen(CallEvent(kind="stopped", judge_id=judge_id, n_calls=0, message=message))
