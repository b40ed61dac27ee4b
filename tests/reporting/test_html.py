"""The page: complete in itself, and nothing from outside is ever a tag or a script."""

import base64
import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from venire.domain.finding import Undefined
from venire.domain.identity import JudgeId
from venire.reporting.build import build_report
from venire.reporting.html import embed_json, render_html
from venire.reporting.report import Report, Tally

from .facts import CORRECT, QUALITY, make_facts

FACTS = make_facts(n_items=12)
REPORT = build_report(FACTS)
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    'm"><svg onload=alert(2)>',
    "<script>alert(3)</script> [x](javascript:alert(4)) ![y](https://tracker.example/p.png)",
    "</textarea><iframe srcdoc='<script>alert(5)</script>'>",
    "</script><script>alert(6)</script> <!-- x",
    "{{constructor.constructor('alert(7)')()}}{% raw %}{{ 7 * 7 }}",
]
"""Fault F45: what answers, reasons, models and ids have held in the field."""


@dataclass
class Page(HTMLParser):
    """A page as a browser's parser sees it."""

    html: str
    tags: Counter[str] = field(default_factory=Counter)
    attributes: set[str] = field(default_factory=set)
    values: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    policy: str = ""
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self._inside = ""
        self.feed(self.html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes |= {name for name, _ in attrs}
        self.values += [value or "" for _, value in attrs]
        self._inside = tag
        if tag == "script":
            self.scripts.append("")
        if dict(attrs).get("http-equiv") == "Content-Security-Policy":
            self.policy = dict(attrs)["content"] or ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script" and self.scripts:
            self.scripts[-1] += data
        elif self._inside != "style":
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""


def with_text(text: str) -> Report:
    """The report with this text in every field that text from outside can reach."""
    (criterion,) = REPORT.criteria
    agreement = criterion.agreement
    raters = (replace(agreement.raters[0], rater=text), *agreement.raters[1:])
    said = replace(criterion.disagreements[0].panel, words=text, rater=text)
    one = replace(criterion.disagreements[0], item_id=text, systems=(text,), votes=(said,), panel=said, gold=said)
    outcomes = replace(criterion.outcomes, decided=(Tally(name=text, n=2),), undecided=(Tally(name=text, n=1),))
    judge = replace(REPORT.judges[0], id=JudgeId(text), model=text, family=text, provider=text)
    return replace(
        REPORT,
        title=text,
        notes=(text,),
        warnings=(text,),
        judges=(judge, *REPORT.judges[1:]),
        criteria=(
            replace(
                criterion,
                question=text,
                scale=text,
                outcomes=outcomes,
                systems=(replace(criterion.systems[0], system=text, outcomes=outcomes),),
                judges=(replace(criterion.judges[0], judge_id=JudgeId(text), failures=(Tally(name=text, n=1),)),),
                agreement=replace(agreement, raters=raters, chance=Undefined(text)),
                disagreements=(one,),
            ),
        ),
    )


def page_of(report: Report, design_yaml: str = "protocol: pointwise\n") -> Page:
    """The page, parsed."""
    return Page(render_html(report, design_yaml))


PLAIN = page_of(with_text("plain"), "plain")


def test_the_page_loads_nothing() -> None:
    page = page_of(REPORT)

    assert not {"link", "img", "iframe", "object", "embed", "base"} & set(page.tags)
    assert not {"src", "href", "srcset", "action"} & page.attributes
    assert "default-src 'none'" in page.policy


def test_every_script_that_runs_is_bound_by_its_hash() -> None:
    page = page_of(REPORT)
    running = [script for script in page.scripts if not script.lstrip().startswith("{")]
    hashes = {base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in running}

    assert len(running) == 2
    assert hashes == set(re.findall(r"'sha256-([^']+)'", page.policy))
    assert "unsafe-inline" not in page.policy.partition("script-src")[2].partition(";")[0]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_and_adds_no_tag(text: str) -> None:
    """Fault F45."""
    page = page_of(with_text(text), text)

    assert (page.tags, page.attributes) == (PLAIN.tags, PLAIN.attributes)
    assert page.text.count(text) >= 10


@settings(max_examples=40)
@given(st.text(st.sampled_from("<>&\"'/!-=;{}%#\u2028\u2029\x00\r\n scriptimg") | st.characters(exclude_categories=[])))
def test_no_text_whatever_adds_a_tag_or_an_attribute(text: str) -> None:
    page = page_of(with_text(text), text)

    page.html.encode("utf-8")
    assert (page.tags, page.attributes) == (PLAIN.tags, PLAIN.attributes)
    assert len(page.scripts) == len(PLAIN.scripts)


@given(st.text(st.characters(exclude_categories=[])))
def test_embedded_json_holds_no_markup_and_comes_back(text: str) -> None:
    embedded = embed_json({text: [text]})

    assert not re.search("[<>&\u2028\u2029]", embedded)
    assert json.loads(embedded) == {text: [text]}


def test_the_figure_of_the_plot_is_strict_json() -> None:
    (figure,) = (json.loads(script) for script in page_of(REPORT).scripts if script.lstrip().startswith("{"))

    assert set(figure) == {"data", "layout", "short_labels"}


def test_every_figure_of_the_plot_is_in_a_table_too() -> None:
    agreement = REPORT.criteria[0].agreement
    page = page_of(REPORT)

    for rater in agreement.raters:
        assert f"{rater.kappa.value:.2f}".replace("0.", ".") in page.text


def test_notes_and_warnings_come_before_the_figures() -> None:
    page = page_of(replace(REPORT, notes=("a note",), warnings=("a warning",)))

    assert page.text.index("a note") < page.text.index("a warning") < page.text.index("Decided by the panel")


def test_a_page_without_a_plot_has_no_script() -> None:
    criterion = replace(REPORT.criteria[0], agreement=Undefined("not measured"))
    page = page_of(replace(REPORT, criteria=(criterion,)))

    assert page.scripts == []
    assert "script-src 'none'" in page.policy
    assert "No agreement: not measured" in page.text


def test_several_criteria_have_a_plot_each() -> None:
    page = page_of(build_report(make_facts((CORRECT, QUALITY), n_items=8)))

    assert {"figure-0", "figure-1"} <= set(page.values)


def test_the_design_is_shown_as_it_is() -> None:
    design = "rubric:\n  - id: x  # <a & b>\n\tend\n"

    assert design in page_of(REPORT, design).text


@pytest.mark.parametrize("term", ["kappa", "accuracy", "agreement", "interval of kappa", "kappa difference"])
def test_every_figure_says_how_it_was_computed(term: str) -> None:
    assert f"<dt>{term}</dt>" in render_html(REPORT, "")


def test_the_page_is_about_as_large_as_its_plot_library() -> None:
    assert len(render_html(REPORT, "")) < 1_400_000


def test_the_same_report_gives_the_same_page() -> None:
    assert render_html(REPORT, "x") == render_html(build_report(make_facts(n_items=12)), "x")
