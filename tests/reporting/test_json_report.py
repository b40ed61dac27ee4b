"""The JSON report: strict, complete, in one shape."""

import json
from dataclasses import replace
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.domain.finding import Undefined
from venire.reporting.build import build_report
from venire.reporting.json_report import report_json

from .facts import CORRECT, QUALITY, make_facts

SMALL = build_report(make_facts(n_items=2))


def refuse(constant: str) -> NoReturn:
    """Fail on NaN and Infinity, which are no JSON."""
    raise AssertionError(f"{constant} is not JSON")


def strict(text: str) -> Any:
    """Parse JSON that any parser would take, without repeated keys."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)


@pytest.mark.parametrize("gold", [True, False])
def test_the_report_is_strict_json(gold: bool) -> None:
    parsed = strict(report_json(build_report(make_facts((CORRECT, QUALITY), n_items=5, gold=gold))))

    assert list(parsed) == [
        "schema", "title", "venire_version", "seed", "asked", "decision", "counts", "cost", "panel_latency",
        "notes", "warnings", "criteria", "best_of_n", "judges", "relatives", "without_relatives",
    ]  # fmt: skip


def test_the_same_report_gives_the_same_bytes() -> None:
    assert report_json(build_report(make_facts(n_items=5))) == report_json(build_report(make_facts(n_items=5)))


def test_an_undefined_figure_is_null_with_its_reason() -> None:
    agreement = strict(report_json(build_report(make_facts(n_items=5, gold=False))))["criteria"][0]["agreement"]

    assert agreement["raters"][0]["kappa"] == {"value": None, "reason": "there is no gold"}


def test_a_figure_without_an_interval_says_why() -> None:
    agreement = strict(report_json(build_report(make_facts(n_items=2))))["criteria"][0]["agreement"]
    interval = agreement["raters"][0]["accuracy"]["interval"]

    assert interval == {"low": None, "high": None, "reason": "1 group; at least 2 are needed to see how groups vary"}


def test_the_panel_is_marked_and_last() -> None:
    raters = strict(report_json(SMALL))["criteria"][0]["agreement"]["raters"]

    assert [rater["is_panel"] for rater in raters] == [False] * 4 + [True]


def test_a_judge_that_was_asked_nothing_has_no_conduct() -> None:
    judge = replace(SMALL.judges[0], conduct=Undefined("it was asked nothing"))
    parsed = strict(report_json(replace(SMALL, judges=(judge,))))

    assert parsed["judges"][0]["conduct"] == {"value": None, "reason": "it was asked nothing"}


def test_a_figure_that_is_not_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        report_json(replace(SMALL, cost=replace(SMALL.cost, usd_known=float("nan"))))


@given(st.text(st.characters(exclude_categories=[])))
def test_any_text_comes_back_as_it_was(text: str) -> None:
    written = report_json(replace(SMALL, title=text, notes=(text,), judges=(replace(SMALL.judges[0], model=text),)))

    parsed = strict(written)
    assert (parsed["title"], parsed["notes"], parsed["judges"][0]["model"]) == (text, [text], text)
    assert written.isascii()


def test_every_judge_says_how_its_labels_were_found() -> None:
    parsed = strict(report_json(build_report(make_facts((CORRECT,), n_items=5))))

    assert parsed["judges"][0]["read"] == {
        "labels": 20,
        "by_step": {"json": 17, "repaired_json": 3},
        "asked_again": 2,
        "with_probabilities": 10,
        "mean_coverage": 0.5,
    }
