"""Stress: curves, premiums, breakdown points and sizes, on simulated panels."""

from dataclasses import replace

import numpy as np
import pytest

from venire.domain.finding import Undefined
from venire.domain.stress import CORRUPTIONS, Breakdown, CorruptionName, ErrorCorrelation, Loss, StressPlan
from venire.errors import UsageError
from venire.metaeval.stress import draw_curves, price_rules
from venire.metaeval.stress_breakdown import find_breakdowns
from venire.metaeval.stress_rules import (
    COORDINATE_MEDIAN,
    GEOMETRIC_MEDIAN,
    MEAN,
    TRIMMED_MEAN,
    Bench,
    number_rules,
)
from venire.metaeval.stress_sizes import correlate_errors, measure_sizes
from venire.metaeval.stressed_votes import StressedVotes, contaminate

from .stressed import labelled, panel

PLAN = StressPlan(n_repeats=3, rates=(0.0, 0.2, 0.4))
RULES = number_rules(n_dims=3, trim=0.2)
NAMES = [f"j{number}" for number in range(9)]


def losses(
    votes: StressedVotes, corruption: CorruptionName, plan: StressPlan = PLAN
) -> dict[tuple[str, bool], list[float]]:
    """By rule, or judge, and whether checked: the loss at each rate."""
    plan = replace(plan, corruptions=(corruption,))
    curves = draw_curves(votes, number_rules(votes.shape[2], 0.2), NAMES[: votes.shape[0]], plan)
    return {
        (curve.rule, curve.is_checked): [point.loss.value for point in curve.points if isinstance(point.loss, Loss)]
        for of_kind in curves
        for curve in of_kind
    }


@pytest.mark.parametrize("corruption", CORRUPTIONS)
def test_at_rate_0_nothing_changes(corruption: CorruptionName) -> None:
    votes = panel(5)
    clean = Bench(votes=votes, rules=RULES).losses(votes.values, is_checked=False)

    found = losses(votes, corruption)

    assert {rule: found[rule, False][0] for rule in clean} == {
        rule: loss.value for rule, loss in clean.items() if isinstance(loss, Loss)
    }


def test_the_same_seed_gives_the_same_curves_and_another_seed_others() -> None:
    votes = panel(5)

    one, same, other = (draw_curves(votes, RULES, NAMES[:5], replace(PLAN, seed=seed)) for seed in (1, 1, 2))

    assert one == same
    assert one != other


def test_a_corruption_is_drawn_alike_beside_others_and_alone() -> None:
    votes = panel(5)
    alone = losses(votes, "bimodal-random")

    beside = draw_curves(votes, RULES, NAMES[:5], PLAN)[0]

    (curve,) = (c for c in beside if (c.corruption, c.rule, c.is_checked) == ("bimodal-random", MEAN, False))
    assert [point.loss.value for point in curve.points if isinstance(point.loss, Loss)] == alone[MEAN, False]


@pytest.mark.parametrize("corruption", CORRUPTIONS)
def test_losses_grow_with_the_scale(corruption: CorruptionName) -> None:
    votes = panel(5)
    assert votes.gold is not None
    larger = replace(
        votes, values=votes.values * 8, low=votes.low * 8, high=votes.high * 8, zero=votes.zero * 8, gold=votes.gold * 8
    )

    one, eightfold = losses(votes, corruption), losses(larger, corruption)

    assert {key: pytest.approx([8 * x for x in values], rel=1e-6) for key, values in one.items()} == eightfold


def test_far_votes_move_the_mean_without_bound_and_the_geometric_median_hardly() -> None:
    found = losses(panel(9), "cauchy-far")

    assert found[MEAN, False][1] > 100
    assert found[GEOMETRIC_MEDIAN, False][1] < 1
    assert found["j0", False][1] > 100


def test_range_checking_alone_bounds_the_mean() -> None:
    found = losses(panel(9), "cauchy-far")

    assert found[MEAN, True][2] < 1.0


@pytest.mark.parametrize("corruption", ["inverted", "bimodal-random"])
def test_range_checking_changes_nothing_inside_the_scale(corruption: CorruptionName) -> None:
    found = losses(panel(5), corruption)

    assert found[MEAN, True] == found[MEAN, False]
    assert found["j0", True] == found["j0", False]


def test_the_mean_is_best_where_all_are_noise_about_the_truth() -> None:
    found = losses(panel(9, 400), "unbiased-noise", StressPlan(n_repeats=3, rates=(1.0,)))

    assert found[MEAN, False][1] == min(values[1] for (name, checked), values in found.items() if not checked)


def test_bimodal_votes_move_the_mean_more_than_the_geometric_median() -> None:
    found = losses(panel(9, 300, 5), "bimodal-random")

    assert found[GEOMETRIC_MEDIAN, False][1] < found[MEAN, False][1]


