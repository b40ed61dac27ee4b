"""The terminal's report: fits its width, keeps ids whole, marks what does not vote, prints nothing that acts."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from venire.domain.aggregation import Aggregation
from venire.domain.identity import JudgeId
from venire.domain.rubric import Criterion
from venire.reporting.build import build_report
from venire.reporting.report import Report
from venire.reporting.terminal import render_terminal
from venire.reporting.text import show_figure

from .facts import BETTER, CORRECT, QUALITY, RATING, make_facts

REPORT = build_report(make_facts())


def with_judge_named(name: str) -> Report:
    """The report with its first judge renamed everywhere."""
    old = REPORT.judges[0].id
    (criterion,) = REPORT.criteria
    agreement = criterion.agreement
    raters = tuple(replace(rater, rater=name) if rater.rater == old else rater for rater in agreement.raters)
    best = JudgeId(name)
    renamed = replace(criterion, agreement=replace(agreement, raters=raters, best_single=best))
    judges = (replace(REPORT.judges[0], id=JudgeId(name)), *REPORT.judges[1:])
    return replace(REPORT, judges=judges, criteria=(renamed,), notes=(name,))


@pytest.mark.parametrize("width", [80, 100, 120, 200])
@pytest.mark.parametrize(
    "criteria", [(CORRECT,), (BETTER,), (RATING,), (CORRECT, QUALITY)], ids=lambda criteria: criteria[0].id
)
def test_no_line_is_wider_than_the_terminal(criteria: tuple[Criterion, ...], width: int) -> None:
    rule = "mean" if criteria == (RATING,) else "plurality"
    report = build_report(make_facts(criteria, n_items=20, aggregation=Aggregation(rule=rule)))

    assert max(map(len, render_terminal(report, width=width, colour=False).splitlines())) <= width


@pytest.mark.parametrize("width", [80, 120])
def test_an_id_of_28_characters_is_whole(width: int) -> None:
    name = "a-judge-with-a-long-name-028"

    assert name in render_terminal(with_judge_named(name), width=width, colour=False).partition("Verdicts")[0]


def test_a_wide_terminal_has_one_table_of_judges() -> None:
    text = render_terminal(REPORT, width=200, colour=False)

    assert text.count("gpt-4o-mini *") == 1
    assert "with panel [95%]" in text


def test_figures_stand_with_their_intervals() -> None:
    kappa = REPORT.criteria[0].agreement.panel.kappa

    assert re.fullmatch(r"\.\d\d \[\.\d\d, (1\.00|\.\d\d)\]", show_figure(kappa))
    assert show_figure(kappa) in render_terminal(REPORT, width=100, colour=False)


def test_judges_come_first_then_the_panel_then_the_baseline() -> None:
    text = render_terminal(REPORT, width=200, colour=False)
    places = [text.index(name) for name in ("command-r", " panel  ", "length (baseline)")]

    assert places == sorted(places)


def test_the_best_single_judge_is_marked() -> None:
    assert "* best single judge" in render_terminal(REPORT, width=80, colour=False)


def test_an_undefined_figure_has_its_reason_below_the_table() -> None:
    report = build_report(make_facts(n_items=1, seed=5))
    text = render_terminal(report, width=100, colour=False)

    assert "(1) " in text
    assert "at least 2 are needed to see how groups vary" in text


def test_without_gold_the_panel_has_no_row() -> None:
    text = render_terminal(build_report(make_facts(gold=False)), width=100, colour=False)

    assert "accuracy [" not in text
    assert "\n panel " not in text


def test_colour_is_only_where_it_is_asked_for() -> None:
    assert "\x1b[" not in render_terminal(REPORT, width=100, colour=False)
    assert "\x1b[" in render_terminal(REPORT, width=100, colour=True)


def test_markup_in_a_name_is_printed_as_it_is() -> None:
    name = "[bold]x[/bold] :smile:"

    assert name in render_terminal(with_judge_named(name), width=100, colour=True)


@settings(max_examples=25)
@given(st.text(st.characters(exclude_categories=[]), min_size=1))
def test_no_name_sends_an_escape_to_the_terminal(name: str) -> None:
    text = render_terminal(with_judge_named(name), width=100, colour=False)

    text.encode("utf-8")
    assert not any(ord(char) < 32 and char not in "\n\t" for char in text)
