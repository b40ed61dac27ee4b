"""Laws of single kinds of rules: who is there twice or not at all, other units, and judges that are far off."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from venire.aggregation.result import RuleResult
from venire.aggregation.rules import apply_rules
from venire.aggregation.settle import settle
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import LEARNED, POOLED, RULES, Aggregation, RuleName, TiePolicy, rule_fits
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.rubric import IntervalScale, Value
from venire.domain.verdict import Decided, Shared, VerdictOutcome
from venire.store.results import verdict_record

from .panels import GRADES, THREE, YES_NO, coded, decide
from .test_laws import Panel, apply, panels, training

Q, R = CriterionId("q"), CriterionId("r")
WIDE = IntervalScale(min=-1000, max=1000, integer=False)
NUMERIC: list[RuleName] = [
    rule for rule in RULES if rule_fits(rule, WIDE) and rule not in {"plurality", "unanimity", "majority", "weighted"}
]
CENTRAL: list[RuleName] = ["mean", "median", "trimmed_mean", "majority_or_mean", "geometric_median"]
TWICE_IS_ONCE: list[RuleName] = ["max", "min", "unanimity"]
NUMBERS = st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.5, 8.0]), min_size=1, max_size=6)


def number(rule: RuleName, votes: list[float]) -> float:
    """What the judges' numbers come to."""
    verdict = decide(WIDE, votes, rule=rule, weights=tuple((JudgeId(f"j{row}"), 1.0) for row in range(len(votes))))
    assert isinstance(verdict.outcome, Decided)
    return float(verdict.outcome.value)


@pytest.mark.parametrize("rule", NUMERIC)
@given(votes=NUMBERS, shift=st.sampled_from([-7.5, 2.0, 64.0]), factor=st.sampled_from([0.25, 2.0, 16.0]))
def test_another_unit_gives_the_same_number_in_that_unit(
    rule: RuleName, votes: list[float], shift: float, factor: float
) -> None:
    moved = number(rule, [factor * vote + shift for vote in votes])

    assert moved == pytest.approx(factor * number(rule, votes) + shift, abs=1e-9)


@given(rows=st.lists(st.tuples(*[st.sampled_from([1.0, 2.0, 4.0, 5.0])] * 2), min_size=1, max_size=5))
def test_a_geometric_median_of_two_criteria_moves_with_both(rows: list[tuple[float, float]]) -> None:
    narrow, other = IntervalScale(min=1, max=5, integer=False), IntervalScale(min=0, max=40, integer=False)
    found = [
        apply_rules(
            {
                Q: coded(scale, [[first * factor - shift] for first, _ in rows]),
                R: coded(scale, [[second * factor - shift] for _, second in rows]),
            },
            Aggregation(rule="geometric_median"),
        )
        for scale, factor, shift in ((narrow, 1.0, 0.0), (other, 10.0, 10.0))
    ]

    for key in (Q, R):
        assert found[1][key].codes == pytest.approx(10 * found[0][key].codes - 10, abs=1e-7)


@pytest.mark.parametrize("rule", TWICE_IS_ONCE)
@given(votes=st.lists(st.sampled_from(["poor", "fair", "good"]), min_size=1, max_size=4), data=st.data())
def test_who_is_there_twice_moves_no_extreme(rule: RuleName, votes: list[str], data: st.DataObject) -> None:
    again = data.draw(st.sampled_from(votes))

    assert decide(GRADES, [*votes, again], rule=rule).outcome == decide(GRADES, votes, rule=rule).outcome


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in POOLED | {"at_least", "weighted"}])
@given(votes=st.lists(st.sampled_from(["yes", "no"]), min_size=1, max_size=4))
def test_a_panel_that_is_there_twice_decides_as_it_does_once(rule: RuleName, votes: list[str]) -> None:
    if rule_fits(rule, YES_NO):
        assert decide(YES_NO, votes * 2, rule=rule).outcome == decide(YES_NO, votes, rule=rule).outcome


