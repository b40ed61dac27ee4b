"""Several criteria combine into one verdict, overall."""

import pytest

from venire.aggregation.criteria import Combination, check_combination, combine_criteria
from venire.aggregation.decide import aggregate
from venire.domain.finding import Undefined
from venire.domain.identity import OVERALL
from venire.domain.rubric import ChoiceScale, IntervalScale, Rubric, Scale
from venire.domain.verdict import Decided, Shared, Undecided, VerdictOutcome
from venire.errors import DesignError

from .panels import GRADES, PAIR, THREE, YES_NO, Vote, criterion, design, judgment, subject

STARS = IntervalScale(min=1, max=5)
WITH_BOTH_BAD = ChoiceScale(both_bad=True)
OPEN = Undecided(reason="votes tied")


Parts = dict[str, tuple[Scale, float, VerdictOutcome]]


def combine(parts: Parts, how: Combination = "weighted") -> VerdictOutcome:
    """Combine outcomes of criteria given as name → (scale, weight, outcome)."""
    criteria = [criterion(scale, name, weight) for name, (scale, weight, _) in parts.items()]
    outcomes = {one.id: parts[one.id][2] for one in criteria}
    check_combination(Rubric(criteria=tuple(criteria)), how)
    return combine_criteria(subject("i1", 0, 1), outcomes, Rubric(criteria=tuple(criteria)), how)


def yes(word: str = "yes") -> Decided:
    return Decided(value=word)


def test_positions_are_averaged_by_weight() -> None:
    parts: Parts = {
        "a": (STARS, 1.0, Decided(value=2)),
        "b": (GRADES, 2.0, Decided(value="fair")),
        "c": (YES_NO, 1.0, Decided(value="yes")),
    }

    assert combine(parts) == Decided(value=(0.25 + 2 * 0.5 + 1.0) / 4)


def test_the_order_of_criteria_does_not_reach_the_last_bit() -> None:
    parts: Parts = {name: (STARS, weight, Decided(value=2.3)) for name, weight in (("a", 0.1), ("b", 0.2), ("c", 0.7))}

    assert combine(parts) == combine(dict(reversed(parts.items())))


def test_one_undecided_criterion_leaves_the_mean_undecided() -> None:
    assert combine({"a": (YES_NO, 1, yes()), "b": (YES_NO, 1, OPEN)}) == Undecided(reason="criterion 'b' is undecided")


def test_a_shared_outcome_enters_with_equal_parts() -> None:
    parts: Parts = {"a": (YES_NO, 1, Shared(values=("yes", "no"))), "b": (YES_NO, 1, yes())}

    assert combine(parts) == Decided(value=0.75)


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([yes(), Decided(value="good")], Decided(value="pass")),
        ([yes(), Decided(value="fair")], Decided(value="fail")),
        ([yes(), OPEN], Undecided(reason="criterion 'b' is undecided")),
        ([yes("no"), OPEN], Decided(value="fail")),
        ([OPEN, Decided(value="poor")], Decided(value="fail")),
        ([Shared(values=("yes", "no")), Decided(value="good")], Undecided(reason="criterion 'a' is undecided")),
    ],
)
def test_all_means_every_criterion_positive(outcomes: list[VerdictOutcome], expected: VerdictOutcome) -> None:
    assert combine({"a": (YES_NO, 1, outcomes[0]), "b": (GRADES, 1, outcomes[1])}, "all") == expected


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ([(0, 0.3), (1, 0.1), (1, 0.1)], Decided(value=0)),
        ([(0, 0.3), (1, 0.1), (1, 0.2)], Decided(value="tie")),
        ([("tie", 5.0), (1, 0.1)], Decided(value=1)),
        ([("tie", 1.0), ("tie", 1.0)], Decided(value="tie")),
        ([("both_bad", 2.0), (0, 1.0)], Decided(value="both_bad")),
        ([("both_bad", 1.0), (0, 1.0)], Undecided(reason="criteria tied")),
    ],
)
def test_choices_are_won_by_weight(choices: list[tuple[int | str, float]], expected: VerdictOutcome) -> None:
    parts: Parts = {
        f"c{place}": (WITH_BOTH_BAD, weight, Decided(value=value)) for place, (value, weight) in enumerate(choices)
    }

    assert combine(parts) == expected


def test_choices_without_ties_that_weigh_the_same_are_undecided() -> None:
    scale = ChoiceScale(tie=False)

    assert combine({"a": (scale, 1, Decided(value=0)), "b": (scale, 1, Decided(value=1))}) == Undecided(
        reason="criteria tied"
    )


@pytest.mark.parametrize(("scale", "how"), [(THREE, "weighted"), (STARS, "all"), (PAIR, "all")])
def test_criteria_that_cannot_be_combined_are_refused(scale: Scale, how: Combination) -> None:
    with pytest.raises(DesignError, match="Criterion 'b'"):
        combine({"a": (YES_NO, 1, yes()), "b": (scale, 1, OPEN)}, how)


def test_one_criterion_has_no_combination() -> None:
    about = subject()
    verdicts = aggregate([judgment("j", about, "a")], [about], design([criterion(THREE)], ["j"])).verdicts

    assert [verdict.criterion_id for verdict in verdicts] == ["q"]


def test_the_combination_counts_judges_that_voted_on_every_criterion() -> None:
    about = subject()
    votes: dict[str, dict[str, Vote]] = {
        "x": {"j1": "yes", "j2": "yes", "j3": None},
        "y": {"j1": "yes", "j2": None, "j3": "yes"},
    }
    judgments = [judgment(judge, about, vote, on) for on, row in votes.items() for judge, vote in row.items()]
    panel = design([criterion(YES_NO, "x"), criterion(YES_NO, "y")], ["j1", "j2", "j3"])

    overall = aggregate(judgments, [about], panel).verdicts[-1]

    assert (overall.criterion_id, overall.outcome) == (OVERALL, Decided(value=1.0))
    assert (overall.n_seated, overall.n_counted, overall.missing) == (3, 1, (("unreadable", 2),))
    assert isinstance(overall.support, Undefined)
