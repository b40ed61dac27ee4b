"""Counting judgments while they stream past, so that nobody reads them twice."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from venire.domain.design import Design
from venire.domain.identity import CallId, ItemId, JudgeId
from venire.domain.judgment import Failure, Judgment

_Draw = tuple[ItemId, tuple[int, ...], JudgeId, tuple[int, ...], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """Calls of one judge that ended without any reply."""

    n_calls: int
    reason: str
    """Of one of them, in the provider's words."""


class JudgmentTally:
    """Passes judgments through and counts them; of one draw, the last attempt counts."""

    def __init__(self, judgments: Iterable[Judgment], design: Design) -> None:
        """Set up.

        Args:
            judgments: those of one draw and criterion after one another, attempts ascending, as a store gives them.
            design: under which they were made.
        """
        self._judgments = judgments
        self._design = design
        self._first_criterion = design.rubric.criteria[0].id
        self._to_ask_again: dict[_Draw, int] = {}
        self.call_ids = set[CallId]()
        self.n_calls = 0
        """Draws that were answered or given up; another attempt at one is none of its own."""
        self.n_judgments = 0
        self.n_failed = 0
        self.without_reply: dict[JudgeId, Unanswered] = {}
        """By judge, the calls that ended without any reply."""

    @property
    def n_to_ask_again(self) -> int:
        """Draws whose last ballot could not be read and that the policy lets be asked for again."""
        return len(self._to_ask_again)

    def __iter__(self) -> Iterator[Judgment]:
        was_failure = False
        for judgment in self._judgments:
            is_failure = isinstance(judgment.outcome, Failure)
            if judgment.attempt:
                # It takes the place of the attempt before it, which came last.
                self.n_judgments -= 1
                self.n_failed -= was_failure
                self._forget_attempt(judgment)
            else:
                self.n_calls += judgment.criterion_id == self._first_criterion
            self.n_judgments += 1
            self.n_failed += is_failure
            self.call_ids.add(judgment.call_id)
            if is_failure:
                self._note_failure(judgment)
            was_failure = is_failure
            yield judgment

    def _forget_attempt(self, judgment: Judgment) -> None:
        draw = _draw_of(judgment)
        if self._to_ask_again.get(draw, judgment.attempt) < judgment.attempt:
            del self._to_ask_again[draw]

    def _note_failure(self, judgment: Judgment) -> None:
        outcome = judgment.outcome
        assert isinstance(outcome, Failure)
        if judgment.criterion_id == self._first_criterion and outcome.reason in ("provider_error", "timeout"):
            before = self.without_reply.get(judgment.judge_id)
            n_calls = 1 if before is None else before.n_calls + 1
            self.without_reply[judgment.judge_id] = Unanswered(n_calls=n_calls, reason=outcome.detail)
        if self._design.asks_again(judgment.judge_id, outcome.reason, judgment.attempt):
            draw = _draw_of(judgment)
            self._to_ask_again[draw] = max(judgment.attempt, self._to_ask_again.get(draw, 0))


def _draw_of(judgment: Judgment) -> _Draw:
    return (
        judgment.subject.item_id,
        judgment.subject.responses,
        judgment.judge_id,
        judgment.shown,
        judgment.sample,
    )
