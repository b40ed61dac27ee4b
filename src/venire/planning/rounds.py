"""Rounds: what is asked next, given how many rounds have been asked. The only loop over them is in the pipeline."""

from collections.abc import Iterable, Iterator, Sequence

from venire.domain.call import Call
from venire.domain.design import Design
from venire.domain.item import Item
from venire.planning.calls import plan_calls
from venire.planning.reasks import Unread, plan_reasks


def next_round(
    items: Iterable[Item], design: Design, n_rounds_done: int, unread: Sequence[Unread] = ()
) -> Iterator[Call] | None:
    """The calls of the next round, or None when the plan is complete.

    The first round asks every judge about every subject; each further one asks again for the ballots of the round
    before that could not be read, as long as the design's policy allows.

    Args:
        unread: the ballots of the last round that `reasks_of` lets be asked for again.
    """
    if n_rounds_done == 0:
        return plan_calls(items, design)
    return plan_reasks(items, design, unread) if unread else None
