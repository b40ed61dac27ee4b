"""Sessions: what all rounds of a run have in common, and what was learned of judges and providers on the way."""

from collections.abc import Mapping

from venire.calling.ending import Ending, StopFlag
from venire.calling.events import Listener, ignore
from venire.calling.keys import share_gates
from venire.calling.losses import Losses, MayGoOn
from venire.calling.purse import Purse
from venire.calling.recorder import Recorder
from venire.calling.retry import RetryPolicy
from venire.calling.seat import Seat, Sitting
from venire.domain.identity import JudgeId
from venire.domain.panel import Judge
from venire.ports import Completions, Provider


class Session:
    """The judges in their seats: limits, lost judges and the budget hold from one round of the plan to the next."""

    def __init__(
        self,
        panel: Mapping[JudgeId, tuple[Judge, Provider]],
        store: Completions,
        *,
        listen: Listener = ignore,
        policy: RetryPolicy | None = None,
        stop: StopFlag | None = None,
        purse: Purse | None = None,
        may_go_on: MayGoOn | None = None,
    ) -> None:
        """Set up, inside the event loop in which the judges will be asked.

        Args:
            panel, store: whom to ask, and where answers are kept.
            listen: told of everything that happens.
            policy: how patient to be.
            stop: ends the run early.
            purse: what the run may cost; without one it is not limited.
            may_go_on: whether asking has a purpose when these judges are lost; by default while any is left.

        Raises:
            UsageError: there is a budget, and a judge whose price is not known.
        """
        if purse is not None:
            purse.check(panel)
        self.store = store
        self.listen = listen
        self.ending = Ending(stop or StopFlag(), purse)
        sitting = Sitting(
            recorder=Recorder(store),
            policy=policy or RetryPolicy(),
            listen=listen,
            is_ending=self.ending.is_near,
            losses=Losses(may_go_on or (lambda lost: len(lost) < len(panel)), listen),
            purse=purse,
        )
        self._gates = share_gates([judge for judge, _ in panel.values()], sitting.policy, self.ending.is_near)
        self.seats = {
            judge_id: Seat(judge, provider, self._gates[judge_id], sitting)
            for judge_id, (judge, provider) in panel.items()
        }

    async def close(self) -> None:
        """End every wait of its own."""
        for gate in self._gates.values():
            await gate.close()
