"""The full report: answers first, inert whatever was judged, small enough to send, the same in every form."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.browser import look_at
from tests.cli.running import RULES_DESIGN
from venire import Item, ItemId, Message, Response, judge, parse_design
from venire.domain.annotation import Annotation
from venire.domain.identity import CriterionId
from venire.domain.item import Subject
from venire.reporting.answers import answer_questions
from venire.reporting.deeper_json import full_document
from venire.reporting.html import render_html
from venire.reporting.markdown import full_markdown
from venire.telling import FullReport, tell_run

EVIL = (
    "</script><script>window.owned=1</script>",
    "<img src=x onerror=window.owned=1>",
    "'\"><svg/onload=window.owned=1>",
    "</pre></details><iframe srcdoc='<script>parent.owned=1</script>'>",
    "{{7*7}}{% raw %}\u202eevil\u2028",
    "javascript:window.owned=1",
    "[x](javascript:window.owned=1) `code` ![i](https://tracker.example/p.png)",
)
"""Fault F45."""


def run_of(folder: Path, items: Sequence[Item], gold: Mapping[str, str], design: str = RULES_DESIGN) -> FullReport:
    """Judge the first response of each item by rules, and tell the run."""
    annotations = [
        Annotation(
            subject=Subject(item_id=ItemId(item_id), responses=(0,)),
            criterion_id=CriterionId("correct"),
            annotator="a person",
            value=value,
        )
        for item_id, value in gold.items()
    ]
    judge(items, parse_design(design, file="d.yaml", folder=folder), out=folder / "run", annotations=annotations)
    return tell_run(folder / "run")


def plain_items(n: int = 40) -> list[Item]:
    return [
        Item(
            id=ItemId(f"q{number}"),
            prompt=(Message(role="user", content=f"What is {number} + 1?"),),
            responses=(Response(text=f"It is {number + 1 + (number % 3 == 0)}.", system=f"s{number % 2}"),),
            reference=(str(number + 1),),
            category="sums",
        )
        for number in range(n)
    ]


def gold_of(items: Sequence[Item]) -> dict[str, str]:
    return {item.id: "incorrect" if int(item.id[1:]) % 4 == 0 else "correct" for item in items}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> FullReport:
    """A run with gold, told."""
    items = plain_items()
    return run_of(tmp_path_factory.mktemp("told"), items, gold_of(items))


def page_of(told: FullReport) -> str:
    return render_html(told.report, told.design_yaml, told.deeper)


def test_the_first_screen_answers_three_questions(told: FullReport) -> None:
    ((_, answers),) = told.deeper.answers

    assert [answer.question for answer in answers] == [
        "Can I trust this panel?",
        "Is it better than its best judge?",
        "What would make it better?",
    ]
    page = page_of(told)
    assert page.index("Can I trust this panel?") < page.index("<h3>Decided by the panel")


def test_without_gold_nobody_knows_and_what_to_do_is_said(tmp_path: Path) -> None:
    told = run_of(tmp_path, plain_items(8), {})

    ((_, answers),) = told.deeper.answers
    assert [answer.tone for answer in answers] == ["open", "open", "open"]
    assert "Nobody knows yet" in {answer.headline for answer in answers}
    assert any("Label some 100 subjects" in sentence for answer in answers for sentence in answer.sentences)


def test_wrong_verdicts_come_first_and_hold_their_words(told: FullReport) -> None:
    kinds = [case.kind for case in told.deeper.cases]

    assert kinds == sorted(kinds, key=["wrong", "split"].index)
    assert "wrong" in kinds
    first = told.deeper.cases[0]
    assert first.prompt.startswith("What is")
    assert first.told.panel.words != first.told.gold.words


def test_the_forms_hold_the_same(told: FullReport) -> None:
    document = json.loads(full_document(told.report, told.deeper, told.design_yaml))
    text = full_markdown(told.report, told.deeper, told.design_yaml)

    assert len(document["cases"]) == len(told.deeper.cases)
    for _, answers in told.deeper.answers:
        assert all(answer.question in text for answer in answers)
    assert document["answers"][0]["questions"][0]["headline"] == told.deeper.answers[0][1][0].headline
    assert "rule: majority" in text


def test_long_texts_are_cut_so_that_the_page_stays_under_five_megabytes(tmp_path: Path) -> None:
    items = [
        replace(item, responses=(Response(text="日本語<&" * 4_000, system="s"),), prompt=())
        for item in plain_items(700)
    ]

    told = run_of(tmp_path, items, {item.id: "correct" for item in items})  # the rules find no answer in any

    assert len(told.deeper.cases) == 500
    assert told.deeper.n_left_out == 200
    assert "more characters]" in (told.deeper.cases[0].responses[0] or "")
    assert len(page_of(told).encode()) < 5_000_000


def test_a_criterion_without_agreement_has_no_answers() -> None:
    from venire.domain.finding import Undefined

    assert answer_questions(Undefined("no votes"), None, None) == ()


def hostile_items() -> list[Item]:
    return [
        Item(
            id=ItemId(f"{evil} {number}"),
            prompt=(Message(role="user", content=evil),),
            responses=(Response(text=evil * 2, system=evil),),
            reference=(evil,),
            context=evil,
            category=evil,
            group=f"{evil} {number}",
        )
        for number, evil in enumerate(EVIL * 2)
    ]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run whose every field attacks it."""
    folder = tmp_path_factory.mktemp("hostile")
    design = RULES_DESIGN.replace(
        "Does the response", json.dumps(EVIL[0])[1:-1].replace("'", "") + " Does the response"
    )
    items = hostile_items()
    gold = {item.id: "correct" if number % 2 else "incorrect" for number, item in enumerate(items)}
    told = run_of(folder, items, gold, design)
    page = folder / "report.html"
    page.write_text(page_of(told), encoding="utf-8")
    (folder / "report.md").write_text(full_markdown(told.report, told.deeper, told.design_yaml), encoding="utf-8")
    return page


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_judged_is_run_in_a_real_browser(hostile: Path, width: int) -> None:
    """Fault F45."""
    seen = look_at(
        hostile,
        [
            "typeof window.owned",
            "document.querySelectorAll('iframe, img, svg:not(.main-svg, .main-svg *, #js-plotly-tester)').length",
            "document.documentElement.scrollWidth <= window.innerWidth",
            "document.querySelectorAll('details.case').length > 0",
            "[...document.querySelectorAll('[data-figure]')].every((one) => one.querySelector('.main-svg'))",
        ],
        width=width,
    )

    assert seen.answers == ["undefined", 0, True, True, True]
    assert (seen.requests, seen.complaints) == ([], [])


def test_cases_can_be_searched_in_a_real_browser(hostile: Path) -> None:
    typed = (
        "(f => {f.value = 'ONERROR img'; f.dispatchEvent(new Event('input'))})(document.querySelector('[type=search]'))"
    )
    seen = look_at(
        hostile,
        [
            typed,
            "[...document.querySelectorAll('details.case')].filter((one) => !one.hidden).length",
            "document.querySelector('output').textContent",
            "document.querySelectorAll('details.case').length",
        ],
    )

    shown, words, n = seen.answers[1:]
    assert 0 < shown < n
    assert words == f"{shown} of {n}"


def test_in_markdown_nothing_judged_is_markup_or_a_link(hostile: Path) -> None:
    text = hostile.with_suffix(".md").read_text(encoding="utf-8")
    outside = text.split("## The design")[0]

    assert "<img" not in outside.replace("\\<img", "")
    assert "](" not in outside.replace("\\](", "")
    assert "://" not in outside
