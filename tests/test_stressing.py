"""Stressing a run: from what was collected to vectors and rules; and the command, its text, JSON and page."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from venire.collected import Collected
from venire.domain.aggregation import Aggregation, TiePolicy
from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.rubric import Criterion, IntervalScale, NominalScale, OrdinalScale
from venire.domain.stress import Loss, Stress, StressPlan
from venire.errors import UsageError
from venire.reporting.stress_json import stress_document
from venire.reporting.stress_page import stress_page
from venire.reporting.stress_text import stress_text
from venire.stressing import StressChoice, stress_run

from .cli.running import RULES_DESIGN, judge_into, venire
from .tuning.runs import YES_NO, Q, run_of, simulated

PLAN = StressPlan(n_repeats=2, rates=(0.0, 0.4))
TEN = IntervalScale(min=0, max=10, integer=False)
SECOND = CriterionId("second")


def numbers(n_judges: int = 5, n_items: int = 40, *, seed: int = 0) -> tuple[NDArray[np.float64], list[float | None]]:
    """Numbers from 0 to 10 about a truth."""
    generator = np.random.default_rng(seed)
    truth = generator.uniform(3, 7, n_items)
    return np.clip(truth + generator.normal(0, 1, (n_judges, n_items)), 0, 10), truth.tolist()


def two_criteria() -> Collected:
    """A run on numbers from 0 to 10 and from 0 to 1."""
    run = run_of(*numbers(), scale=TEN)
    small = IntervalScale(min=0, max=1, integer=False)
    other = run_of(numbers()[0] / 10, [x / 10 for x in numbers()[1] if x is not None], scale=small)
    criterion = Criterion(id=SECOND, question="And?", scale=small)
    rubric = replace(run.design.rubric, criteria=(*run.design.rubric.criteria, criterion))
    return replace(
        run,
        design=replace(run.design, rubric=rubric),
        draws={Q: run.draws[Q], SECOND: other.draws[Q]},
        gold={Q: run.gold[Q], SECOND: other.gold[Q]},
    )


def value(stress: Stress, rule: str, rate: float = 0.0) -> float:
    """The loss of a rule at a rate of the first corruption."""
    points = stress.curve(stress.plan.corruptions[0], rule).points
    (loss,) = (point.loss for point in points if point.rate == rate)
    assert isinstance(loss, Loss)
    return loss.value


def test_unlike_scales_are_put_on_a_common_one() -> None:
    stress = stress_run(two_criteria(), PLAN)

    assert stress.is_rescaled
    assert stress.dims == 2
    # Both criteria hold the same votes, a tenth of the other: on a common scale the distance is √2 of one.
    alone = stress_run(two_criteria(), PLAN, StressChoice(criteria=(SECOND,)))
    assert value(stress, "mean") == pytest.approx(2**0.5 * value(alone, "mean"))


def test_the_clean_mean_is_the_mean_of_the_votes_against_gold() -> None:
    codes, gold = numbers()

    stress = stress_run(run_of(codes, gold, scale=TEN), PLAN)

    assert value(stress, "mean") == pytest.approx(float(np.sqrt(np.mean((codes.mean(axis=0) - np.array(gold)) ** 2))))
    assert any("geometric median is the median" in note for note in stress.notes)


def test_responses_of_an_item_are_one_vector_and_items_with_fewer_have_a_shorter_one() -> None:
    run = run_of(*numbers(n_items=5), scale=TEN)
    places = [("a", 0), ("a", 1), ("b", 0), ("b", 1), ("c", 0)]
    subjects = tuple(replace(run.subjects[0], item_id=item, responses=(place,)) for item, place in places)  # type: ignore[arg-type]
    run = replace(
        run,
        subjects=subjects,
        draws={Q: replace(run.draws[Q], subjects=subjects)},
        gold={Q: replace(run.gold[Q], subjects=subjects)},
    )

    one_by_one = stress_run(run, PLAN)
    stress = stress_run(run, PLAN, StressChoice(over="responses"))

    assert (stress.n_subjects, stress.dims) == (3, 2)
    assert 3 * value(stress, "mean") ** 2 == pytest.approx(5 * value(one_by_one, "mean") ** 2)


def test_labels_have_the_rules_of_labels_and_no_far_corruption() -> None:
    stress = stress_run(run_of(*simulated(60, [0.9, 0.8, 0.7])), PLAN)

    assert stress.is_labels
    assert stress.rules == ("majority", "max", "min", "dawid_skene")
    assert stress.plan.corruptions == ("zeros", "inverted", "bimodal-random")
    assert any("cauchy-far" in note for note in stress.notes)


def test_the_majority_of_inverted_votes_is_wrong_where_it_was_right() -> None:
    codes, gold = simulated(60, [0.9, 0.8, 0.7])
    plan = StressPlan(n_repeats=1, corruptions=("inverted",), rates=(1.0,))

    stress = stress_run(run_of(codes, gold), plan)

    assert value(stress, "majority") + value(stress, "majority", 1.0) == pytest.approx(1)


def test_labels_of_many_subjects_are_stressed_too() -> None:
    stress = stress_run(run_of(*simulated(450, [0.9, 0.8, 0.7])), StressPlan(n_repeats=1, rates=(0.5,)))

    found = {(one.corruption, one.rule): one.n_broken for one in stress.breakdowns}
    assert found["inverted", "majority"] == 2


def test_ordered_labels_have_a_median_and_more_than_two_a_plurality() -> None:
    codes = np.random.default_rng(0).integers(0, 3, (4, 30)).astype(float)
    ordered, nominal = OrdinalScale(labels=("a", "b", "c")), NominalScale(labels=("a", "b", "c"))
    rule = Aggregation(tie=TiePolicy(kind="random"))

    assert "median" in stress_run(run_of(codes, [0.0] * 30, scale=ordered, aggregation=rule), PLAN).rules
    assert "plurality" in stress_run(run_of(codes, [0.0] * 30, scale=nominal, aggregation=rule), PLAN).rules


def test_subjects_without_gold_are_left_out_and_counted() -> None:
    codes, gold = numbers()
    gold[3] = gold[8] = None

    stress = stress_run(run_of(codes, gold, scale=TEN), PLAN)

    assert stress.n_subjects == 38
    assert dict(stress.left_out) == {"no gold": 2}


def test_without_gold_it_is_a_proxy_and_says_so() -> None:
    stress = stress_run(run_of(numbers()[0], None, scale=TEN), PLAN)

    assert not stress.has_gold
    assert value(stress, "mean") == 0
    assert stress.sizes == ()
    assert isinstance(stress.correlation, Undefined)
    assert any("proxy" in note for note in stress.notes)
    assert "proxy" in stress_text(stress)


def test_half_the_judges_can_be_stressed_alone() -> None:
    judges = (JudgeId("j1"), JudgeId("j3"), JudgeId("j4"))

    stress = stress_run(run_of(*numbers(), scale=TEN), PLAN, StressChoice(judges=judges))

    assert stress.judges == judges
    assert {curve.rule for curve in stress.singles} == set(judges)


def test_what_is_not_there_is_a_mistake_that_is_named() -> None:
    run = run_of(*numbers(), scale=TEN)
    choices: Sequence[tuple[StressChoice, str]] = (
        (StressChoice(judges=(JudgeId("eve"), JudgeId("j0"))), "no judge 'eve'"),
        (StressChoice(judges=(JudgeId("j0"),)), "at least two"),
        (StressChoice(criteria=(CriterionId("style"),)), "no criterion 'style'"),
    )
    for choice, message in choices:
        with pytest.raises(UsageError, match=message):
            stress_run(run, PLAN, choice)
    with pytest.raises(UsageError, match="needs numbers"):
        stress_run(run_of(*simulated(9, [0.9, 0.8]), scale=YES_NO), PLAN, StressChoice(over="responses"))
    with pytest.raises(UsageError, match="None of 40 subjects"):
        stress_run(run_of(numbers()[0], [None] * 40, scale=TEN, missing=np.ones((5, 40), dtype=np.int16)), PLAN)


def test_the_document_holds_every_curve_and_no_number_for_what_is_undefined() -> None:
    plan = StressPlan(n_repeats=1, corruptions=("zeros",), rates=(1.0,))
    run = run_of(*numbers(2), scale=IntervalScale(min=1, max=10, integer=False))

    document = json.loads(stress_document(stress_run(run, plan)))

    (checked,) = (c for c in document["curves"] if c["rule"] == "mean" and c["range_checked"])
    assert checked["points"][1]["loss"] == {
        "value": None,
        "value_undefined": "no subject was decided: no vote was left",
    }
    assert document["plan"]["not_sourced"] == ["cauchy_location", "cauchy_scale", "noise_sd"]
    assert {one["rule"] for one in document["single_judges"]} == {"j0", "j1"}


def test_the_page_has_a_plot_for_each_corruption_and_dashes_where_checking_matters() -> None:
    page = stress_page(stress_run(two_criteria(), PLAN))

    assert page.count("data-figure=") == 6
    assert '"dash": "dash"' in page
    assert '"type": "log"' in page


def test_a_judge_named_like_a_tag_stays_text() -> None:
    run = run_of(*numbers(2), scale=TEN)
    bad = "<b>&</script>"
    judges = (replace(run.design.judges[0], id=JudgeId(bad)), run.design.judges[1])
    draws = replace(run.draws[Q], raters=(bad, "j1"))
    stress = stress_run(replace(run, design=replace(run.design, judges=judges), draws={Q: draws}), PLAN)

    page = stress_page(stress)

    assert bad in stress.judges
    assert "<b>" not in page
    assert page.count("</script>") == page.count("<script")


def test_the_command_prints_writes_beside_the_run_and_asks_nobody(tmp_path: Path) -> None:
    assert judge_into(tmp_path, RULES_DESIGN).returncode == 0

    options = ("--repeats", "2", "--rates", "0,0.5", "--corruption", "inverted")
    done = venire("stress", tmp_path / "run", *options)

    assert done.returncode == 0, done.stderr
    assert "majority" in done.stdout
    assert "stress.json, stress.html" in done.stderr
    document = json.loads((tmp_path / "run" / "stress.json").read_text(encoding="utf-8"))
    assert document["plan"]["corruptions"] == ["inverted"]
    again = venire(
        "stress", tmp_path / "run", "--repeats", "2", "--rates", "0,0.5", "--corruption", "inverted", "--json"
    )
    assert json.loads(again.stdout) == document


def test_a_word_that_is_no_corruption_is_a_usage_mistake(tmp_path: Path) -> None:
    assert judge_into(tmp_path, RULES_DESIGN).returncode == 0

    for options in (
        ("--corruption", "gamma"),
        ("--rates", "many"),
        ("--judges", "x,y"),
    ):
        done = venire("stress", tmp_path / "run", *options)
        assert done.returncode == 2
        assert options[1].split(",")[0] in done.stderr
