"""Whole runs in which judges stop, money runs out, and failures are asked again."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import venire
from tests.test_api import DESIGN, ITEMS, panel, say
from venire.calling.events import CallEvent
from venire.domain.call import Choice, Reply, Request, Usage
from venire.domain.price import Price
from venire.errors import JudgeUnavailable, ProviderError
from venire.providers.scripted import Scripted

PRICED = replace(
    DESIGN,
    prices=tuple((name, Price(input_usd=1.0, output_usd=1.0, source="test")) for name in ("ann", "bob", "cyd")),
)


def refused() -> Scripted:
    return Scripted(lambda _request, _sample: ProviderError("auth", "key refused", status=401))


def silent_about_usage() -> Scripted:
    choice = Choice(text='{"correct": "correct"}', finish_reason="stop")
    return Scripted(lambda _request, _sample: Reply(choices=(choice,), usage=Usage(), raw="{}"))


def test_two_of_three_judges_decide_when_the_third_refuses() -> None:
    events: list[CallEvent] = []
    providers = {**panel(*["correct"] * 3), "cyd": refused()}

    run = venire.judge(ITEMS, DESIGN, providers=providers, listen=events.append)

    assert [verdict.outcome for verdict in run.verdicts] == [venire.Decided(value="correct")] * 4
    assert (len(providers["cyd"].asked), run.decision.n_failed) == (1, 4)
    assert Counter(event.kind for event in events)["stopped"] == 1
    assert any("cyd" in warning and "key refused" in warning for warning in run.report.warnings)


def test_without_a_majority_in_reach_the_run_ends() -> None:
    providers = {"ann": say("correct"), "bob": refused(), "cyd": refused()}

    with pytest.raises(JudgeUnavailable, match="key refused"):
        venire.judge(ITEMS, DESIGN, providers=providers)


def test_only_calls_that_were_given_up_are_asked_again(tmp_path: Path) -> None:
    providers = {**panel(*["correct"] * 3), "cyd": refused()}
    venire.judge(ITEMS[:3], DESIGN, providers=providers, out=tmp_path / "run")
    mended = panel(*["correct"] * 3)

    run = venire.judge(ITEMS, DESIGN, providers=mended, out=tmp_path / "run", retry_failures=True)

    assert {name: len(provider.asked) for name, provider in mended.items()} == {"ann": 0, "bob": 0, "cyd": 3}
    assert (run.decision.n_failed, run.decision.n_unasked) == (0, 3)


def test_the_old_records_of_a_retried_call_are_kept(tmp_path: Path) -> None:
    from venire.store.sqlite import open_sqlite_store

    providers = {**panel(*["correct"] * 3), "cyd": refused()}
    venire.judge(ITEMS, DESIGN, providers=providers, out=tmp_path / "run")
    venire.judge(ITEMS, DESIGN, providers=panel(*["correct"] * 3), out=tmp_path / "run", retry_failures=True)

    store = open_sqlite_store(tmp_path / "run" / "store.sqlite", read_only=True)
    kinds = Counter(one.error.kind if one.error else "answered" for one in store.exchanges())
    store.close()
    assert kinds == {"answered": 12, "auth": 1}


def test_a_budget_ends_the_run_and_keeps_what_was_answered(tmp_path: Path) -> None:
    providers = {name: silent_about_usage() for name in ("ann", "bob", "cyd")}

    run = venire.judge(ITEMS, PRICED, providers=providers, out=tmp_path / "run", budget_usd=0.02)
    again = venire.judge(ITEMS, PRICED, providers=providers, out=tmp_path / "run")

    assert run.ended == "out_of_budget"
    assert 0 < run.decision.n_unasked < 12
    assert (again.ended, again.decision.n_unasked) == ("all_told", 0)
    assert sum(len(provider.asked) for provider in providers.values()) == 12


def test_a_budget_with_an_unknown_price_is_refused_before_a_folder_is_made(tmp_path: Path) -> None:
    with pytest.raises(venire.UsageError, match="ann"):
        venire.judge(ITEMS, DESIGN, providers=panel(*["correct"] * 3), out=tmp_path / "run", budget_usd=1.0)

    assert not (tmp_path / "run").exists()


def test_a_judge_that_stopped_is_not_asked_in_a_later_round() -> None:
    def unread_then_refused(_request: Request, _sample: int) -> str | ProviderError:
        return "no ballot" if len(cyd.asked) == 1 else ProviderError("auth", "key refused", status=401)

    cyd = Scripted(unread_then_refused)
    venire.judge(ITEMS, DESIGN, providers={**panel(*["correct"] * 3), "cyd": cyd})

    assert len(cyd.asked) <= 5
