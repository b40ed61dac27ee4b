"""Money on the command line: the plan, consent, and what a run has cost."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import ITEMS, RULES_DESIGN, api_design, judge_into, venire, write_inputs
from tests.providers.loopback import Answer, LoopbackServer

PRICED = "prices: {test-model: {input_usd: 2, output_usd: 8, cached_input_usd: 0.5}}\n"


def reply(words: str = "correct", **usage: object) -> Answer:
    """An answer that was billed so many tokens."""
    message = {"role": "assistant", "content": json.dumps({"correct": words})}
    return Answer(body={"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage})


def test_a_dry_run_shows_a_range_and_a_most_and_what_they_rest_on(tmp_path: Path) -> None:
    items, design = write_inputs(tmp_path, api_design("http://127.0.0.1:9/v1") + PRICED)
    plan = json.loads(venire("judge", items, "--design", design, "--dry-run", "--json").stdout)

    (judge,) = plan["judges"]
    assert judge["usd_unknown_reason"] is None
    assert 0 < plan["usd"]["low"] < plan["usd"]["expected"] < plan["usd"]["high"] < plan["usd"]["at_most"]
    assert judge["basis"] == "no earlier calls: token counts are assumed"
    assert plan["unpriced"] == {"n_calls": 0, "tokens": 0}


def test_a_dry_run_counts_what_it_has_no_price_for(tmp_path: Path) -> None:
    items, design = write_inputs(tmp_path, api_design("http://127.0.0.1:9/v1"))
    done = venire("judge", items, "--design", design, "--dry-run")

    assert "cost unknown for 10 calls (about" in done.stdout
    assert "no price known for model 'test-model'" in done.stdout


def test_the_next_estimate_rests_on_what_the_run_folder_holds(tmp_path: Path) -> None:
    with LoopbackServer() as server:
        design = api_design(server.base_url) + PRICED
        server.then(*[reply(prompt_tokens=100, completion_tokens=40)] * 10)
        judge_into(tmp_path, design)
        more = [*ITEMS, {"id": "q9", "prompt": "What is 9 + 9?", "response": "18"}]
        items, file = write_inputs(tmp_path, design, more)
        plan = json.loads(
            venire("judge", items, "--design", file, "--out", tmp_path / "run", "--dry-run", "--json").stdout
        )

    (judge,) = plan["judges"]
    assert (judge["n_calls"], judge["n_stored"]) == (11, 10)
    assert judge["output_tokens"]["expected"] == 40
    assert judge["basis"] == "token counts as in 10 earlier requests"


@pytest.mark.parametrize(("limit", "code"), [("0.00001", 2), ("5", 0)])
def test_without_a_terminal_a_dear_run_is_refused(tmp_path: Path, limit: str, code: int) -> None:
    with LoopbackServer() as server:
        done = judge_into(tmp_path, api_design(server.base_url) + PRICED, "--confirm-above-usd", limit)

        assert done.returncode == code, done.stderr
        assert bool(server.requests) == (code == 0)
        assert ("--yes" in done.stderr) == (code == 2)


def test_an_unknown_price_is_above_every_limit(tmp_path: Path) -> None:
    done = judge_into(tmp_path, api_design("http://127.0.0.1:9/v1"), "--confirm-above-usd", "1000")

    assert done.returncode == 2
    assert "unknown for 10 calls" in done.stderr
    assert not (tmp_path / "run").exists()


def test_yes_goes_on_unasked(tmp_path: Path) -> None:
    with LoopbackServer() as server:
        done = judge_into(tmp_path, api_design(server.base_url), "--confirm-above-usd", "0", "--yes")

        assert done.returncode == 0, done.stderr
        assert len(server.requests) == 10


def test_what_costs_nothing_is_not_asked_about(tmp_path: Path) -> None:
    assert judge_into(tmp_path, RULES_DESIGN, "--confirm-above-usd", "0").returncode == 0


@pytest.mark.parametrize(("answer", "code", "n_requests"), [(b"n\n", 1, 0), (b"y\n", 0, 10)])
def test_at_a_terminal_the_person_decides(tmp_path: Path, answer: bytes, code: int, n_requests: int) -> None:
    with LoopbackServer() as server:
        items, design = write_inputs(tmp_path, api_design(server.base_url))
        command = [sys.executable, "-m", "venire", "judge", str(items), "--design", str(design)]
        command += ["--out", str(tmp_path / "run"), "--confirm-above-usd", "0"]
        person, terminal = pty.openpty()
        os.write(person, answer)
        done = subprocess.run(command, stdin=terminal, capture_output=True, text=True, timeout=60, check=False)
        os.close(terminal)
        os.close(person)

        assert done.returncode == code, done.stderr
        assert "Go on? [y/N]" in done.stderr
        assert len(server.requests) == n_requests


def test_a_budget_needs_every_price_before_anything_is_opened(tmp_path: Path) -> None:
    done = judge_into(tmp_path, api_design("http://127.0.0.1:9/v1", api_key_env="NOT_SET_HERE"), "--budget-usd", "5")

    assert done.returncode == 2
    assert "no price is known for remote" in done.stderr
    assert "prices: {test-model: {input_usd: X, output_usd: Y}}" in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_budget_stops_before_it_is_exceeded_keeps_everything_and_goes_on(tmp_path: Path) -> None:
    dear = "prices: {test-model: {input_usd: 100, output_usd: 100}}\n"
    with LoopbackServer() as server:
        design = api_design(server.base_url, max_concurrency="1") + dear
        server.then(*[reply(prompt_tokens=900, completion_tokens=100)] * 20)
        poor = judge_into(tmp_path, design, "--budget-usd", "0.75")
        n_poor = len(server.requests)
        cost = json.loads(venire("cost", tmp_path / "run", "--json").stdout)
        rich = judge_into(tmp_path, design, "--budget-usd", "50")

        assert (poor.returncode, rich.returncode) == (1, 0), poor.stderr + rich.stderr
        assert 0 < n_poor < 10
        assert len(server.requests) == 10
    assert cost["usd_known"] == pytest.approx(0.1 * n_poor)
    assert cost["usd_known"] <= 0.75
    spent = f"${0.1 * n_poor:.4f} spent of the budget of $0.75 by this command, and {10 - n_poor} calls are left"
    assert spent in poor.stderr


def test_a_run_is_priced_again_without_a_call(tmp_path: Path) -> None:
    """F20: 300 x 2 + 1200 x 0.5 + 100 x 8 per million, here of ten calls."""
    usage = {"prompt_tokens": 1500, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 1200}}
    with LoopbackServer() as server:
        server.then(*[reply(**usage)] * 10)
        judge_into(tmp_path, api_design(server.base_url))
        prices = tmp_path / "prices.yaml"
        prices.write_text(PRICED.removeprefix("prices: "), encoding="utf-8")
        unknown = json.loads(venire("cost", tmp_path / "run", "--json").stdout)
        known = json.loads(venire("cost", tmp_path / "run", "--prices", prices, "--json").stdout)

        assert len(server.requests) == 10
    assert (unknown["usd_known"], unknown["unpriced"]) == (0.0, 10)
    assert unknown["unpriced_tokens"] == {"input": 15_000, "output": 1000}
    assert (known["usd_known"], known["unpriced"]) == (pytest.approx(0.02), 0)
    assert known["judges"][0]["conduct"]["price"]["source"] == "prices.yaml"


def test_the_cost_of_a_run_is_a_table_and_says_where_its_prices_come_from(tmp_path: Path) -> None:
    with LoopbackServer() as server:
        server.then(*[reply(prompt_tokens=1000, completion_tokens=100)] * 10)
        judge_into(tmp_path, api_design(server.base_url) + PRICED)
    done = venire("cost", tmp_path / "run")

    assert done.returncode == 0, done.stderr
    assert "In all $0.0280." in done.stdout
    assert "remote: input 2, cached input 0.5, output 8 (given in the design)" in done.stdout
    assert "slowest member" in done.stdout


def test_batch_rates_are_asked_for_by_name(tmp_path: Path) -> None:
    table = "{remote: {input_usd: 2, output_usd: 8, batch_input_usd: 1, batch_output_usd: 4}}"
    with LoopbackServer() as server:
        server.then(*[reply(prompt_tokens=1000, completion_tokens=100, cost=0.5)] * 10)
        judge_into(tmp_path, api_design(server.base_url) + f"prices: {table}\n")
    reported, batch = (json.loads(venire("cost", tmp_path / "run", "--json", *o).stdout) for o in ((), ("--batch",)))

    assert (reported["usd_known"], reported["judges"][0]["conduct"]["cost_reported"]) == (pytest.approx(5.0), 10)
    assert batch["usd_known"] == pytest.approx(0.014)


def test_judges_of_an_earlier_design_in_the_same_folder_were_paid_too(tmp_path: Path) -> None:
    both = "prices: {test-model: {input_usd: 1, output_usd: 1}, other: {input_usd: 10, output_usd: 10}}\n"
    with LoopbackServer() as server:
        server.then(*[reply(prompt_tokens=900, completion_tokens=100)] * 20)
        first = api_design(server.base_url) + both
        judge_into(tmp_path, first)
        judge_into(tmp_path, first.replace("model: test-model", "model: other"))
    cost = json.loads(venire("cost", tmp_path / "run", "--json").stdout)

    assert {judge["id"]: judge["conduct"]["usd_known"] for judge in cost["judges"]} == {
        "remote": pytest.approx(0.1),
        "remote (test-model, earlier design)": pytest.approx(0.01),
    }
