"""The best of n in all three forms of the report."""

import json
from dataclasses import replace

from venire.domain.aggregation import Aggregation
from venire.domain.annotation import Gold
from venire.domain.best_of import BestOf, MissingBest
from venire.domain.identity import BEST_OF_N
from venire.domain.item import Subject
from venire.metaeval.best_of_n import measure_best_of_n
from venire.reporting.build import build_report
from venire.reporting.html import render_html
from venire.reporting.json_report import report_json
from venire.reporting.report import Report
from venire.reporting.terminal import render_terminal

from .facts import RATING, make_facts


def report(missing: MissingBest = "left_out") -> Report:
    how = BestOf(tie="fractional", missing=missing)
    facts = make_facts([RATING], aggregation=Aggregation(rule="mean", denominator="counted", best_of=how))
    golds = [
        Gold(
            subject=Subject(item_id=item.id, responses=(0, 1)),
            criterion_id=BEST_OF_N,
            value=number % 2,
            reason="given",
            n_annotators=1,
        )
        for number, item in enumerate(facts.items)
    ]
    best = measure_best_of_n(facts.verdicts, golds, facts.items, how)
    return build_report(replace(facts, best_of_n=best))


def test_the_terminal_tells_both_accuracies() -> None:
    lines = render_terminal(report(), width=200, colour=False).splitlines()

    place = next(number for number, line in enumerate(lines) if line.startswith("Best of n, tie fractional: "))
    assert "of 60 items decided" in lines[place]
    assert "left out (n " in lines[place + 1]
    assert "counted wrong (n 60)" in lines[place + 1]
    assert lines[place + 1].endswith("chance .50")


def test_the_accuracy_that_the_design_asks_for_comes_first() -> None:
    words = render_terminal(report("wrong"), width=200, colour=False)

    assert words.index("counted wrong (n") < words.index("left out (n")


def test_the_json_report_holds_every_figure() -> None:
    document = json.loads(report_json(report()))

    best = document["best_of_n"]
    assert best["items"] == best["decided"] + best["shared"] + best["tied"] + best["without_score"] == 60
    assert (best["wrong"]["n"], best["chance"], document["decision"]["best_of"]) == (60, 0.5, "fractional")


def test_the_page_has_a_table_and_says_how_ties_are_decided() -> None:
    page = render_html(report(), "")

    assert "<h2>Best of n</h2>" in page
    assert page.index('<th scope="row">left out') < page.index('<th scope="row">counted wrong')
    assert "Several that lead share it in equal parts." in page


def test_a_design_without_a_best_of_n_says_nothing_of_it() -> None:
    plain = build_report(make_facts([RATING], aggregation=Aggregation(rule="mean")))

    assert json.loads(report_json(plain))["best_of_n"] is None
    assert "Best of n" not in render_html(plain, "") + render_terminal(plain, width=100, colour=False)
