"""How long a panel takes: the slowest of its members, subject by subject, found while facts stream past."""

from array import array
from collections.abc import Collection, Iterable, Iterator

import numpy as np
import numpy.typing as npt

from venire.domain.call import Exchange
from venire.domain.identity import JudgeId
from venire.domain.judgment import Judgment
from venire.domain.measures import PanelLatency
from venire.metaeval.quantiles import percentile


class SlowestMember:
    """Passes judgments and round trips through and keeps, of each call, whom it is about and how long it took.

    Calls and subjects are kept as 64-bit hashes, 32 bytes for each call: among a million calls the odds that two
    share one are below one in ten million.
    """

    def __init__(self, voting: Collection[JudgeId]) -> None:
        self._voting = frozenset(voting)
        self._asked = array("q")
        self._about = array("q")
        self._answered = array("q")
        self._seconds = array("d")

    def judged(self, judgments: Iterable[Judgment]) -> Iterator[Judgment]:
        """Pass judgments through; of several on one call, one after another, the first is kept."""
        last = None
        for judgment in judgments:
            if judgment.judge_id in self._voting:
                pair = hash(judgment.call_id), hash((judgment.subject.item_id, judgment.subject.responses))
                if pair != last:
                    self._asked.append(pair[0])
                    self._about.append(pair[1])
                last = pair
            yield judgment

    def timed(self, exchanges: Iterable[Exchange]) -> Iterator[Exchange]:
        """Pass round trips through; only what brought an answer counts, not the waits and failed tries before it."""
        for exchange in exchanges:
            for completion in exchange.completions:
                self._answered.append(hash(completion.call_id))
                self._seconds.append(exchange.latency_s)
            yield exchange

    def measure(self) -> PanelLatency:
        """Of each subject the slowest call, over all judges, orders and draws that were asked about it."""
        slowest = self._slowest()
        return PanelLatency(n_subjects=len(slowest), p50_s=percentile(slowest, 50), p95_s=percentile(slowest, 95))

    def _slowest(self) -> npt.NDArray[np.float64]:
        # Of a call that was answered twice the first answer is the one that was judged.
        answered, first = np.unique(np.frombuffer(self._answered, dtype=np.int64), return_index=True)
        asked = np.frombuffer(self._asked, dtype=np.int64)
        place = np.searchsorted(answered, asked)
        place[place == len(answered)] = 0
        has_answer = answered[place] == asked if len(answered) else np.zeros(len(asked), dtype=bool)
        subjects, which = np.unique(np.frombuffer(self._about, dtype=np.int64)[has_answer], return_inverse=True)
        slowest = np.zeros(len(subjects))
        np.maximum.at(slowest, which, np.frombuffer(self._seconds, dtype=np.float64)[first[place[has_answer]]])
        return slowest
