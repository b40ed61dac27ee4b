"""Majority: more than half of the denominator, and what failures do to it."""

import pytest

from venire.aggregation.decide import aggregate
from venire.domain.aggregation import TiePolicy
from venire.domain.rubric import IntervalScale, NominalScale, OrdinalScale
from venire.domain.verdict import Decided, Shared, Undecided, VerdictOutcome

from .panels import GRADES, PAIR, THREE, YES_NO, Vote, criterion, decide, design, judgment, outcome, subject

TIED, NONE = Undecided(reason="votes tied"), Undecided(reason="no majority")


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        (["a", "a", "b"], Decided(value="a")),
        (["a", "b", "c"], TIED),
        (["a", "a", "b", "c"], NONE),
        (["a", "a", "b", "b"], TIED),
        (["a", None, "b"], TIED),
        (["b", None, "a"], TIED),
        (["a", None, "a"], Decided(value="a")),
        ([None, None, "a"], NONE),
        (["a", "a", None, None], NONE),
        ([None, None, None], Undecided(reason="quorum: 0 of 3 votes, 1 needed")),
    ],
)
def test_more_than_half_of_the_seated_decide(votes: list[Vote], expected: VerdictOutcome) -> None:
    """Kind of fault F29: failed judges stay in the denominator."""
    assert outcome(THREE, votes) == expected


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ([None, None, "a"], Decided(value="a")),
        (["a", None, "b"], TIED),
        (["a", "a", None, None], Decided(value="a")),
    ],
)
def test_counted_leaves_missing_votes_out(votes: list[Vote], expected: VerdictOutcome) -> None:
    assert outcome(THREE, votes, denominator="counted") == expected


def test_numbers_agree_where_they_are_equal() -> None:
    scale = IntervalScale(min=1, max=10)

    assert outcome(scale, [9, 10, None]) == TIED
    assert outcome(scale, [9, 9, 10]) == Decided(value=9)


@pytest.mark.parametrize(("scale", "label"), [(YES_NO, "no"), (GRADES, "fair")])
def test_a_tie_becomes_the_label_of_the_policy(scale: NominalScale | OrdinalScale, label: str) -> None:
    verdict = decide(scale, [scale.labels[0], scale.labels[1]], tie=TiePolicy(kind="label", label=label))

    assert verdict.outcome == Decided(value=label)
    assert verdict.support == 0.5


def test_a_tie_between_responses_becomes_the_label_tie_with_no_vote_behind_it() -> None:
    verdict = decide(PAIR, [0, 1], tie=TiePolicy(kind="label", label="tie"))

    assert (verdict.outcome, verdict.support) == (Decided(value="tie"), 0.0)


def test_a_fractional_tie_is_shared_and_its_support_is_that_of_each_value() -> None:
    verdict = decide(THREE, ["b", "a", "a", "b"], tie=TiePolicy(kind="fractional"))

    assert (verdict.outcome, verdict.support) == (Shared(values=("a", "b")), 0.5)


def test_a_tie_by_lot_depends_on_the_seed_alone() -> None:
    drawn = [outcome(YES_NO, ["yes", "no"], tie=TiePolicy(kind="random", seed=seed)) for seed in range(20)]

    assert drawn == [outcome(YES_NO, ["no", "yes"], tie=TiePolicy(kind="random", seed=seed)) for seed in range(20)]
    assert {one.value for one in drawn if isinstance(one, Decided)} == {"yes", "no"}


def test_lots_of_different_subjects_are_drawn_apart() -> None:
    subjects = [subject(f"i{number}") for number in range(20)]
    judgments = [judgment(judge, about, vote) for about in subjects for judge, vote in (("j1", "yes"), ("j2", "no"))]
    panel = design([criterion(YES_NO)], ["j1", "j2"], tie=TiePolicy(kind="random", seed=1))

    outcomes = {verdict.subject: verdict.outcome for verdict in aggregate(judgments, subjects, panel).verdicts}

    assert {one.value for one in outcomes.values() if isinstance(one, Decided)} == {"yes", "no"}


def test_a_label_without_majority_is_no_tie_for_the_policy() -> None:
    assert outcome(THREE, ["a", "a", "b", "c"], tie=TiePolicy(kind="label", label="c")) == NONE


@pytest.mark.parametrize(
    ("quorum", "expected"), [(2, Decided(value="a")), (3, Undecided(reason="quorum: 2 of 3 votes, 3 needed"))]
)
def test_too_few_votes_leave_it_undecided(quorum: int, expected: VerdictOutcome) -> None:
    assert outcome(THREE, ["a", None, "a"], quorum=quorum) == expected
