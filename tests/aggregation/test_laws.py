"""Laws that every rule obeys, whatever the votes."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from venire.aggregation.coded import code_decisions
from venire.aggregation.decide import aggregate
from venire.aggregation.known import Known, Training, training_of
from venire.aggregation.result import RuleResult
from venire.aggregation.rules import apply_rules
from venire.aggregation.settle import settle
from venire.coding.code import code_verdicts
from venire.coding.labels import value_of
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import POOLED, RULES, Aggregation, TiePolicy, rule_fits
from venire.domain.annotation import Gold
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Judgment
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, OrdinalScale, Rubric, Scale, Value
from venire.domain.verdict import Decided, Shared, VerdictOutcome

from .panels import GRADES, THREE, YES_NO, by_subject, coded, criterion, decide, design, judgment, subject

SCALES: list[Scale] = [
    YES_NO,
    THREE,
    GRADES,
    IntervalScale(min=0, max=3),
    IntervalScale(min=0, max=1, integer=False),
    ChoiceScale(both_bad=True),
    ChoiceScale(tie=False),
]
TIES = [TiePolicy(), TiePolicy(kind="fractional"), TiePolicy(kind="random", seed=3)]
Table = list[list[Value | None]]
Panel = tuple[Scale, Table, Aggregation]


def values_of(scale: Scale) -> st.SearchStrategy[Value]:
    match scale:
        case NominalScale(labels=labels) | OrdinalScale(labels=labels):
            return st.sampled_from(labels)
        case IntervalScale(integer=integer):
            return st.sampled_from([0, 1, 2, 3] if integer else [0.0, 0.1, 0.2, 0.3, 0.7, 1.0])
        case ChoiceScale(tie=tie, both_bad=both_bad):
            return st.sampled_from([0, 1, *["tie"] * tie, *["both_bad"] * both_bad])


@st.composite
def panels(draw: st.DrawFn, *, pooled: bool = True) -> Panel:
    """A scale, votes of rows of judges on columns of subjects, and a way to aggregate that fits the scale."""
    scale = draw(st.sampled_from(SCALES))
    n_judges, n_subjects = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    cell = st.none() | values_of(scale)
    row = st.lists(cell, min_size=n_subjects, max_size=n_subjects)
    table = draw(st.lists(row, min_size=n_judges, max_size=n_judges))
    weights = draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=n_judges, max_size=n_judges))
    aggregation = Aggregation(
        rule=draw(st.sampled_from(RULES if pooled else [rule for rule in RULES if rule not in POOLED])),
        at_least=draw(st.integers(1, n_judges)),
        weights=tuple((JudgeId(f"j{row}"), weight) for row, weight in enumerate(weights)),
        denominator=draw(st.sampled_from(["seated", "counted"])),
        quorum=draw(st.integers(1, n_judges)),
        tie=draw(st.sampled_from(TIES)),
    )
    if not rule_fits(aggregation.rule, scale):
        aggregation = replace(aggregation, rule="majority")
    return scale, table, aggregation


def judgments_of(scale: Scale, table: Table) -> list[Judgment]:
    responses = (0, 1) if isinstance(scale, ChoiceScale) else (0,)
    return [
        judgment(f"j{row}", subject(f"i{column}", *responses), vote)
        for row, votes in enumerate(table)
        for column, vote in enumerate(votes)
    ]


def gold_of(scale: Scale, subjects: list[Subject]) -> Known:
    """Gold on two subjects of three, for the rules that learn from it; it does not depend on the order of subjects."""
    golds = [
        Gold(subject=about, criterion_id=CriterionId("q"), value=value, reason="given", n_annotators=1)
        for about in subjects
        if (number := int(about.item_id[1:])) % 3 != 2
        for value in [value_of(scale, float(number % 2), about, len(about.responses))]
    ]
    return Known(golds=golds)


def training(scale: Scale, votes: CodedVotes) -> Training:
    rubric = Rubric(criteria=(criterion(scale),))
    return training_of(gold_of(scale, list(votes.subjects)), votes.subjects, rubric)


def apply(scale: Scale, table: Table, aggregation: Aggregation, *, garbage: float = 0.0) -> RuleResult:
    votes = coded(scale, table, garbage=garbage)
    return apply_rules({CriterionId("q"): votes}, aggregation, training(scale, votes))[CriterionId("q")]


@given(panel=panels(), data=st.data())
def test_the_order_of_judges_subjects_and_judgments_changes_nothing(panel: Panel, data: st.DataObject) -> None:
    scale, table, aggregation = panel
    judgments = judgments_of(scale, table)
    subjects = list(dict.fromkeys(one.subject for one in judgments))
    seats = replace(design([criterion(scale)], [f"j{row}" for row in range(len(table))]), aggregation=aggregation)

    shuffled = aggregate(
        data.draw(st.permutations(judgments)),
        data.draw(st.permutations(subjects)),
        replace(seats, judges=tuple(data.draw(st.permutations(seats.judges)))),
        gold_of(scale, subjects),
    )

    assert by_subject(shuffled) == by_subject(aggregate(judgments, subjects, seats, gold_of(scale, subjects)))


@given(panel=panels())
def test_seated_are_counted_or_missing_for_a_reason(panel: Panel) -> None:
    scale, table, aggregation = panel
    judgments = judgments_of(scale, table)
    seats = replace(design([criterion(scale)], [f"j{row}" for row in range(len(table))]), aggregation=aggregation)

    subjects = list({one.subject for one in judgments})
    for verdict in aggregate(judgments, subjects, seats, gold_of(scale, subjects)).verdicts:
        assert verdict.n_seated == verdict.n_counted + sum(count for _, count in verdict.missing) == len(table)


@given(panel=panels(), garbage=st.sampled_from([-7.0, 1.0, 99.0, float("nan"), float("inf")]))
def test_what_lies_under_a_missing_vote_is_never_read(panel: Panel, garbage: float) -> None:
    scale, table, aggregation = panel

    plain, soiled = (
        settle(apply(scale, table, aggregation, garbage=filling), CriterionId("q"), aggregation)
        for filling in (0.0, garbage)
    )

    assert plain == soiled


@given(panel=panels())
def test_decisions_as_codes_are_the_verdicts_coded(panel: Panel) -> None:
    scale, table, aggregation = panel
    asked = criterion(scale)
    seats = replace(design([asked], [f"j{row}" for row in range(len(table))]), aggregation=aggregation)
    judgments = judgments_of(scale, table)
    subjects = sorted({one.subject for one in judgments})
    aggregated = aggregate(judgments, subjects, seats, gold_of(scale, subjects))

    result = apply_rules(aggregated.votes, aggregation, aggregated.training)[asked.id]
    direct = code_decisions(result, asked.id, aggregation)

    by_way_of_verdicts = code_verdicts(aggregated.verdicts, subjects, asked)
    assert np.array_equal(direct.codes[direct.present], by_way_of_verdicts.codes[by_way_of_verdicts.present])
    assert _why(direct) == _why(by_way_of_verdicts)


def _why(votes: CodedVotes) -> list[str]:
    return ["" if number == 0 else votes.reasons[number - 1] for number in votes.missing[0].tolist()]


@given(panel=panels(pooled=False))
def test_the_votes_of_one_subject_do_not_reach_another(panel: Panel) -> None:
    scale, table, aggregation = panel
    together = settle(apply(scale, table, aggregation), CriterionId("q"), aggregation)

    alone = settle(apply(scale, [row[:1] for row in table], aggregation), CriterionId("q"), aggregation)

    assert (alone.outcomes[0], alone.support[0], alone.spread[0]) == (
        together.outcomes[0],
        together.support[0],
        together.spread[0],
    )


def renamed(outcome: VerdictOutcome, names: dict[Value, str]) -> VerdictOutcome:
    match outcome:
        case Decided(value=value):
            return Decided(value=names[value])
        case Shared(values=values):
            return Shared(values=tuple(names[value] for value in values))
        case _:
            return outcome


@given(panel=panels().filter(lambda panel: isinstance(panel[0], NominalScale | OrdinalScale)))
def test_relabelling_before_is_relabelling_after(panel: Panel) -> None:
    scale, table, aggregation = panel
    assert isinstance(scale, NominalScale | OrdinalScale)
    names: dict[Value, str] = {label: label * 2 + "!" for label in scale.labels}
    new: dict[str, Any] = {"labels": tuple(names[label] for label in scale.labels)}
    if isinstance(scale, NominalScale):
        new["positive"] = names[scale.positive]
    new_table = [[vote and names[vote] for vote in row] for row in table]

    before = settle(apply(scale, table, aggregation), CriterionId("q"), aggregation)
    after = settle(apply(replace(scale, **new), new_table, aggregation), CriterionId("q"), aggregation)

    assert [renamed(one, names) for one in before.outcomes] == list(after.outcomes)


@given(votes=st.lists(st.none() | st.sampled_from(["a", "b", "c"]), min_size=1, max_size=7), data=st.data())
def test_losing_a_ballot_never_makes_a_majority_of_the_seated(votes: list[str | None], data: st.DataObject) -> None:
    lost = data.draw(st.integers(0, len(votes) - 1))
    fewer = [None if place == lost else vote for place, vote in enumerate(votes)]

    after = decide(THREE, fewer).outcome

    if isinstance(after, Decided):
        assert after == decide(THREE, votes).outcome


@given(label=st.sampled_from(["a", "b", "c"]), n=st.integers(1, 6), n_missing=st.integers(0, 3))
@pytest.mark.parametrize("rule", ["majority", "plurality", "unanimity"])
def test_a_panel_of_one_mind_has_full_support_among_the_counted(rule: str, label: str, n: int, n_missing: int) -> None:
    verdict = decide(THREE, [label] * n + [None] * n_missing, rule=rule, denominator="counted")

    assert (verdict.outcome, verdict.support, verdict.spread) == (Decided(value=label), 1.0, 0.0)


@given(votes=st.lists(st.sampled_from(["yes", "no"]), min_size=1, max_size=7))
@settings(max_examples=50)
def test_every_judge_that_says_yes_keeps_max_at_yes(votes: list[str]) -> None:
    decided = decide(YES_NO, votes, rule="max").outcome

    assert decided == Decided(value="yes" if "yes" in votes else "no")
