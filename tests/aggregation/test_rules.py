"""The other rules: max, plurality, unanimity and mean."""

from itertools import permutations

import pytest

from venire.aggregation.max_ import decide_by_max
from venire.aggregation.mean import decide_by_mean
from venire.domain.aggregation import TiePolicy
from venire.domain.finding import Undefined
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale
from venire.domain.verdict import Decided, Shared, Undecided, VerdictOutcome
from venire.errors import DesignError

from .panels import GRADES, PAIR, THREE, YES_NO, Vote, coded, decide, outcome

TIED = Undecided(reason="votes tied")
ONE_TO_FIVE = IntervalScale(min=1, max=5)
BOTH_BAD = ChoiceScale(tie=False, both_bad=True)


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        (["yes", "no", "no"], "yes"),
        (["no", "no", "no"], "no"),
        (["no", None, "yes"], "yes"),
        (["no", None, None], "no"),
    ],
)
def test_max_is_a_logical_or(votes: list[Vote], expected: str) -> None:
    """PoLL (Verga et al. 2024, section 3): correct if any judge says so."""
    assert outcome(YES_NO, votes, rule="max") == Decided(value=expected)


def test_max_follows_the_declared_positive_label() -> None:
    scale = NominalScale(labels=("wrong", "right"), positive="right")

    assert outcome(scale, ["wrong", "right", "wrong"], rule="max") == Decided(value="right")


def test_max_takes_the_highest_grade_and_the_highest_number() -> None:
    assert outcome(GRADES, ["fair", "poor", None], rule="max") == Decided(value="fair")
    assert outcome(ONE_TO_FIVE, [2, 5, 1], rule="max") == Decided(value=5)


def test_max_of_nothing_is_undecided() -> None:
    assert outcome(GRADES, [None, None], rule="max") == Undecided(reason="quorum: 0 of 2 votes, 1 needed")


def test_max_counts_those_who_hold_the_decision_as_its_support() -> None:
    assert decide(YES_NO, ["yes", "no", "no", None], rule="max").support == 0.25
    assert decide(ONE_TO_FIVE, [5, 5, 2], rule="max", denominator="counted").support == pytest.approx(2 / 3)


@pytest.mark.parametrize("scale", [THREE, PAIR])
def test_max_refuses_labels_of_which_none_is_best(scale: NominalScale | ChoiceScale) -> None:
    with pytest.raises(DesignError, match="rule max"):
        decide_by_max(coded(scale, [[None]]))


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        (["a", "a", "b", "c"], Decided(value="a")),
        (["a", None, None, "b"], TIED),
        (["c", None, None, None], Decided(value="c")),
    ],
)
def test_plurality_is_the_most_votes_however_few(votes: list[Vote], expected: VerdictOutcome) -> None:
    assert outcome(THREE, votes, rule="plurality") == expected


def test_plurality_of_numbers_shares_a_tie() -> None:
    tie = TiePolicy(kind="fractional")

    assert outcome(ONE_TO_FIVE, [5, 2, 5, 2, 1], rule="plurality", tie=tie) == Shared(values=(2, 5))


@pytest.mark.parametrize(
    ("votes", "denominator", "expected"),
    [
        (["yes", "yes"], "seated", Decided(value="yes")),
        (["yes", None], "seated", Undecided(reason="not unanimous")),
        (["yes", None], "counted", Decided(value="yes")),
        (["yes", "no"], "counted", Undecided(reason="not unanimous")),
        ([None, None], "counted", Undecided(reason="quorum: 0 of 2 votes, 1 needed")),
    ],
)
def test_unanimity_needs_the_whole_denominator(votes: list[Vote], denominator: str, expected: VerdictOutcome) -> None:
    assert outcome(YES_NO, votes, rule="unanimity", denominator=denominator) == expected


def test_a_unanimous_panel_has_full_support_among_the_counted() -> None:
    verdict = decide(YES_NO, ["yes", None, "yes"], rule="unanimity", denominator="counted")

    assert (verdict.support, verdict.spread) == (1.0, 0.0)


