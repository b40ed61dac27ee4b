"""Again: of a plan, the calls that were given up before; what was never asked is left."""

from collections.abc import Container, Iterable, Iterator
from itertools import islice

from venire.domain.call import Call
from venire.domain.identity import CallId
from venire.ports import Completions

CHUNK = 500
"""Calls looked up in the store at once."""


def asked_before(calls: Iterable[Call], store: Completions, given_up: Container[CallId]) -> Iterator[Call]:
    """Those calls that have a record: an answer, which costs nothing again, or a failure, which is asked again.

    Answered calls stay in, so that a re-ask of theirs that was given up is found in the next round.

    Args:
        calls: of one round of the plan.
        store: what was asked and answered.
        given_up: calls that ended as failures without having been sent, such as those of a judge that had stopped.
    """
    plan = iter(calls)
    while chunk := list(islice(plan, CHUNK)):
        call_ids = [call.id for call in chunk]
        recorded = store.failures(call_ids).keys() | store.answered(call_ids).keys()
        yield from (call for call in chunk if call.id in recorded or call.id in given_up)
