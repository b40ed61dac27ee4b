"""A panel is as slow as its slowest member."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.metaeval.test_conduct import ANSWERED
from venire.domain.call import Choice, Completion, Exchange
from venire.domain.finding import Undefined
from venire.domain.identity import CallId, CriterionId, ItemId, JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Judgment, Label
from venire.domain.measures import PanelLatency
from venire.metaeval.panel_latency import CallSeconds, CallSubjects, slowest_member

VOTING = [JudgeId("a"), JudgeId("b")]


def judged(item: str, judge: str, call: str, criterion: str = "q") -> Judgment:
    return Judgment(
        subject=Subject(item_id=ItemId(item), responses=(0,)),
        criterion_id=CriterionId(criterion),
        judge_id=JudgeId(judge),
        shown=(0,),
        sample=0,
        attempt=0,
        call_id=CallId(call),
        outcome=Label(value="yes"),
        step="text",
        reader_version=1,
    )


def answered(latency_s: float, *calls: str) -> Exchange:
    choice = Choice(text="yes", finish_reason="stop")
    completions = tuple(Completion(call_id=CallId(call), choice=choice) for call in calls)
    return replace(ANSWERED, call_ids=tuple(map(CallId, calls)), completions=completions, latency_s=latency_s)


def measured(judgments: list[Judgment], exchanges: list[Exchange]) -> PanelLatency:
    about, took = CallSubjects(VOTING), CallSeconds()
    assert list(about.judged(judgments)) == judgments
    assert list(took.timed(exchanges)) == exchanges
    return slowest_member(about, took)


def test_of_each_subject_the_slowest_call_counts() -> None:
    judgments = [judged("1", "a", "1a"), judged("1", "b", "1b"), judged("2", "a", "2a"), judged("2", "b", "2b")]
    latency = measured(judgments, [answered(1.0, "1a"), answered(3.0, "1b"), answered(5.0, "2a"), answered(2.0, "2b")])

    assert (latency.n_subjects, latency.p50_s, latency.p95_s) == (2, 4.0, pytest.approx(4.9))


def test_a_judge_beside_the_panel_does_not_slow_it_down() -> None:
    judgments = [judged("1", "a", "1a"), judged("1", "slow", "1s")]

    assert measured(judgments, [answered(1.0, "1a"), answered(9.0, "1s")]).p95_s == 1.0


def test_failed_tries_do_not_count() -> None:
    failed = replace(answered(120.0, "1a"), completions=())

    assert measured([judged("1", "a", "1a")], [failed, answered(1.0, "1a")]).p95_s == 1.0


def test_a_call_that_two_subjects_share_counts_for_both() -> None:
    assert measured([judged("1", "a", "x"), judged("2", "a", "x")], [answered(1.0, "x")]).n_subjects == 2


def test_without_an_answer_it_is_undefined() -> None:
    nothing = Undefined("no round trip brought an answer")

    assert measured([], []) == PanelLatency(n_subjects=0, p50_s=nothing, p95_s=nothing)
    assert measured([judged("1", "a", "1a")], []).n_subjects == 0
    assert measured([], [answered(1.0, "1a")]).n_subjects == 0


CALLS = st.tuples(st.integers(0, 4), st.sampled_from(["a", "b", "c"]), st.integers(0, 30), st.integers(1, 3))


@given(st.lists(CALLS, unique_by=lambda call: call[:3]), st.dictionaries(st.integers(0, 30), st.floats(0.01, 9)))
def test_it_is_what_a_dictionary_by_subject_gives(
    calls: list[tuple[int, str, int, int]], latencies: dict[int, float]
) -> None:
    judgments = [judged(str(i), j, str(c), f"q{k}") for i, j, c, n in calls for k in range(n)]
    expected: dict[int, float] = defaultdict(float)
    for i, j, c, _ in calls:
        if j in VOTING and c in latencies:
            expected[i] = max(expected[i], latencies[c])

    got = measured(judgments, [answered(s, str(c)) for c, s in latencies.items()])

    assert got.n_subjects == len(expected)
    if expected:
        assert got.p95_s == pytest.approx(float(np.percentile(list(expected.values()), 95)))
