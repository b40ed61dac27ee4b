"""The report's value: every subject counted once, every judge and system in its place."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from venire.domain.aggregation import Aggregation, TiePolicy
from venire.domain.annotation import Gold
from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId, ItemId, JudgeId
from venire.domain.item import Item, Response, Subject
from venire.domain.measures import Unanswered, Unpriced
from venire.domain.rubric import BOTH_BAD, TIE, Criterion, NominalScale
from venire.domain.verdict import Decided, Shared, Undecided, Verdict, VerdictOutcome
from venire.reporting.build import RunFacts, build_report
from venire.reporting.outcomes import count_outcomes, count_systems
from venire.reporting.report import CriterionReport, Report, SystemRow, Tally

from .facts import BETTER, CORRECT, QUALITY, RATING, make_facts

RULES = {"correct": "majority", "quality": "majority", "rating": "mean", "better": "plurality"}
EVERY = pytest.mark.parametrize("criterion", [CORRECT, QUALITY, RATING, BETTER], ids=lambda criterion: criterion.id)


def facts_of(criterion: Criterion) -> RunFacts:
    """A run on one criterion under a rule that fits it."""
    return make_facts((criterion,), n_items=20, aggregation=Aggregation(rule=RULES[criterion.id]))


def only(report: Report) -> CriterionReport:
    """The one criterion of a report."""
    (criterion,) = report.criteria
    return criterion


def verdict(outcome: VerdictOutcome, responses: tuple[int, ...] = (0, 1), item: str = "q") -> Verdict:
    """A verdict of three seated judges on one pair."""
    return Verdict(
        subject=Subject(item_id=ItemId(item), responses=responses),
        criterion_id=BETTER.id,
        outcome=outcome,
        support=1.0,
        spread=0.0,
        n_seated=3,
        n_counted=3,
    )


def item_of(*systems: str | None, item: str = "q") -> Item:
    """An item with one response of each system."""
    return Item(id=ItemId(item), responses=tuple(Response(text="r", system=system) for system in systems))


def words_of(row: SystemRow) -> dict[str, int]:
    """The counts that are not zero."""
    return {tally.name: tally.n for tally in row.outcomes.decided if tally.n}


@EVERY
def test_every_subject_is_decided_shared_or_undecided(criterion: Criterion) -> None:
    outcomes = only(build_report(facts_of(criterion))).outcomes

    assert outcomes.n_decided + outcomes.n_shared + outcomes.n_undecided == outcomes.n_subjects


@EVERY
def test_every_subject_is_counted_once_for_every_judge(criterion: Criterion) -> None:
    facts = facts_of(criterion)

    for judge in only(build_report(facts)).judges:
        tallies = (*judge.failures, *judge.no_vote)
        assert judge.n_votes + judge.n_abstained + sum(tally.n for tally in tallies) == len(facts.subjects)


@EVERY
def test_every_response_is_counted_once_for_its_system(criterion: Criterion) -> None:
    facts = facts_of(criterion)
    rows = only(build_report(facts)).systems

    assert sum(row.outcomes.n_subjects for row in rows) == sum(len(subject.responses) for subject in facts.subjects)


def test_labels_stand_in_the_order_of_their_scale_also_with_none() -> None:
    outcomes = count_outcomes([], QUALITY.scale)

    assert [tally.name for tally in outcomes.decided] == ["poor", "fair", "good", "excellent"]


@pytest.mark.parametrize(
    ("outcome", "first", "second"),
    [
        (Decided(value=0), {"wins": 1}, {"losses": 1}),
        (Decided(value=1), {"losses": 1}, {"wins": 1}),
        (Decided(value=TIE), {"ties": 1}, {"ties": 1}),
        (Decided(value=BOTH_BAD), {"both bad": 1}, {"both bad": 1}),
        (Shared(values=(0, 1)), {}, {}),
        (Undecided(reason="votes tied"), {}, {}),
    ],
)
def test_a_comparison_counts_for_both_systems(
    outcome: VerdictOutcome, first: dict[str, int], second: dict[str, int]
) -> None:
    rows = count_systems([verdict(outcome)], [item_of("a", "b")], BETTER.scale)

    assert [words_of(row) for row in rows] == [first, second]


def test_an_undecided_comparison_is_neither_tie_nor_loss() -> None:
    rows = count_systems([verdict(Undecided(reason="votes tied"))], [item_of("a", "b")], BETTER.scale)

    assert [row.outcomes.n_undecided for row in rows] == [1, 1]


def test_a_choice_among_later_responses_goes_to_the_right_system() -> None:
    rows = count_systems([verdict(Decided(value=2), responses=(1, 2))], [item_of("a", "b", "c")], BETTER.scale)

    assert {row.system: words_of(row) for row in rows} == {"b": {"losses": 1}, "c": {"wins": 1}}


def test_responses_without_a_system_are_counted_apart_and_last() -> None:
    rows = count_systems([verdict(Decided(value=0))], [item_of(None, "b")], BETTER.scale)

    assert [row.system for row in rows] == ["b", None]


def test_items_that_name_no_system_have_no_table_of_systems() -> None:
    assert count_systems([verdict(Decided(value=0))], [item_of(None, None)], BETTER.scale) == ()


def test_numbers_have_a_mean_and_labels_have_none() -> None:
    rating, label = only(build_report(facts_of(RATING))).outcomes, only(build_report(facts_of(CORRECT))).outcomes

    assert isinstance(rating.mean, float)
    assert label.mean == Undefined("labels have no mean")


def test_several_criteria_are_followed_by_their_combination() -> None:
    report = build_report(make_facts((CORRECT, QUALITY), n_items=10))

    assert [criterion.id for criterion in report.criteria] == ["correct", "quality", "overall"]
    assert isinstance(report.criteria[-1].agreement, Undefined)


def test_the_strongest_disagreements_come_first_and_are_at_most_twenty() -> None:
    spreads = [one.spread for one in only(build_report(make_facts(n_items=60))).disagreements]

    assert len(spreads) == 20
    assert spreads == sorted(spreads, reverse=True)
    assert min(spreads) > 0


def test_a_disagreement_tells_every_vote_and_gold() -> None:
    facts = facts_of(BETTER)
    one = only(build_report(facts)).disagreements[0]
    gold: Sequence[Gold] = [g for g in facts.golds if g.subject.item_id == one.item_id]

    assert [vote.rater for vote in one.votes] == [judge.id for judge in facts.design.judges]
    assert one.gold.words in {{0: "first response", 1: "second response"}.get(g.value, str(g.value)) for g in gold} | {
        "both bad"
    }


def test_a_vote_that_is_missing_says_why() -> None:
    votes = [vote for one in only(build_report(make_facts())).disagreements for vote in one.votes]

    assert {vote.words for vote in votes if not vote.is_label} == {"unreadable"}


def test_costs_that_are_not_known_are_added_up_by_reason() -> None:
    cost = build_report(make_facts(n_items=4)).cost

    assert cost.unpriced == (
        Unpriced(reason="no price is known for command-r", n_exchanges=19, input_tokens=19_000, output_tokens=190),
    )


def test_calls_that_were_not_asked_are_a_warning() -> None:
    report = build_report(replace(make_facts(n_items=4), n_unasked=8, n_planned=32))

    assert report.warnings[0].startswith("8 calls of 32 were not asked (25%)")
    assert report.counts.n_calls_settled == 24


def test_a_judge_without_any_vote_is_a_warning() -> None:
    facts = make_facts(n_items=4)
    votes = facts.votes[CORRECT.id]
    missing = votes.missing.copy()
    missing[0] = 1 + votes.reasons.index("unreadable")
    report = build_report(replace(facts, votes={CORRECT.id: replace(votes, missing=missing)}))

    assert "Judge gpt-4o-mini has no vote on criterion correct." in report.warnings


def test_calls_without_a_reply_are_a_warning_whose_reason_cannot_act() -> None:
    unanswered = {JudgeId("haiku"): Unanswered(n_calls=2, reason="no\x1b[2J\nsuch host")}
    report = build_report(replace(facts_of(CORRECT), without_reply=unanswered))

    (warning,) = (warning for warning in report.warnings if "gave no reply" in warning)
    assert warning.startswith(r"Judge haiku gave no reply to 2 calls; the last reason: no\x1b[2J\nsuch host.")


def test_a_run_without_items_can_be_reported() -> None:
    report = build_report(make_facts(n_items=0))

    assert only(report).outcomes.n_subjects == 0


def test_the_rule_is_told_with_its_tie_policy() -> None:
    ties = {
        TiePolicy(kind="label", label="correct"): "label: correct",
        TiePolicy(kind="random", seed=7): "random (seed 7)",
        TiePolicy(): "undecided",
    }
    for tie, words in ties.items():
        assert build_report(make_facts(n_items=2, aggregation=Aggregation(tie=tie))).decision.tie == words


def test_a_label_may_be_called_undecided() -> None:
    scale = NominalScale(labels=("undecided", "sure"))
    outcomes = count_outcomes(
        [replace(verdict(Decided(value="undecided"), (0,)), criterion_id=CriterionId("c"))], scale
    )

    assert (outcomes.decided[0], outcomes.n_undecided) == (Tally(name="undecided", n=1), 0)
