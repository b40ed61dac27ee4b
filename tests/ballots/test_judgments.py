"""Every call gives one judgment for each criterion, whatever became of it."""

import pytest

from venire.ballots.judgments import read_call
from venire.ballots.read import READER_VERSION
from venire.domain.call import AnswerFormat, Call, Completion, ExchangeError, Request
from venire.domain.identity import ItemId, JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Failure, Label
from venire.errors import ErrorKind

from .makers import CHOICE, RIGHT, ballot, reply

CALL = Call(
    request=Request(
        provider="p",
        model="m",
        base_url=None,
        messages=(),
        temperature=None,
        max_tokens=1,
        format=AnswerFormat(kind="text"),
    ),
    judge_id=JudgeId("j"),
    subject=Subject(item_id=ItemId("i"), responses=(0, 1)),
    shown=(1, 0),
    sample=2,
    attempt=1,
)


def test_a_judgment_says_which_draw_it_was_read_from() -> None:
    completion = Completion(call_id=CALL.id, choice=reply('{"q": "A"}'))

    (judgment,) = read_call(CALL, completion, ballot(CHOICE))

    assert judgment.outcome == Label(value=1), "A is the first shown"
    assert (judgment.subject, judgment.shown, judgment.judge_id) == (CALL.subject, (1, 0), "j")
    assert (judgment.sample, judgment.attempt, judgment.call_id) == (2, 1, CALL.id)
    assert (judgment.step, judgment.reader_version) == ("json", READER_VERSION)


@pytest.mark.parametrize(("kind", "reason"), [("timeout", "timeout"), ("server", "provider_error")])
def test_a_call_that_was_given_up_fails_with_its_reason(kind: ErrorKind, reason: str) -> None:
    judgments = list(read_call(CALL, ExchangeError(kind=kind, message="why"), ballot(RIGHT, RIGHT)))

    assert [judgment.criterion_id for judgment in judgments] == ["q", "q2"]
    assert {judgment.outcome for judgment in judgments} == {Failure(reason=reason, detail="why")}  # type: ignore[arg-type]