def test_the_mean_leaves_failures_out_and_counts_them() -> None:
    """Kind of fault F30: a failure is not a score of 0."""
    verdict = decide(ONE_TO_FIVE, [4, 4, None, 4], rule="mean")

    assert (verdict.outcome, verdict.n_counted, verdict.missing) == (Decided(value=4.0), 3, (("unreadable", 1),))


@pytest.mark.parametrize("votes", list(permutations([0.1, 0.2, 0.3])))
def test_the_order_of_judges_does_not_reach_the_last_bit_of_a_mean(votes: tuple[float, ...]) -> None:
    """0.1 + 0.2 + 0.3 is 0.6000000000000001, but 0.3 + 0.2 + 0.1 is 0.6."""
    scale = IntervalScale(min=0, max=1, integer=False)
    first = decide(scale, [0.1, 0.2, 0.3], rule="mean")

    assert decide(scale, votes, rule="mean") == first


def test_a_real_zero_stays_a_zero() -> None:
    assert outcome(IntervalScale(min=0, max=4), [0, 4], rule="mean") == Decided(value=2.0)


def test_the_mean_of_nothing_is_undecided() -> None:
    verdict = decide(ONE_TO_FIVE, [None] * 3, rule="mean")

    assert verdict.outcome == Undecided(reason="quorum: 0 of 3 votes, 1 needed")
    assert verdict.spread == Undefined("no vote counted")


def test_a_mean_of_numbers_has_a_spread_and_no_support() -> None:
    verdict = decide(ONE_TO_FIVE, [1, 3, 5], rule="mean")

    assert isinstance(verdict.support, Undefined)
    assert verdict.spread == pytest.approx((8 / 3) ** 0.5)


def test_equal_numbers_have_themselves_as_mean_and_no_spread() -> None:
    """Three times 0.1 sums to 0.30000000000000004."""
    verdict = decide(IntervalScale(min=0, max=0.1, integer=False), [0.1] * 3, rule="mean")

    assert (verdict.outcome, verdict.spread) == (Decided(value=0.1), 0.0)


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        (["yes", "yes", "no"], Decided(value="yes")),
        (["no", "no", "yes"], Decided(value="no")),
        (["no", "yes", None], TIED),
    ],
)
def test_the_mean_of_two_labels_is_that_of_the_positive(votes: list[Vote], expected: VerdictOutcome) -> None:
    assert outcome(YES_NO, votes, rule="mean") == expected


@pytest.mark.parametrize(
    ("votes", "expected"),
    [([0, 0, 1], 0), ([1, "tie", "tie"], 1), ([0, "tie", 1], "tie"), (["tie", "tie"], "tie"), ([0, 1], "tie")],
)
def test_the_mean_of_a_choice_lies_between_the_responses(votes: list[Vote], expected: int | str) -> None:
    assert outcome(PAIR, votes, rule="mean") == Decided(value=expected)


def test_a_choice_without_ties_that_is_even_goes_to_the_tie_policy() -> None:
    assert outcome(ChoiceScale(tie=False), [0, 1], rule="mean") == TIED
    assert outcome(ChoiceScale(tie=False), [0, 1], rule="mean", tie=TiePolicy(kind="fractional")) == Shared(
        values=(0, 1)
    )


def test_both_bad_is_left_out_of_the_mean_and_counted_as_missing() -> None:
    verdict = decide(BOTH_BAD, [1, "both_bad", None], rule="mean")

    assert verdict.outcome == Decided(value=1)
    assert (verdict.n_counted, verdict.missing) == (1, (("both bad", 1), ("unreadable", 1)))


def test_both_bad_alone_is_no_tie() -> None:
    assert outcome(BOTH_BAD, ["both_bad"] * 2, rule="mean") == Undecided(reason="quorum: 0 of 2 votes, 1 needed")


@pytest.mark.parametrize("scale", [THREE, GRADES])
def test_the_mean_refuses_labels_that_have_none(scale: NominalScale) -> None:
    with pytest.raises(DesignError, match="rule mean"):
        decide_by_mean(coded(scale, [[None]]))
