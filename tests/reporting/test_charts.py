"""The plot: one dot for every rater with a figure, arms as long as its interval."""

from dataclasses import replace
from typing import Any

from venire.domain.aggregation import Aggregation
from venire.domain.finding import Undefined
from venire.domain.measures import Agreement
from venire.reporting.build import build_report
from venire.reporting.charts import Chart, plot_raters
from venire.reporting.report import Report

from .facts import RATING, make_facts

REPORT = build_report(make_facts())


def chart_of(report: Report, agreement: Agreement | None = None) -> Chart:
    """The plot of the first criterion, or of this agreement."""
    chart = plot_raters(agreement or agreement_of(report), report.judges)
    assert isinstance(chart, Chart)
    return chart


def agreement_of(report: Report) -> Agreement:
    """The first criterion's agreement."""
    agreement = report.criteria[0].agreement
    assert isinstance(agreement, Agreement)
    return agreement


def figure_of(chart: Chart) -> Any:
    """The figure, as plotly reads it."""
    return chart.figure


def test_raters_stand_from_top_to_bottom_as_in_the_table() -> None:
    figure = figure_of(chart_of(REPORT))

    assert figure["layout"]["yaxis"]["ticktext"] == ["gpt-4o-mini", "claude-haiku", "command-r", "panel", "length"]


def test_judges_panel_and_baselines_are_told_apart() -> None:
    traces = figure_of(chart_of(REPORT))["data"]

    assert [(trace["meta"], len(trace["x"])) for trace in traces] == [("votes", 3), ("panel", 1), ("beside", 1)]


def test_an_arm_reaches_to_the_end_of_its_interval() -> None:
    panel = figure_of(chart_of(REPORT))["data"][1]
    kappa = agreement_of(REPORT).panel.kappa

    assert panel["x"][0] + panel["error_x"]["array"][0] == kappa.interval.high


def test_a_rater_without_a_figure_is_left_out() -> None:
    agreement = agreement_of(REPORT)
    first = replace(agreement.raters[0], kappa=replace(agreement.raters[0].kappa, value=Undefined("one class")))
    figure = figure_of(chart_of(REPORT, replace(agreement, raters=(first, *agreement.raters[1:]))))

    assert "gpt-4o-mini" not in figure["layout"]["yaxis"]["ticktext"]


def test_a_dot_without_an_interval_has_no_arms() -> None:
    agreement = agreement_of(REPORT)
    first = replace(agreement.raters[0], kappa=replace(agreement.raters[0].kappa, interval=Undefined("1 group")))
    figure = figure_of(chart_of(REPORT, replace(agreement, raters=(first, *agreement.raters[1:]))))

    assert figure["data"][0]["error_x"]["array"][0] is None


def test_without_gold_agreement_with_the_panel_is_plotted() -> None:
    chart = chart_of(build_report(make_facts(gold=False)))

    assert chart.title == "Agreement with the panel, with 95% intervals"
    assert "panel" not in figure_of(chart)["layout"]["yaxis"]["ticktext"]


def test_of_an_error_lower_is_said_to_be_better() -> None:
    chart = chart_of(build_report(make_facts((RATING,), aggregation=Aggregation(rule="mean"))))

    assert "lower is better" in figure_of(chart)["layout"]["xaxis"]["title"]["text"]


def test_nothing_to_plot_says_so() -> None:
    report = build_report(make_facts(n_items=0))

    assert plot_raters(agreement_of(report), report.judges) == Undefined("no rater has a figure to plot")


def test_a_name_is_never_a_tag_for_plotly() -> None:
    agreement = agreement_of(REPORT)
    hostile = replace(agreement.raters[0], rater="<a href='x'>")
    judges = (replace(REPORT.judges[0], id="<a href='x'>"), *REPORT.judges[1:])
    chart = plot_raters(replace(agreement, raters=(hostile, *agreement.raters[1:]), best_single=None), judges)

    assert isinstance(chart, Chart)
    assert figure_of(chart)["layout"]["yaxis"]["ticktext"][0] == "&lt;a href='x'&gt;"
