"""Asking again: a ballot that could not be read is another call, with the next attempt number."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from venire.domain.call import Call, Request
from venire.domain.design import Design
from venire.domain.identity import ItemId, JudgeId
from venire.domain.item import Item, Subject
from venire.domain.judgment import CUT, Failure, FailureReason, Judgment
from venire.planning.calls import Manner, judged_texts, request_about

LARGER = 4
"""A reply that was cut gets so many times the tokens, once."""

_SAID: Mapping[FailureReason, str] = {
    "unreadable": "no verdict was found in it",
    "ambiguous": "it held several verdicts",
    "contradictory": "its fields contradicted one another",
    "out_of_range": "its verdict was none of those admitted",
    "scale_mismatch": "its verdict was on another scale",
    "not_an_integer": "its verdict was no whole number",
    "incomplete_set": "a field was missing or given twice",
    "truncated": "it was too long and was cut off",
    "empty_after_reasoning": "it was cut off before the verdict",
}
"""What a judge is told of its last reply: words of ours, never of the reply."""

_NOTE = "\n\nYour last reply could not be used: {why}. Reply again, exactly in the form asked for."
NOTE_BYTES = max(len(_NOTE.format(why=why)) for why in _SAID.values())
"""What asking again adds to a prompt, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """One draw whose ballot could not be read."""

    subject: Subject
    judge_id: JudgeId
    shown: tuple[int, ...]
    sample: int
    attempt: int
    reason: FailureReason


def unread_in(judgments: Iterable[Judgment], design: Design) -> Unread | None:
    """The draw of these judgments, which are those of one call, if it is to be asked again; else None.

    Of several criteria that failed the one that was cut counts, because it needs more tokens.
    """
    found: Unread | None = None
    for judgment in judgments:
        outcome = judgment.outcome
        if not isinstance(outcome, Failure) or (found is not None and outcome.reason not in CUT):
            continue
        if design.asks_again(judgment.judge_id, outcome.reason, judgment.attempt):
            found = Unread(
                subject=judgment.subject,
                judge_id=judgment.judge_id,
                shown=judgment.shown,
                sample=judgment.sample,
                attempt=judgment.attempt,
                reason=outcome.reason,
            )
    return found


def unread_left(judgments: Iterable[Judgment], design: Design) -> tuple[Unread, ...]:
    """The draws whose last stored ballot could not be read and that the design lets be asked for again."""
    last: dict[tuple[Subject, JudgeId, tuple[int, ...], int], list[Judgment]] = {}
    for judgment in judgments:
        draw = (judgment.subject, judgment.judge_id, judgment.shown, judgment.sample)
        known = last.get(draw)
        if known is not None and judgment.attempt > known[0].attempt:
            last[draw] = [judgment]
        elif known is not None and judgment.attempt == known[0].attempt:
            known.append(judgment)
        elif known is None and (judgment.attempt or isinstance(judgment.outcome, Failure)):
            last[draw] = [judgment]
    found = (unread_in(one, design) for one in last.values())
    return tuple(one for one in found if one is not None)


def plan_reasks(items: Iterable[Item], design: Design, unread: Sequence[Unread]) -> Iterator[Call]:
    """A call for each of these draws, in the order of the items."""
    by_item: dict[ItemId, list[Unread]] = {}
    for one in unread:
        by_item.setdefault(one.subject.item_id, []).append(one)
    manners = {judge.id: Manner(judge, design) for judge in design.judges}
    for item in items:
        for one in sorted(by_item.get(item.id, ()), key=_order):
            request = request_about(item, one.shown, manners[one.judge_id])
            yield Call(
                request=_again(request, one.reason),
                judge_id=one.judge_id,
                subject=one.subject,
                shown=one.shown,
                sample=one.sample,
                attempt=one.attempt + 1,
                judged=judged_texts(item, one.subject),
            )


def most_tokens_again(max_tokens: int, attempt: int, n_again: int) -> int:
    """The most output tokens of so many further attempts after this one: only the first may have been cut."""
    if n_again <= 0:
        return 0
    return max_tokens * (n_again + (LARGER - 1 if attempt == 0 else 0))


def _order(one: Unread) -> tuple[tuple[int, ...], JudgeId, tuple[int, ...], int]:
    return (one.subject.responses, one.judge_id, one.shown, one.sample)


def _again(request: Request, reason: FailureReason) -> Request:
    """The same question, saying why it is asked again: a judge at temperature 0 would else repeat itself."""
    *before, last = request.messages
    note = _NOTE.format(why=_SAID[reason])
    larger = LARGER if reason in CUT else 1
    return replace(
        request,
        messages=(*before, replace(last, content=last.content + note)),
        max_tokens=request.max_tokens * larger,
    )
