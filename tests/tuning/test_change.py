"""Two runs beside each other: the same figures over shared subjects, resampled in pairs."""

import json
from dataclasses import replace

import numpy as np
import pytest

from venire.collected import Collected
from venire.domain.aggregation import Aggregation
from venire.domain.change import FigureChange, RunChange
from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.identity import CriterionId
from venire.domain.rubric import IntervalScale, NominalScale
from venire.errors import UsageError
from venire.reporting.change_text import change_document, change_text
from venire.tuning.change import compare_runs, gauge_run

from .runs import run_of, simulated

CODES, GOLD = simulated(300, [0.9, 0.8, 0.7], seed=2)
WORSE, _ = simulated(300, [0.7, 0.6, 0.55], seed=2)


def compared(before: Collected, after: Collected) -> RunChange:
    return compare_runs(gauge_run(before), gauge_run(after))


def figure(change: RunChange, name: str, about: str = "panel") -> FigureChange:
    (found,) = (one for one in change.figures if (one.before.name, one.before.about) == (name, about))
    return found


def test_a_run_beside_itself_has_not_changed() -> None:
    change = compared(run_of(CODES, GOLD), run_of(CODES, GOLD))

    assert (change.n_shared, change.n_dropped, change.verdicts) == (300, 0, ())
    assert change.changed.value == 0
    assert {one.difference.value for one in change.figures} == {0.0}
    assert isinstance(figure(change, "kappa").difference.interval, Undefined)


def test_a_worse_panel_is_worse_with_an_interval_in_pairs() -> None:
    change = compared(run_of(CODES, GOLD), run_of(WORSE, GOLD))

    kappa = figure(change, "kappa")
    assert isinstance(kappa.difference.value, float)
    assert isinstance(kappa.difference.interval, Interval)
    assert kappa.difference.value == pytest.approx(kappa.after.value - kappa.before.value)  # type: ignore[operator]
    assert kappa.difference.interval.high < 0


def test_the_figures_are_those_of_each_run_where_both_have_the_same_subjects() -> None:
    before, after = gauge_run(run_of(CODES, GOLD)), gauge_run(run_of(WORSE, GOLD))

    change = compare_runs(before, after)

    alone = {(one.name, one.about): one.value for one in after.findings(seed=0)}
    assert {(one.after.name, one.after.about): one.after.value for one in change.figures} == alone


def test_only_shared_subjects_are_compared_and_the_others_are_counted() -> None:
    change = compared(run_of(CODES, GOLD), run_of(CODES[:, :250], GOLD[:250]))

    assert (change.n_shared, change.n_only_before, change.n_only_after) == (250, 50, 0)
    assert change.n_dropped == 50
    assert figure(change, "accuracy").before.n == 250


def test_what_is_undecided_now_has_dropped_out_and_is_no_loss() -> None:
    gone = np.zeros(CODES.shape, dtype=np.int16)
    gone[:, :30] = 2

    change = compared(run_of(CODES, GOLD), run_of(CODES, GOLD, missing=gone))

    assert change.n_dropped == 30
    assert figure(change, "undecided").difference.value == pytest.approx(0.1)
    assert figure(change, "accuracy").before.n == figure(change, "accuracy").after.n == 270
    assert [one.after for one in change.verdicts] == [None] * 30


def test_without_gold_there_is_no_kappa_and_no_accuracy() -> None:
    change = compared(run_of(CODES, None), run_of(WORSE, None))

    assert {one.before.name for one in change.figures} == {"undecided", "failures", "unasked", "pass_rate"}


def test_numbers_are_compared_by_their_mean_and_their_error() -> None:
    scale = IntervalScale(min=0, max=4)
    codes = np.array([[0, 1, 2, 3], [1, 1, 2, 4]])
    mean = Aggregation(rule="mean")
    before = run_of(codes, [0, 1, 2, 3], scale=scale, aggregation=mean)

    change = compared(before, run_of(codes * 0, [0, 1, 2, 3], scale=scale, aggregation=mean))

    assert figure(change, "mean").difference.value == pytest.approx(-1.75)
    assert figure(change, "mean_absolute_error").lower_is_better
    assert [one.before for one in change.verdicts] == [3.5, 2.0, 1.0, 0.5]


def test_runs_without_a_common_subject_are_refused() -> None:
    one, other = gauge_run(run_of(CODES, GOLD)), gauge_run(run_of(CODES, GOLD))
    apart = tuple(replace(subject, item_id=f"other {subject.item_id}") for subject in other.panel.subjects)

    with pytest.raises(UsageError, match="no subject in common"):
        compare_runs(one, replace(other, panel=replace(other.panel, subjects=apart)))


def test_another_scale_is_refused() -> None:
    with pytest.raises(UsageError, match="cannot be compared"):
        compared(run_of(CODES, GOLD), run_of(CODES, GOLD, scale=NominalScale(labels=("no", "yes"))))


def test_an_unknown_criterion_names_those_there_are() -> None:
    with pytest.raises(UsageError, match="no criterion 'z'"):
        gauge_run(run_of(CODES, GOLD), CriterionId("z"))


def test_the_document_is_strict_json_and_the_text_names_what_changed() -> None:
    change = compared(run_of(CODES, GOLD), run_of(WORSE, GOLD))

    document = json.loads(change_document(change))
    text = change_text(change)

    assert len(document["verdicts"]) == len(change.verdicts)
    assert "300 subjects in both runs" in text
    assert "… and" in text
    assert isinstance(change.changed, Finding)
