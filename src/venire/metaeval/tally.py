"""Counting judgments while they stream past, so that nobody reads them twice."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import CallId, ItemId, JudgeId
from venire.domain.judgment import Failure, Judgment, Label, Step
from venire.domain.measures import HowRead, Unanswered
from venire.domain.panel import IMPORTED

_Draw = tuple[ItemId, tuple[int, ...], JudgeId, tuple[int, ...], int]
_NO_PROBABILITIES = Undefined("no label has probabilities")


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
        self._imported = frozenset(judge.id for judge in design.judges if judge.provider == IMPORTED)
        self._first_criterion = design.rubric.criteria[0].id
        self._to_ask_again: dict[_Draw, int] = {}
        self._ledgers = {judge.id: _Ledger() for judge in design.judges}
        self.call_ids = set[CallId]()
        self.n_calls = 0
        """Draws that were answered or given up; another attempt at one is none of its own."""
        self.n_imported = 0
        """Those of judges that were never asked here."""
        self.n_judgments = 0
        self.n_failed = 0
        self.without_reply: dict[JudgeId, Unanswered] = {}
        """By judge, the calls that ended without any reply."""

    @property
    def n_to_ask_again(self) -> int:
        """Draws whose last ballot could not be read and that the policy lets be asked for again."""
        return len(self._to_ask_again)

    @property
    def how_read(self) -> Mapping[JudgeId, HowRead]:
        """By judge: how its labels were found in its replies."""
        return {judge_id: ledger.how_read() for judge_id, ledger in self._ledgers.items()}

    def __iter__(self) -> Iterator[Judgment]:
        last: Judgment | None = None
        for judgment in self._judgments:
            if last is not None and not judgment.attempt:
                self._count(last)
            last = judgment
            self._take_note(judgment)
            yield judgment
        if last is not None:
            self._count(last)

    def _count(self, judgment: Judgment) -> None:
        """Count the last attempt at a draw."""
        self.n_judgments += 1
        self.n_failed += isinstance(judgment.outcome, Failure)
        ledger = self._ledgers.get(judgment.judge_id)
        if ledger is not None:
            ledger.enter(judgment)

    def _take_note(self, judgment: Judgment) -> None:
        self.call_ids.add(judgment.call_id)
        if not judgment.attempt:
            is_call = judgment.criterion_id == self._first_criterion
            self.n_calls += is_call
            self.n_imported += is_call and judgment.judge_id in self._imported
        elif self._to_ask_again:
            draw = _draw_of(judgment)
            if self._to_ask_again.get(draw, judgment.attempt) < judgment.attempt:
                del self._to_ask_again[draw]
        outcome = judgment.outcome
        if not isinstance(outcome, Failure):
            return
        if judgment.criterion_id == self._first_criterion and outcome.reason in ("provider_error", "timeout"):
            before = self.without_reply.get(judgment.judge_id)
            n_calls = 1 if before is None else before.n_calls + 1
            self.without_reply[judgment.judge_id] = Unanswered(n_calls=n_calls, reason=outcome.detail)
        if self._design.asks_again(judgment.judge_id, outcome.reason, judgment.attempt):
            draw = _draw_of(judgment)
            self._to_ask_again[draw] = max(judgment.attempt, self._to_ask_again.get(draw, 0))


@dataclass(slots=True)
class _Ledger:
    """The labels of one judge."""

    steps: Counter[Step] = field(default_factory=Counter)
    n_later_attempts: int = 0
    n_with_probabilities: int = 0
    coverage: float = 0.0

    def enter(self, judgment: Judgment) -> None:
        if not isinstance(judgment.outcome, Label):
            return
        self.steps[judgment.step] += 1
        self.n_later_attempts += judgment.attempt > 0
        distribution = judgment.outcome.distribution
        if distribution is not None:
            self.n_with_probabilities += 1
            self.coverage += distribution.coverage

    def how_read(self) -> HowRead:
        n = self.n_with_probabilities
        return HowRead(
            steps=tuple(sorted(self.steps.items())),
            n_later_attempts=self.n_later_attempts,
            n_with_probabilities=n,
            mean_coverage=self.coverage / n if n else _NO_PROBABILITIES,
        )


def _draw_of(judgment: Judgment) -> _Draw:
    return (
        judgment.subject.item_id,
        judgment.subject.responses,
        judgment.judge_id,
        judgment.shown,
        judgment.sample,
    )
