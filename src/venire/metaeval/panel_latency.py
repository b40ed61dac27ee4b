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


class CallSubjects:
    """What the calls of some judges are about, found while judgments stream past.

    Calls and subjects are kept as 64-bit hashes, 16 bytes for each call: among a million calls the odds that two
    share one are below one in ten million.
    """

    def __init__(self, voting: Collection[JudgeId]) -> None:
        self._voting = frozenset(voting)
        self.calls = array("q")
        self.subjects = array("q")
        """As long as `calls`."""

    def judged(self, judgments: Iterable[Judgment]) -> Iterator[Judgment]:
        """Pass judgments through; several on one call, one after another, are one."""
        last = None
        for judgment in judgments:
            if judgment.judge_id in self._voting:
                pair = hash(judgment.call_id), hash((judgment.subject.item_id, judgment.subject.responses))
                if pair != last:
                    self.calls.append(pair[0])
                    self.subjects.append(pair[1])
                last = pair
            yield judgment


class CallSeconds:
    """How long calls took, found while round trips stream past; in the same hashes."""

    def __init__(self) -> None:
        self.calls = array("q")
        self.seconds = array("d")
        """As long as `calls`."""

    def timed(self, exchanges: Iterable[Exchange]) -> Iterator[Exchange]:
        """Pass round trips through; only what brought an answer counts, not the waits and failed tries before it."""
        for exchange in exchanges:
            for completion in exchange.completions:
                self.calls.append(hash(completion.call_id))
                self.seconds.append(exchange.latency_s)
            yield exchange


def slowest_member(about: CallSubjects, took: CallSeconds) -> PanelLatency:
    """Of each subject the slowest call, over all voting judges, orders and draws that were asked about it."""
    slowest = _slowest(about, took)
    return PanelLatency(n_subjects=len(slowest), p50_s=percentile(slowest, 50), p95_s=percentile(slowest, 95))


def _slowest(about: CallSubjects, took: CallSeconds) -> npt.NDArray[np.float64]:
    # Of a call that was answered twice the first answer is the one that was judged.
    answered, first = np.unique(np.frombuffer(took.calls, dtype=np.int64), return_index=True)
    if not len(answered):
        return np.zeros(0)
    asked = np.frombuffer(about.calls, dtype=np.int64)
    place = np.minimum(np.searchsorted(answered, asked), len(answered) - 1)
    has_answer = answered[place] == asked
    subjects, which = np.unique(np.frombuffer(about.subjects, dtype=np.int64)[has_answer], return_inverse=True)
    slowest = np.zeros(len(subjects))
    np.maximum.at(slowest, which, np.frombuffer(took.seconds, dtype=np.float64)[first[place[has_answer]]])
    return slowest