@pytest.mark.parametrize("rule", CENTRAL)
@given(votes=NUMBERS)
def test_numbers_that_are_there_twice_have_the_same_middle(rule: RuleName, votes: list[float]) -> None:
    if rule != "trimmed_mean" or len(votes) % 5 == 0:  # what is cut is rounded down, so its share depends on the number
        assert number(rule, votes * 2) == pytest.approx(number(rule, votes), abs=1e-9)


@given(panel=panels(), data=st.data())
def test_a_judge_that_misses_everything_is_as_if_it_were_not_there(panel: Panel, data: st.DataObject) -> None:
    scale, table, aggregation = panel
    aggregation = replace(aggregation, denominator="counted", quorum=1)
    silent: list[Value | None] = [None] * len(table[0])
    place = data.draw(st.integers(0, len(table)))
    aggregation = replace(aggregation, weights=(*aggregation.weights, (JudgeId("silent"), 1.0)))
    votes = coded(scale, [*table[:place], silent, *table[place:]])
    names = [f"j{row}" for row in range(len(table))]
    votes = replace(votes, raters=(*names[:place], "silent", *names[place:]))

    found = apply_rules({Q: votes}, aggregation, training(scale, votes))[Q]

    assert _outcomes(found, aggregation) == _outcomes(apply(scale, table, aggregation), aggregation)


def _outcomes(found: RuleResult, aggregation: Aggregation) -> list[VerdictOutcome]:
    settled = settle(found, Q, aggregation)
    # The reason of too small a quorum names how many were seated.
    return [one for one in settled.outcomes if isinstance(one, Decided | Shared)]


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in LEARNED | {"at_least", "weighted"}])
@pytest.mark.parametrize("kind", ["undecided", "fractional"])
@given(votes=st.lists(st.none() | st.sampled_from(["a", "b", "c"]), min_size=1, max_size=5))
@settings(max_examples=30)
def test_a_verdict_as_a_record_comes_back_from_json(rule: RuleName, kind: str, votes: list[str | None]) -> None:
    if not rule_fits(rule, THREE):
        return
    verdict = decide(THREE, votes, rule=rule, tie=TiePolicy(kind=kind))  # type: ignore[arg-type]

    record = verdict_record(verdict, None)

    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert record["n_seated"] == len(votes)


@pytest.mark.parametrize("n_judges", [3, 4, 5, 7])
@pytest.mark.parametrize("far", [1e3, 1e6, 1e9])
def test_fewer_than_half_move_the_geometric_median_a_bounded_way_and_the_mean_without_bound(
    n_judges: int, far: float
) -> None:
    """Breakdown: floor((N − 1) / 2) judges say anything at all on two criteria."""
    scale = IntervalScale(min=-1e10, max=1e10, integer=False)
    n_bad = (n_judges - 1) // 2
    generator = np.random.Generator(np.random.PCG64(n_judges))
    good = generator.uniform(-1, 1, (n_judges - n_bad, 2))
    bad = far * generator.choice([-1.0, 1.0], (n_bad, 2))
    rows = np.concatenate([good, bad])
    votes: dict[CriterionId, CodedVotes] = {
        key: coded(scale, [[float(row[place])] for row in rows]) for place, key in enumerate((Q, R))
    }

    moved = {
        rule: max(abs(float(one.codes[0])) for one in apply_rules(votes, Aggregation(rule=rule)).values())
        for rule in ("geometric_median", "median", "mean")
    }

    # Lopuhaä and Rousseeuw (1991), doi:10.1214/aos/1176347978: 2 (N − m) / (N − 2 m) radii of the good ones at most.
    bound = math.sqrt(2) * 2 * (n_judges - n_bad) / (n_judges - 2 * n_bad)
    assert moved["geometric_median"] <= bound + 1
    assert moved["median"] <= 1
    assert moved["mean"] > 0.1 * far / n_judges


def test_half_of_the_judges_move_the_median_as_far_as_they_like() -> None:
    scale = IntervalScale(min=-1e10, max=1e10, integer=False)

    assert decide(scale, [0.0, 0.0, 1e9, 1e9], rule="median").outcome == Decided(value=5e8)
