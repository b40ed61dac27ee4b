"""`venire judge` in a real process: output, exit codes, resuming, and what bad input leads to."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.running import ITEMS, RULES_DESIGN, api_design, judge_into, venire, write_inputs
from tests.providers.loopback import Answer, LoopbackServer


def test_a_run_writes_every_result_and_exits_with_0(tmp_path: Path) -> None:
    done = judge_into(tmp_path, RULES_DESIGN)

    assert done.returncode == 0, done.stderr
    names = {"design.yaml", "store.sqlite", "report.html", "results/verdicts.jsonl", "results/verdicts.parquet"}
    assert all((tmp_path / "run" / name).exists() for name in names)
    assert "panel" in done.stdout
    assert "Traceback" not in done.stderr


def test_json_is_one_document_on_stdout_and_nothing_else(tmp_path: Path) -> None:
    done = judge_into(tmp_path, RULES_DESIGN, "--json")

    document = json.loads(done.stdout)
    assert document["counts"]["items"] == len(ITEMS)


def test_verdicts_are_strict_json_and_agree_with_the_judges(tmp_path: Path) -> None:
    judge_into(tmp_path, RULES_DESIGN)

    lines = (tmp_path / "run/results/verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    of_sum = [json.loads(line) for line in lines if json.loads(line)["systems"] == ["sum"]]
    assert [verdict["value"] for verdict in of_sum] == ["correct"] * len(ITEMS)


def test_the_same_command_again_asks_nobody(tmp_path: Path) -> None:
    with LoopbackServer() as server:
        design = api_design(server.base_url)
        first = judge_into(tmp_path, design)
        n_first = len(server.requests)
        again = judge_into(tmp_path, design)

        assert (first.returncode, again.returncode) == (0, 0)
        assert n_first == 2 * len(ITEMS)
        assert len(server.requests) == n_first


def test_the_same_inputs_give_the_same_bytes(tmp_path: Path) -> None:
    results = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        judge_into(tmp_path / name, RULES_DESIGN)
        results.append((tmp_path / name / "run/results/verdicts.jsonl").read_bytes())

    assert results[0] == results[1]


def test_failed_calls_are_counted_shown_and_asked_again_next_time(tmp_path: Path) -> None:
    with LoopbackServer() as server:
        design = api_design(server.base_url, max_concurrency="1")
        bad = Answer(status=400, body={"error": {"message": "no"}})
        server.then(*[Answer(body=_reply("correct"))] * 5, *[bad] * 5)
        first = judge_into(tmp_path, design)
        again = judge_into(tmp_path, design)

        assert first.returncode == 1, first.stderr
        assert "50.0%" in first.stderr
        assert again.returncode == 0, again.stderr
        assert len(server.requests) == 15


def test_a_dry_run_asks_nobody_and_calls_an_unknown_price_unknown(tmp_path: Path) -> None:
    with LoopbackServer() as server:
        items, design = write_inputs(tmp_path, api_design(server.base_url))
        done = venire("judge", items, "--design", design, "--dry-run")

        assert done.returncode == 0, done.stderr
        assert "10" in done.stdout
        assert server.requests == []
        assert not (tmp_path / "run").exists()


def test_limit_judges_the_first_items_only(tmp_path: Path) -> None:
    done = judge_into(tmp_path, RULES_DESIGN, "--limit", "2", "--json")

    assert json.loads(done.stdout)["counts"]["items"] == 2


def test_bad_items_are_all_listed_before_anything_is_asked(tmp_path: Path) -> None:
    with LoopbackServer() as server:
        rows = [{"id": "a"}, {"prompt": "x", "response": "y"}, {"id": "ok", "response": "y"}]
        done = judge_into(tmp_path, api_design(server.base_url), items=rows)

        assert done.returncode == 2
        assert "items.jsonl:1" in done.stderr
        assert "items.jsonl:2" in done.stderr
        assert server.requests == []


def test_skipping_bad_items_goes_on_and_says_how_many(tmp_path: Path) -> None:
    rows = [{"id": "a"}, {"id": "ok", "prompt": "x", "response": "y", "reference": "y"}]
    done = judge_into(tmp_path, RULES_DESIGN, "--skip-bad-items", items=rows)

    assert done.returncode == 0, done.stderr
    assert "1 problem" in done.stderr


def _reply(label: str) -> dict[str, object]:
    message = {"role": "assistant", "content": json.dumps({"correct": label})}
    return {
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1},
    }


MISTAKES = {
    "missing key": ({"api_key_env": "VENIRE_TEST_NO_SUCH_KEY"}, "/v1", "VENIRE_TEST_NO_SUCH_KEY"),
    "unknown model": ({}, "/at/404/v1", "no such model"),
    "refused key": ({}, "/at/401/v1", "Incorrect API key"),
    "wrong path": ({}, "/nowhere", "base_url"),
}


@pytest.mark.parametrize(("fields", "path", "expected"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_judge_that_cannot_be_asked_is_a_message_and_exit_2(
    tmp_path: Path, fields: dict[str, str], path: str, expected: str
) -> None:
    with LoopbackServer() as server:
        base_url = server.base_url.removesuffix("/v1") + path
        done = judge_into(tmp_path, api_design(base_url, **fields))

    assert done.returncode == 2
    assert expected in done.stderr
    assert "Traceback" not in done.stderr


def test_a_refused_connection_is_a_message_and_exit_2(tmp_path: Path) -> None:
    done = judge_into(tmp_path, api_design("http://127.0.0.1:9/v1"))

    assert done.returncode == 2
    assert "127.0.0.1" in done.stderr
    assert "Traceback" not in done.stderr


BAD_INPUT = {
    "unreadable design": ("protocol: [", None, "design.yaml:"),
    "empty file": (RULES_DESIGN, [], "items.jsonl"),
    "unknown provider": (RULES_DESIGN.replace("provider: random", "provider: randon"), None, "random"),
}


@pytest.mark.parametrize(("design", "items", "expected"), BAD_INPUT.values(), ids=BAD_INPUT.keys())
def test_bad_input_is_a_message_and_exit_2(
    tmp_path: Path, design: str, items: list[dict[str, object]] | None, expected: str
) -> None:
    done = judge_into(tmp_path, design, items=items)

    assert done.returncode == 2
    assert expected in done.stderr
    assert "Traceback" not in done.stderr


def test_no_gold_is_said_and_is_no_error(tmp_path: Path) -> None:
    items = [{name: value for name, value in item.items() if name != "gold"} for item in ITEMS]
    done = judge_into(tmp_path, RULES_DESIGN, items=items)

    assert done.returncode == 0, done.stderr
    assert "no gold" in done.stdout


def test_a_folder_with_other_things_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.txt").write_text("precious", encoding="utf-8")
    done = judge_into(tmp_path, RULES_DESIGN)

    assert done.returncode == 2
    assert "thesis.txt" in done.stderr


@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGINT])
def test_a_run_stopped_in_the_middle_pays_twice_for_at_most_what_was_in_flight(
    tmp_path: Path, kill: signal.Signals
) -> None:
    items = [{"id": f"i{n}", "prompt": f"Is {n} odd?", "response": f"{n} is odd"} for n in range(200)]
    with LoopbackServer(latency_s=0.02) as server:
        design = api_design(server.base_url, max_concurrency="10")
        items_file, design_file = write_inputs(tmp_path, design, items)
        command = [sys.executable, "-m", "venire", "judge", str(items_file), "--design", str(design_file)]
        command += ["--out", str(tmp_path / "run")]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ))
        while len(server.requests) < 60:
            assert process.poll() is None
            time.sleep(0.005)
        process.send_signal(kill)
        process.wait(timeout=60)
        n_at_stop = len(server.requests)
        again = judge_into(tmp_path, design, items=items)

        assert n_at_stop < 200
        assert again.returncode == 0, again.stderr
        assert len(server.requests) <= 200 + (10 if kill == signal.SIGKILL else 0)


def test_a_changed_design_in_the_same_folder_shares_answers_but_never_mixes_judgments(tmp_path: Path) -> None:
    first = json.loads(judge_into(tmp_path, RULES_DESIGN, "--json").stdout)
    changed = RULES_DESIGN.replace("labels: [correct, incorrect]", "labels: [incorrect, correct]")
    second = json.loads(judge_into(tmp_path, changed, "--json").stdout)

    assert [judge["conduct"]["calls_answered"] for judge in second["judges"]] == [10, 10, 10]
    assert first["counts"] == second["counts"]


def test_items_that_left_the_file_leave_the_results(tmp_path: Path) -> None:
    judge_into(tmp_path, RULES_DESIGN)
    fewer = json.loads(judge_into(tmp_path, RULES_DESIGN, "--json", items=ITEMS[:2]).stdout)

    assert fewer["counts"]["items"] == 2
    assert len((tmp_path / "run/results/verdicts.jsonl").read_text(encoding="utf-8").splitlines()) == 4


def test_a_dry_run_says_which_keys_are_not_set_and_takes_an_empty_store_for_none(tmp_path: Path) -> None:
    items, design = write_inputs(tmp_path, api_design("http://127.0.0.1:1/v1", api_key_env="NO_SUCH_KEY"))
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "store.sqlite").touch()

    done = venire("judge", items, "--design", design, "--out", tmp_path / "run", "--dry-run")

    assert done.returncode == 0, done.stderr
    assert "'NO_SUCH_KEY'" in done.stdout


def test_a_warning_is_said_once_before_asking_and_stands_in_the_json(tmp_path: Path) -> None:
    with LoopbackServer() as server:
        design = api_design(server.base_url)
        twin = "  - id: twin\n    provider: openai_compatible\n    model: test-model-2\n    family: tested\n"
        design = design.rstrip() + "\n    family: tested\n" + twin + f"    base_url: {server.base_url}\n"
        done = judge_into(tmp_path, design)
        again = judge_into(tmp_path, design, "--json")

    assert done.returncode == 0, done.stderr
    assert (done.stderr.count("one family"), done.stdout.count("one family")) == (1, 0)
    assert "one family" in json.loads(again.stdout)["warnings"][0]
