"""A ballot that could not be read is asked for again as a call of its own, as often as the policy says."""

from dataclasses import replace

import pytest

from venire.domain.design import Policy
from venire.domain.identity import CallId, CriterionId, JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Failure, FailureReason, Judgment, Label, Outcome
from venire.planning.calls import plan_calls
from venire.planning.reasks import LARGER, Unread, most_tokens_again, plan_reasks, unread_in, unread_left
from venire.planning.rounds import next_round

from .plans import design, item, judge

ITEM = item("i", "four")
SUBJECT = Subject(item_id=ITEM.id, responses=(0,))
DESIGN = design()


def _judgment(outcome: Outcome, attempt: int = 0, judge_id: str = "j") -> Judgment:
    return Judgment(
        subject=SUBJECT,
        criterion_id=CriterionId("q"),
        judge_id=JudgeId(judge_id),
        shown=(0,),
        sample=0,
        attempt=attempt,
        call_id=CallId("c"),
        outcome=outcome,
        step="none",
        reader_version=1,
    )


def _unread(reason: FailureReason = "unreadable", attempt: int = 0) -> Unread:
    return Unread(subject=SUBJECT, judge_id=JudgeId("j"), shown=(0,), sample=0, attempt=attempt, reason=reason)


@pytest.mark.parametrize(
    ("reason", "attempt", "is_asked"),
    [
        ("unreadable", 0, True),
        ("ambiguous", 1, True),
        ("out_of_range", 2, False),
        ("truncated", 0, True),
        ("truncated", 1, False),
        ("empty_after_reasoning", 1, False),
        ("refused", 0, False),
        ("filtered", 0, False),
        ("provider_error", 0, False),
        ("timeout", 0, False),
    ],
)
def test_what_may_be_read_better_is_asked_again(reason: FailureReason, attempt: int, is_asked: bool) -> None:
    assert (unread_in([_judgment(Failure(reason=reason), attempt)], DESIGN) is not None) == is_asked


def test_a_readable_ballot_is_not_asked_again() -> None:
    assert unread_in([_judgment(Label(value="yes"))], DESIGN) is None


def test_a_policy_of_none_asks_nothing_again() -> None:
    assert unread_in([_judgment(Failure(reason="unreadable"))], replace(DESIGN, policy=Policy(reask=0))) is None


def test_a_rule_is_not_asked_again_since_it_would_say_the_same() -> None:
    rules = design("pointwise", judge("j", provider="length", votes=True))

    assert unread_in([_judgment(Failure(reason="out_of_range"))], rules) is None


def test_one_criterion_that_failed_asks_for_the_whole_ballot_again() -> None:
    found = unread_in([_judgment(Label(value="yes")), _judgment(Failure(reason="incomplete_set"))], DESIGN)

    assert found is not None
    assert found.reason == "incomplete_set"


def test_asking_again_is_another_call_with_the_next_attempt() -> None:
    (first,) = plan_calls([ITEM], DESIGN)

    (again,) = plan_reasks([ITEM], DESIGN, [_unread(attempt=1)])

    assert (again.attempt, again.subject, again.judged) == (2, first.subject, first.judged)
    assert again.id != first.id
    assert again.request.messages[:-1] == first.request.messages[:-1]
    assert again.request.messages[-1].content.startswith(first.request.messages[-1].content)
    assert "no verdict was found in it" in again.request.messages[-1].content
    assert again.request.max_tokens == first.request.max_tokens


def test_a_reply_that_was_cut_gets_more_tokens() -> None:
    (first,) = plan_calls([ITEM], DESIGN)

    (again,) = plan_reasks([ITEM], DESIGN, [_unread("truncated")])

    assert again.request.max_tokens == LARGER * first.request.max_tokens


def test_the_same_ballots_give_the_same_calls_in_the_order_of_the_items() -> None:
    items = [item(name, "x") for name in ("b", "a")]
    unread = [replace(_unread(), subject=Subject(item_id=each.id, responses=(0,))) for each in items[::-1]]

    calls = list(plan_reasks(items, DESIGN, unread))

    assert [call.subject.item_id for call in calls] == ["b", "a"]
    assert calls == list(plan_reasks(items, DESIGN, unread[::-1]))


def test_the_plan_is_complete_when_nothing_is_left_to_ask_again() -> None:
    assert next_round([ITEM], DESIGN, 0) is not None
    assert next_round([ITEM], DESIGN, 1) is None
    assert next_round([ITEM], DESIGN, 1, [_unread()]) is not None


@pytest.mark.parametrize("reask", [0, 1, 2, 5])
def test_no_further_attempts_take_more_tokens_than_said(reask: int) -> None:
    """The first may be cut, which gives the second more; later ones have the ballot's own limit again."""
    policy = Policy(reask=reask)
    limits = [LARGER if policy.asks_again("truncated", 0) else 1]
    spent = sum(limits[:1] + [1] * (reask - 1)) if reask else 0

    assert most_tokens_again(100, 0, reask) == 100 * spent
    assert most_tokens_again(100, 1, reask - 1) == 100 * max(reask - 1, 0)


NOTHING_READ, READ = Failure(reason="unreadable"), Label(value="yes")


@pytest.mark.parametrize(
    ("outcomes", "left"),
    [
        ([(READ, 0)], []),
        ([(NOTHING_READ, 0)], [0]),
        ([(NOTHING_READ, 0), (READ, 1)], []),
        ([(NOTHING_READ, 0), (NOTHING_READ, 1)], [1]),
        ([(NOTHING_READ, 0), (NOTHING_READ, 1), (NOTHING_READ, 2)], []),
        ([(Failure(reason="provider_error"), 0)], []),
    ],
)
def test_what_is_stored_tells_which_ballots_will_be_asked_again(
    outcomes: list[tuple[Outcome, int]], left: list[int]
) -> None:
    judgments = [_judgment(outcome, attempt) for outcome, attempt in outcomes]

    assert [one.attempt for one in unread_left(judgments, DESIGN)] == left
