"""Rounds: what is asked next, given how many rounds have been asked. The only loop over them is in the pipeline."""

from collections.abc import Iterable, Iterator

from venire.domain.call import Call
from venire.domain.design import Design
from venire.domain.item import Item
from venire.planning.calls import plan_calls


def next_round(items: Iterable[Item], design: Design, n_rounds_done: int) -> Iterator[Call] | None:
    """The calls of the next round, or None when the plan is complete.

    The first round asks every judge about every subject. A policy adds further rounds (re-asking,
    escalation); without one there is no second.
    """
    if n_rounds_done == 0:
        return plan_calls(items, design)
    return None
