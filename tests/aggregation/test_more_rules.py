"""Rules min, at_least, median, trimmed_mean, weighted, majority_or_mean, geometric_median, dawid_skene and one_coin."""

import itertools

import numpy as np
import pytest

from venire.aggregation.decide import aggregate
from venire.aggregation.geometric import INCOMPLETE, decide_by_geometric_median
from venire.aggregation.rules import apply_rules
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import RULES, Aggregation, RuleName, TiePolicy, rule_fits, rules_that_fit
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, OrdinalScale, Scale
from venire.domain.verdict import Decided, Shared, Undecided
from venire.errors import DesignError

from .panels import GRADES, PAIR, THREE, YES_NO, Vote, coded, criterion, decide, design, judgment, outcome, subject

ONE_TO_FIVE = IntervalScale(min=1, max=5)
TIED = Undecided(reason="votes tied")


@pytest.mark.parametrize(
    ("scale", "votes", "expected"),
    [
        (YES_NO, ["yes", "yes", "no"], "no"),
        (YES_NO, ["yes", "yes", None], "yes"),
        (GRADES, ["good", "fair", "good"], "fair"),
        (ONE_TO_FIVE, [4, 2, 5], 2),
    ],
)
def test_min_is_a_logical_and(scale: Scale, votes: list[Vote], expected: str | int) -> None:
    assert outcome(scale, votes, rule="min") == Decided(value=expected)


@pytest.mark.parametrize(("n_needed", "expected"), [(1, "yes"), (2, "yes"), (3, "no")])
def test_at_least_counts_the_positive_votes(n_needed: int, expected: str) -> None:
    assert outcome(YES_NO, ["yes", "yes", "no"], rule="at_least", at_least=n_needed) == Decided(value=expected)


def test_at_least_one_is_max_and_at_least_all_is_min() -> None:
    for votes in itertools.product(["yes", "no"], repeat=3):
        assert outcome(YES_NO, [*votes], rule="at_least", at_least=1) == outcome(YES_NO, [*votes], rule="max")
        assert outcome(YES_NO, [*votes], rule="at_least", at_least=3) == outcome(YES_NO, [*votes], rule="min")


@pytest.mark.parametrize(
    ("scale", "votes", "expected"),
    [
        (ONE_TO_FIVE, [1, 5, 4], Decided(value=4.0)),
        (ONE_TO_FIVE, [1, 2, 4, 5], Decided(value=3.0)),
        (ONE_TO_FIVE, [1, None, 2], Decided(value=1.5)),
        (GRADES, ["poor", "good", "fair"], Decided(value="fair")),
        (GRADES, ["poor", "good", "good", "poor"], TIED),
        (GRADES, ["fair", "fair", "good", "poor"], Decided(value="fair")),
    ],
)
def test_the_median_is_the_vote_in_the_middle(scale: Scale, votes: list[Vote], expected: object) -> None:
    assert outcome(scale, votes, rule="median") == expected


def test_two_grades_in_the_middle_go_to_the_tie_policy() -> None:
    said = outcome(GRADES, ["poor", "good"], rule="median", tie=TiePolicy(kind="fractional"))

    assert said == Shared(values=("poor", "good"))


def test_the_trimmed_mean_leaves_the_ends_out() -> None:
    assert outcome(ONE_TO_FIVE, [1, 3, 4, 5], rule="trimmed_mean", trim=0.25) == Decided(value=3.5)
    assert outcome(ONE_TO_FIVE, [1, 3, 5], rule="trimmed_mean", trim=0.25) == Decided(value=3.0)


@pytest.mark.parametrize(
    ("scale", "votes", "weights", "expected"),
    [
        (THREE, ["a", "b", "b"], [3, 1, 1], Decided(value="a")),
        (THREE, ["a", "b", "b"], [2, 1, 1], TIED),
        (THREE, ["a", "b", "c"], [0.3, 0.1, 0.2], Decided(value="a")),
        (THREE, [None, "b", "c"], [5, 1, 2], Decided(value="c")),
        (THREE, ["a", None, None], [0, 1, 1], Undecided(reason="no vote counted")),
        (ONE_TO_FIVE, [1, 5, 5], [2, 1, 1], Decided(value=3.0)),
    ],
)
def test_weights_count(scale: Scale, votes: list[Vote], weights: list[float], expected: object) -> None:
    named = tuple((JudgeId(f"j{row}"), weight) for row, weight in enumerate(weights))

    assert outcome(scale, votes, rule="weighted", weights=named) == expected


