"""Ballots are read as they are answered, and what was read is handed to the store in pieces."""

from concurrent.futures import Future

from venire.ballots.judgments import read_call
from venire.calling.ask import Answered
from venire.domain.design import Design
from venire.domain.identity import CallId
from venire.domain.judgment import Failure, Judgment
from venire.planning.calls import Ballots
from venire.planning.reasks import Unread, unread_in
from venire.ports import Store

JUDGMENTS_AT_ONCE = 100
"""Judgments handed to the store in one piece: five hundred kept the answers behind them waiting for up to 19 ms."""


class Reader:
    """Reads ballots as they are answered and hands the judgments to the store in pieces."""

    def __init__(self, design: Design, store: Store) -> None:
        self._design = design
        self._ballots = Ballots(design)
        self._store = store
        self._piece: list[Judgment] = []
        self._unread: list[Unread] = []
        self._writes: list[Future[None]] = []

    def take(self, answered: Answered) -> None:
        """Read one answered call."""
        call = answered.call
        ballot = self._ballots.of(call.judge_id, len(call.shown))
        judgments = tuple(read_call(call, answered.result, ballot))
        self._piece.extend(judgments)
        unread = unread_in(judgments, self._design)
        if unread is not None:
            self._unread.append(unread)
        if len(self._piece) >= JUDGMENTS_AT_ONCE:
            self._hand_over()

    def take_unread(self) -> tuple[Unread, ...]:
        """The ballots read since the last time that are to be asked for again."""
        unread, self._unread = tuple(self._unread), []
        return unread

    def finish(self) -> None:
        """Write what is left, and raise if any write failed."""
        self._hand_over()
        for write in self._writes:
            write.result()
        self._writes.clear()

    def _hand_over(self) -> None:
        pending = [write for write in self._writes if not write.done()]
        for write in self._writes:
            if write.done():
                write.result()
        self._writes = [*pending, self._store.keep(self._design.asking_id, tuple(self._piece))]
        self._piece = []


def calls_given_up(store: Store, design: Design) -> frozenset[CallId]:
    """Calls that ended without any reply, those that were not even sent because their judge had stopped included."""
    return frozenset(
        judgment.call_id
        for judgment in store.judgments(design.asking_id)
        if isinstance(judgment.outcome, Failure) and judgment.outcome.reason in ("provider_error", "timeout")
    )