def test_who_does_not_vote_does_not_vote_by_being_broken() -> None:
    votes = panel(3)
    votes = replace(votes, present=votes.present & (np.arange(3) > 0)[:, None, None])

    drawn = contaminate("cauchy-far", votes, PLAN, 0, votes.low).at(1.0)

    assert (drawn[0] == 0).all()
    assert (drawn[1:] != 0).any()


def test_subjects_without_a_vote_are_counted_and_never_scored() -> None:
    found = draw_curves(panel(2), RULES, NAMES[:2], StressPlan(n_repeats=2, corruptions=("zeros",), rates=(1.0,)))[0]

    (curve,) = (curve for curve in found if curve.rule == MEAN and curve.is_checked)
    assert isinstance(curve.points[1].loss, Undefined)
    assert curve.points[1].n_repeats == 0


def test_without_gold_every_rule_is_held_against_itself() -> None:
    votes = replace(panel(5), gold=None)

    assert [one.loss.value for one in price_rules(votes, RULES) if isinstance(one.loss, Loss)] == [0, 0, 0, 0]
    assert all(isinstance(one.relative, Undefined) for one in price_rules(votes, RULES))
    assert losses(votes, "inverted")[MEAN, False][0] == 0


def test_the_premium_is_beside_the_mean() -> None:
    first, *others = price_rules(panel(9, 400), RULES)

    assert first.rule == MEAN
    assert first.relative == 0.0
    assert all(isinstance(one.relative, float) and 0 < one.relative < 0.3 for one in others)


def test_labels_are_wrong_by_share() -> None:
    votes = labelled(5)
    rule = number_rules(1, 0.2)[1]

    curve = draw_curves(votes, [rule], NAMES[:5], StressPlan(n_repeats=2, rates=(1.0,)))[0][2]

    assert curve.corruption == "inverted"
    clean, flipped = (point.loss for point in curve.points)
    assert isinstance(clean, Loss)
    assert isinstance(flipped, Loss)
    assert clean.value + flipped.value == pytest.approx(1)


def breakdowns(votes: StressedVotes, plan: StressPlan) -> dict[tuple[str, bool], Breakdown]:
    rules = number_rules(votes.shape[2], 0.2)
    return {(one.rule, one.is_checked): one for one in find_breakdowns(votes, rules, plan)}


@pytest.mark.parametrize("n_judges", [3, 4, 7])
def test_together_far_judges_break_a_median_at_half_and_the_mean_at_once(n_judges: int) -> None:
    plan = StressPlan(n_repeats=3, corruptions=("cauchy-far",), cauchy_scale=0.0)

    found = breakdowns(panel(n_judges), plan)

    half = -(-n_judges // 2)
    assert found[MEAN, False].n_broken == 1
    assert found[COORDINATE_MEDIAN, False].n_broken == half
    assert found[GEOMETRIC_MEDIAN, False].n_broken in (half, n_judges // 2 + 1)
    assert found[TRIMMED_MEAN, False].n_broken == int(0.2 * n_judges) + 1
    assert found[MEAN, True].n_broken == n_judges


def test_a_bound_that_is_never_exceeded_is_no_number() -> None:
    found = breakdowns(
        panel(5), StressPlan(n_repeats=2, corruptions=("bimodal-random",), bimodal_low=0.5, bimodal_high=0.5)
    )

    assert isinstance(found[MEAN, False].n_broken, Undefined)


def test_a_common_error_is_a_plateau_that_more_judges_do_not_pass() -> None:
    votes = panel(9, 2000, 1)
    common = np.random.default_rng(5).normal(0, 0.5, votes.values.shape[1:])
    votes = replace(votes, values=votes.values + common)

    found = correlate_errors(votes)
    sizes = list(measure_sizes(votes, number_rules(1, 0.2), PLAN, found))

    assert isinstance(found, ErrorCorrelation)
    assert found.mean == pytest.approx(0.5, abs=0.05)
    assert [size.n_judges for size in sizes] == list(range(1, 10))
    one, nine = dict(sizes[0].losses)[MEAN], dict(sizes[-1].losses)[MEAN]
    assert isinstance(one, Loss)
    assert isinstance(nine, Loss)
    assert isinstance(sizes[-1].n_effective, float)
    # The variance of the mean of nine is that of one over the effective number.
    assert (one.value / nine.value) ** 2 == pytest.approx(sizes[-1].n_effective, rel=0.1)


def test_a_plan_that_cannot_be_is_a_mistake() -> None:
    for fields in (
        {"rates": (1.2,)},
        {"n_repeats": 0},
        {"corruptions": ("gamma-rays",)},
        {"noise_sd": -1.0},
        {"trim": 0.5},
    ):
        with pytest.raises(UsageError):
            StressPlan(**fields)  # type: ignore[arg-type]