def test_weights_that_are_equal_but_for_rounding_tie() -> None:
    named = tuple((JudgeId(f"j{row}"), weight) for row, weight in enumerate([0.1, 0.2, 0.3]))

    assert outcome(THREE, ["a", "a", "b"], rule="weighted", weights=named) == TIED


def test_majority_or_mean_falls_back_on_the_mean() -> None:
    """PoLL's footnote 4: three judges on 1 to 5 often have no majority."""
    assert outcome(ONE_TO_FIVE, [2, 2, 5], rule="majority_or_mean") == Decided(value=2.0)
    assert outcome(ONE_TO_FIVE, [1, 2, 5], rule="majority_or_mean") == Decided(value=pytest.approx(8 / 3))


def vectors(rows: list[list[float | None]]) -> dict[CriterionId, CodedVotes]:
    """One subject; a row for each judge with a number for each criterion."""
    return {
        CriterionId(f"q{number}"): coded(ONE_TO_FIVE, [[row[number]] for row in rows]) for number in range(len(rows[0]))
    }


def test_a_vector_that_is_plausible_on_every_axis_alone_does_not_pull_the_geometric_median() -> None:
    """RoPoLL's example: half of the judges far off in a corner that each coordinate's median would go half way to."""
    votes = vectors([[3, 3], [3, 3], [3, 3], [1, 5], [5, 1]])

    found = decide_by_geometric_median(votes, "criteria")

    assert [float(one.codes[0]) for one in found.values()] == [3.0, 3.0]


def test_criteria_are_put_on_one_scale_before_they_become_a_vector() -> None:
    small = vectors([[1, 2], [5, 4], [2, 5]])
    large = {
        **small,
        CriterionId("q1"): coded(IntervalScale(min=0, max=400), [[100], [300], [400]]),
    }

    plain, scaled = (decide_by_geometric_median(votes, "criteria") for votes in (small, large))

    assert scaled[CriterionId("q0")].codes == pytest.approx(plain[CriterionId("q0")].codes)
    assert scaled[CriterionId("q1")].codes == pytest.approx(100 * (plain[CriterionId("q1")].codes - 1))


def test_a_judge_that_misses_a_criterion_is_left_out_of_the_vector() -> None:
    found = decide_by_geometric_median(vectors([[3, 3], [3, 3], [1, None]]), "criteria")

    first = found[CriterionId("q0")]
    assert first.codes.tolist() == [3.0]
    assert first.votes.reasons[first.votes.missing[2, 0] - 1] == INCOMPLETE


def test_the_order_of_judges_does_not_reach_the_last_bit_of_a_geometric_median() -> None:
    rows: list[list[float | None]] = [[1, 2], [4, 3], [2, 5], [3, 1]]
    found = [
        [one.codes[0] for one in decide_by_geometric_median(vectors(list(order)), "criteria").values()]
        for order in itertools.permutations(rows)
    ]

    assert all(one == found[0] for one in found)


def test_a_vector_may_hold_the_responses_of_an_item() -> None:
    seats = design([criterion(ONE_TO_FIVE)], ["j0", "j1", "j2"], rule="geometric_median", over="responses")
    subjects = [subject("i1", 0), subject("i1", 1), subject("i2", 0)]
    said = [[5, 1, 3], [5, 1, 4], [1, 5, 5]]
    judgments = [
        judgment(f"j{row}", one, vote)
        for row, votes in enumerate(said)
        for one, vote in zip(subjects, votes, strict=True)
    ]

    verdicts = aggregate(judgments, subjects, seats).verdicts

    assert [verdict.outcome for verdict in verdicts] == [Decided(value=5.0), Decided(value=1.0), Decided(value=4.0)]


