"""Agreement with gold and panel: values against scikit-learn, pairs, groups, and reasons where nothing is defined."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, cohen_kappa_score

from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.measures import Agreement, RaterAgreement
from venire.domain.rubric import Scale
from venire.metaeval.agreement import measure_agreement

from .votes import GRADES, RATINGS, YES_NO, Row, code

GRADE = st.sampled_from(GRADES.labels)


def measure(
    judges: Mapping[str, Row],
    panel: Row,
    gold: Row | None,
    *,
    scale: Scale = YES_NO,
    groups: Sequence[str] | None = None,
    voting: Sequence[str] | None = None,
) -> Agreement:
    """Agreement with one group for each subject and all judges voting, unless said otherwise."""
    return measure_agreement(
        votes=code(scale, judges),
        panel=code(scale, {"panel": panel}),
        gold=None if gold is None else code(scale, {"gold": gold}),
        groups=groups or [str(number) for number in range(len(panel))],
        voting=tuple(judges) if voting is None else voting,
    )


def value(figure: Finding | Undefined) -> float:
    """The value of a figure that must have one."""
    assert isinstance(figure, Finding), figure
    assert isinstance(figure.value, float), figure.value
    return figure.value


def interval(figure: Finding | Undefined | None) -> Interval:
    """The interval of a figure that must have one."""
    assert isinstance(figure, Finding), figure
    assert isinstance(figure.interval, Interval), figure.interval
    return figure.interval


@given(st.lists(st.tuples(GRADE, GRADE), min_size=2, max_size=40))
def test_accuracy_and_quadratic_kappa_are_those_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    judge, gold = [a for a, _ in pairs], [b for _, b in pairs]
    measured = measure({"a": judge}, judge, gold, scale=GRADES).judge("a")

    assert value(measured.accuracy) == pytest.approx(accuracy_score(gold, judge))
    assert isinstance(measured.kappa, Finding)
    if isinstance(measured.kappa.value, Undefined):
        assert len({*judge, *gold}) == 1
    else:
        expected = cohen_kappa_score(judge, gold, labels=list(GRADES.labels), weights="quadratic")
        assert measured.kappa.value == pytest.approx(expected)


def test_nominal_kappa_is_that_of_cohen_1960() -> None:
    """By the formula of Cohen (1960), doi:10.1177/001316446002000104: observed .8, expected .6 x .6 + .4 x .4 = .52."""
    judge = ["yes"] * 6 + ["no"] * 4
    gold = ["yes"] * 5 + ["no"] + ["yes"] + ["no"] * 3

    assert value(measure({"a": judge}, judge, gold).judge("a").kappa) == pytest.approx((0.8 - 0.52) / 0.48)


def test_numbers_have_an_error_and_neither_accuracy_nor_kappa() -> None:
    measured = measure({"a": [1, 2, 9]}, [1, 4, 9], [2, 4, 9], scale=RATINGS).judge("a")

    assert value(measured.mean_absolute_error) == pytest.approx(1.0)
    assert isinstance(measured.kappa, Undefined)
    assert "numbers" in measured.kappa.reason


def test_agreement_with_the_panel_is_the_share_of_equal_labels() -> None:
    measured = measure({"a": ["yes", "no", "?refused", "no"]}, ["yes", "yes", "no", "?undecided"], None).judge("a")

    assert isinstance(measured.with_panel, Finding)
    assert (value(measured.with_panel), measured.with_panel.n) == (0.5, 2)
    assert measured.with_panel.missing == (("refused", 1), ("undecided", 1))


def test_every_subject_is_counted_or_missing_for_a_reason() -> None:
    finding = measure({"a": ["?unreadable", "yes", "no", "yes"]}, ["yes"] * 4, ["yes", "?no gold", "no", "yes"])
    accuracy = finding.judge("a").accuracy

    assert isinstance(accuracy, Finding)
    assert (accuracy.n, accuracy.missing) == (2, (("no gold", 1), ("unreadable", 1)))


def test_without_gold_every_figure_against_gold_says_so() -> None:
    measured = measure({"a": ["yes", "no"]}, ["yes", "no"], None)

    assert measured.judge("a").kappa == Undefined("there is no gold")
    assert (measured.best_single, measured.panel_minus_best) == (None, None)


def test_gold_for_no_subject_is_no_gold() -> None:
    measured = measure({"a": ["yes", "no"]}, ["yes", "no"], ["?no gold", "?no gold"])

    assert measured.panel.accuracy == Undefined("there is no gold")


def test_kappa_of_one_class_is_undefined_and_accuracy_stands_beside_it() -> None:
    """Fault F22: judge and gold gave one and the same label throughout."""
    measured = measure({"a": ["yes"] * 4}, ["yes"] * 4, ["yes"] * 4).judge("a")

    assert isinstance(measured.kappa, Finding)
    assert isinstance(measured.kappa.value, Undefined)
    assert "expected agreement is 1" in measured.kappa.value.reason
    assert (value(measured.accuracy), measured.kappa.n) == (1.0, 4)


def test_ordinal_labels_keep_the_order_of_their_scale() -> None:
    """Fault F23: 0.8 in the declared order, 0.2 in alphabetical order."""
    human = ["poor", "fair", "good", "excellent", "good", "fair", "poor", "excellent"]
    judge = ["fair", "fair", "good", "good", "excellent", "poor", "poor", "excellent"]

    assert value(measure({"a": judge}, judge, human, scale=GRADES).judge("a").kappa) == pytest.approx(0.8)


def test_one_group_gives_no_interval_and_says_why() -> None:
    accuracy = measure({"a": ["yes", "no"]}, ["yes", "no"], ["yes", "yes"], groups=["g", "g"]).judge("a").accuracy

    assert isinstance(accuracy, Finding)
    assert accuracy.interval == Undefined("1 group; at least 2 are needed to see how groups vary")


@pytest.mark.parametrize(("n_groups", "says_few"), [(29, True), (30, False)])
def test_fewer_than_thirty_groups_are_called_few(n_groups: int, says_few: bool) -> None:
    gold = ["yes", "no"] * n_groups
    judge = ["yes", "yes"] * (n_groups - 1) + ["yes", "no"]
    groups = [str(number // 2) for number in range(2 * n_groups)]

    method = interval(measure({"a": judge}, judge, gold, groups=groups).judge("a").accuracy).method
    assert ("few groups: too narrow" in method) == says_few


def test_a_perfect_judge_gets_wilsons_interval_instead_of_none() -> None:
    """Wilson (1927): 20 of 20 at 95% has the lower bound n / (n + z²) = 0.8389."""
    gold = ["yes", "no"] * 10
    found = interval(measure({"a": gold}, gold, gold).judge("a").accuracy)

    assert (found.low, found.high) == (pytest.approx(0.8389, abs=1e-4), 1.0)
    assert "Wilson" in found.method


def test_a_group_repeated_within_itself_does_not_narrow_the_interval() -> None:
    judge, gold = ["yes", "no", "no", "yes", "no", "yes"], ["yes", "no", "yes", "yes", "no", "no"]
    once = measure({"a": judge}, judge, gold)
    thrice = measure({"a": judge * 3}, judge * 3, gold * 3, groups=[str(n % 6) for n in range(18)])

    assert interval(thrice.judge("a").accuracy) == interval(once.judge("a").accuracy)


def test_the_best_judge_votes() -> None:
    gold = ["yes", "no", "yes", "no"]
    judges = {"a": ["yes", "no", "yes", "yes"], "oracle": gold}

    assert measure(judges, gold, gold, voting=("a",)).best_single == "a"


def test_equal_judges_are_settled_by_name_and_not_by_order() -> None:
    gold = ["yes", "no", "yes", "no"]

    assert measure({"b": gold, "a": gold}, gold, gold).best_single == "a"


def test_the_lowest_error_is_best_on_numbers() -> None:
    judges = {"far": [9, 9, 9], "near": [2, 2, 4]}

    assert measure(judges, [2, 2, 3], [2, 2, 3], scale=RATINGS).best_single == "near"


def test_the_difference_counts_only_subjects_that_both_decided() -> None:
    gold = ["yes", "no", "yes", "no", "yes"]
    measured = measure({"a": ["yes", "no", "no", "?refused", "yes"]}, ["yes", "?undecided", "yes", "no", "yes"], gold)

    difference = measured.panel_minus_best
    assert difference is not None
    assert difference.n == 3
    assert difference.missing == (("a: refused", 1), ("panel: undecided", 1))


def test_the_difference_of_a_panel_that_copies_its_best_judge_is_zero_in_every_resample() -> None:
    gold = ["yes", "no", "yes", "no", "yes", "no"]
    judge = ["yes", "no", "no", "no", "yes", "no"]
    difference = measure({"a": judge}, judge, gold).panel_minus_best

    assert difference is not None
    assert difference.value == 0.0
    assert isinstance(difference.interval, Undefined)
    assert "every resample gives 0" in difference.interval.reason


def test_the_paired_interval_is_narrower_than_the_two_apart() -> None:
    generator = np.random.Generator(np.random.PCG64(1))
    gold = [("yes", "no")[n] for n in generator.integers(0, 2, 200)]
    judge = [g if generator.random() < 0.7 else "yes" for g in gold]
    panel = [g if generator.random() < 0.1 else j for g, j in zip(gold, judge, strict=True)]
    measured = measure({"a": judge}, panel, gold)

    difference, alone = interval(measured.panel_minus_best), interval(measured.panel.kappa)
    assert difference.high - difference.low < (alone.high - alone.low) / 2


def test_the_difference_falls_back_to_accuracy_where_kappa_is_undefined() -> None:
    gold = ["yes", "yes", "yes", "no"]
    measured = measure({"a": ["yes", "yes", "yes", "no"]}, ["yes", "yes", "yes", "?undecided"], gold)

    assert measured.compared_by == "kappa"
    assert measured.panel_minus_best is not None
    assert measured.panel_minus_best.name == "accuracy_difference"


def test_chance_is_the_commonest_label_of_gold() -> None:
    chance = measure({"a": ["yes"] * 4}, ["yes"] * 4, ["no", "no", "yes", "no"]).chance

    assert isinstance(chance, Finding)
    assert (chance.about, chance.value) == ("always 'no'", 0.75)


def test_a_judge_called_panel_is_not_taken_for_the_panel() -> None:
    measured = measure({"panel": ["yes", "no"]}, ["yes", "yes"], ["yes", "yes"])

    assert (value(measured.judge("panel").accuracy), value(measured.panel.accuracy)) == (0.5, 1.0)


def test_the_same_seed_gives_the_same_agreement() -> None:
    gold = ["yes", "no"] * 12
    judge = ["yes", "yes", "no"] * 8

    assert measure({"a": judge}, judge, gold) == measure({"a": judge}, judge, gold)


def test_groups_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="1 groups for 2 subjects"):
        measure({"a": ["yes", "no"]}, ["yes", "no"], None, groups=["g"])


def test_other_subjects_are_refused() -> None:
    votes, panel = code(YES_NO, {"a": ["yes", "no"]}), code(YES_NO, {"panel": ["yes", "no"]})
    other = replace(panel, subjects=tuple(reversed(panel.subjects)))

    with pytest.raises(ValueError, match="must be one rater"):
        measure_agreement(votes=votes, panel=other, gold=None, groups=["g", "h"], voting=("a",))


@given(st.permutations(["a", "b", "c"]))
def test_the_order_of_judges_changes_no_figure(order: list[str]) -> None:
    rows = {"a": ["yes", "no", "no"] * 4, "b": ["no", "no", "yes"] * 4, "c": ["yes", "yes", "no"] * 4}
    gold = ["yes", "no", "yes"] * 4
    first = measure(rows, rows["a"], gold)
    other = measure({name: rows[name] for name in order}, rows["a"], gold)

    assert all(first.judge(name) == other.judge(name) for name in order)
    assert (first.best_single, first.panel_minus_best) == (other.best_single, other.panel_minus_best)


def test_better_judges_have_higher_kappa() -> None:
    gold = ["yes", "no"] * 10
    judges = {f"wrong {n}": ["no" if i < n else g for i, g in enumerate(gold)] for n in (0, 4, 8, 12)}
    kappas = [value(rater.kappa) for rater in measure(judges, gold, gold).judges]

    assert all(more > less for more, less in pairwise(kappas))


def _many() -> tuple[dict[str, Row], Row]:
    """Two judges and gold on 2,400 subjects, each a group of its own."""
    gold = ["yes", "no", "yes"] * 800
    return {"a": ["yes", "yes", "no", "no", "yes", "yes"] * 400, "b": ["no", "no", "no", "yes"] * 600}, gold


def test_drawing_alike_groups_together_moves_an_interval_by_no_more_than_another_seed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judges, gold = _many()
    together = measure(judges, gold, gold).judge("a").kappa
    monkeypatch.setattr("venire.metaeval.intervals.MANY_GROUPS", 10**9)
    apart = measure(judges, gold, gold).judge("a").kappa

    assert isinstance(together, Finding)
    assert isinstance(apart, Finding)
    assert together != apart
    assert isinstance(together.interval, Interval)
    assert isinstance(apart.interval, Interval)
    assert (together.interval.low, together.interval.high) == pytest.approx(
        (apart.interval.low, apart.interval.high), abs=0.005
    )


def test_the_order_of_judges_changes_no_figure_where_groups_are_many() -> None:
    judges, gold = _many()
    first, other = measure(judges, gold, gold), measure(dict(reversed(judges.items())), gold, gold)

    assert all(first.judge(name) == other.judge(name) for name in judges)


def test_judges_that_say_the_same_have_the_same_interval_though_their_sums_are_held_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judges, gold = _many()
    monkeypatch.setattr("venire.metaeval.intervals._CELLS_AT_ONCE", 1)

    found = measure({**judges, "twin": judges["a"]}, gold, gold)

    assert replace(found.judge("a"), rater="") == replace(_renamed(found, "twin"), rater="")


def _renamed(found: Agreement, name: str) -> RaterAgreement:
    rater = found.judge(name)
    figures = {field: getattr(rater, field) for field in ("with_panel", "accuracy", "kappa")}
    return replace(rater, **{field: replace(figure, about="a") for field, figure in figures.items()})
