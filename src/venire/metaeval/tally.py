"""Counting judgments while they stream past, so that nobody reads them twice."""

from collections.abc import Iterable, Iterator

from venire.domain.identity import CallId, CriterionId
from venire.domain.judgment import Failure, Judgment


class JudgmentTally:
    """Passes judgments through and counts them; each call has one on the first criterion."""

    def __init__(self, judgments: Iterable[Judgment], first_criterion: CriterionId) -> None:
        self._judgments = judgments
        self._first_criterion = first_criterion
        self.call_ids = set[CallId]()
        self.n_calls = 0
        self.n_judgments = 0
        self.n_failed = 0

    def __iter__(self) -> Iterator[Judgment]:
        for judgment in self._judgments:
            self.n_calls += judgment.criterion_id == self._first_criterion
            self.call_ids.add(judgment.call_id)
            self.n_judgments += 1
            self.n_failed += isinstance(judgment.outcome, Failure)
            yield judgment