@pytest.mark.parametrize("rule", ["dawid_skene", "one_coin"])
def test_latent_labels_trust_the_judge_that_agrees_with_the_others(rule: RuleName) -> None:
    generator = np.random.default_rng(1)
    truth = generator.integers(0, 2, 300)
    accuracies = [0.95, 0.9, 0.55, 0.55, 0.55]
    votes = [np.where(generator.random(300) < accuracy, truth, 1 - truth) for accuracy in accuracies]
    table: list[list[Vote]] = [[YES_NO.labels[code] for code in row] for row in votes]

    found = apply_rules({CriterionId("q"): coded(YES_NO, table)}, Aggregation(rule=rule))[CriterionId("q")]

    majority = (np.array(votes).sum(axis=0) >= 3).astype(int)
    assert (found.codes == truth).mean() > (majority == truth).mean() + 0.05


def test_latent_labels_do_not_depend_on_the_order_of_judges() -> None:
    table: list[list[Vote]] = [["a", "b", "c", "a"], ["a", "b", "a", "a"], ["b", "b", "c", "c"]]
    one, other = coded(THREE, table), coded(THREE, table).only(["j2", "j0", "j1"])

    found = [apply_rules({CriterionId("q"): votes}, Aggregation(rule="dawid_skene")) for votes in (one, other)]

    assert np.array_equal(found[0][CriterionId("q")].codes, found[1][CriterionId("q")].codes)


def test_a_fit_that_should_not_be_believed_says_so_in_words() -> None:
    found = apply_rules({CriterionId("q"): coded(YES_NO, [["yes"], ["yes"]])}, Aggregation(rule="dawid_skene"))

    assert any("2 voters: with fewer than three" in note for note in found[CriterionId("q")].notes)


@pytest.mark.parametrize("panel", [["j0", "j1", "j2"], ["j2", "j0", "j1"]])
def test_a_fit_that_stands_on_one_judge_names_it(panel: list[str]) -> None:
    generator = np.random.default_rng(2)
    truth = generator.integers(0, 2, 1000)
    rows = [np.where(generator.random(1000) < accuracy, truth, 1 - truth) for accuracy in (0.99, 0.6, 0.6)]
    votes = coded(YES_NO, [[YES_NO.labels[code] for code in row] for row in rows]).only(panel)

    found = apply_rules({CriterionId("q"): votes}, Aggregation(rule="dawid_skene"))

    assert any("always that of judge 'j0'" in note for note in found[CriterionId("q")].notes)


def test_a_pooled_rule_over_nobody_decides_nothing() -> None:
    assert decide(YES_NO, [None, None], rule="one_coin").outcome == Undecided(reason="quorum: 0 of 2 votes, 1 needed")


def test_latent_labels_of_a_choice_among_three_responses_are_refused() -> None:
    seats = design([criterion(ChoiceScale())], ["j0", "j1"], rule="dawid_skene", protocol="listwise")
    three = subject("i1", 0, 1, 2)

    with pytest.raises(DesignError, match="a choice of two"):
        aggregate([judgment("j0", three, 2)], [three], seats)


@pytest.mark.parametrize("scale", [YES_NO, THREE, GRADES, ONE_TO_FIVE, PAIR])
def test_a_rule_that_does_not_fit_a_scale_is_refused_by_the_design(
    scale: NominalScale | OrdinalScale | IntervalScale | ChoiceScale,
) -> None:
    for rule in RULES:
        needs = {"at_least": {"at_least": 1}, "weighted": {"weights": ((JudgeId("j"), 1.0),)}}.get(rule, {})
        if rule_fits(rule, scale):
            design([criterion(scale)], ["j"], rule=rule, **needs)
        else:
            with pytest.raises(DesignError, match="has no meaning on the scale"):
                design([criterion(scale)], ["j"], rule=rule, **needs)
    assert "majority" in rules_that_fit(scale)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rule": "at_least"}, "needs how many votes"),
        ({"rule": "at_least", "at_least": 3}, "only 2 judges vote"),
        ({"rule": "weighted"}, "needs the weight of every voting judge"),
        ({"rule": "weighted", "weights": ((JudgeId("a"), 1.0),)}, "the judges that vote are"),
        ({"rule": "weighted", "weights": ((JudgeId("a"), -1.0), (JudgeId("b"), 1.0))}, "0 or above"),
        ({"rule": "weighted", "weights": ((JudgeId("a"), 0.0), (JudgeId("b"), 0.0))}, "are all 0"),
        ({"trim": 0.5}, "0 to below 0.5"),
    ],
)
def test_what_a_rule_needs_is_asked_for(fields: dict[str, object], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        design([criterion(YES_NO)], ["a", "b"], **fields)
