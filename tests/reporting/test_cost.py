"""The cost of a run, as text and as JSON."""

import json
from dataclasses import replace

import pytest

from tests.metaeval.test_conduct import ANSWERED, PRICE
from venire.domain.call import Exchange, Usage
from venire.domain.finding import Undefined
from venire.domain.measures import PanelLatency
from venire.domain.price import Price
from venire.metaeval.conduct import measure_conduct
from venire.reporting.cost import JudgeCost, RunCost, cost_json, cost_text, total_cost

PANEL = PanelLatency(n_subjects=2, p50_s=1.0, p95_s=2.0)
NEW = Undefined("no price known for model 'new'")


def judge(*exchanges: Exchange, name: str = "a", price: Price | Undefined = PRICE) -> JudgeCost:
    (conduct,) = measure_conduct(exchanges or [ANSWERED], {ANSWERED.judge_id: price}).values()
    return JudgeCost(name=name, model="m", votes=True, conduct=conduct)


def run(*judges: JudgeCost) -> RunCost:
    return RunCost(judges=judges, panel_latency=PANEL)


def test_known_and_unknown_stand_beside_one_another() -> None:
    text = cost_text(run(judge(), judge(name="b", price=NEW)))

    assert "In all $0.0020 + unknown for 1 call (1,100 tokens)." in text
    assert "  a: input 1, output 10 (test)" in text
    assert "  b: no price known for model 'new'" in text


def test_the_columns_of_the_table_stand_below_one_another() -> None:
    head, *rows = cost_text(run(judge(), judge(name="a much longer name"))).split("\n\n")[0].split("\n")

    assert {len(row) for row in rows} == {len(head)}


def test_what_providers_reported_is_told() -> None:
    reported = replace(ANSWERED, usage=Usage(reported_usd=0.5))

    assert "1 of 2 requests as the provider reported; otherwise input 1" in cost_text(run(judge(ANSWERED, reported)))


@pytest.mark.parametrize("hostile", ["a\x1b[2J", "a\nb", "a\u202eb"])
def test_no_name_or_reason_moves_the_cursor(hostile: str) -> None:
    text = cost_text(run(judge(name=hostile, price=Undefined(f"no price for {hostile}"))))

    assert hostile not in text
    assert len(text.split("\n")) == len(cost_text(run(judge())).split("\n"))


def test_the_same_reason_of_two_judges_is_counted_once() -> None:
    total = total_cost([judge(price=NEW).conduct, judge(ANSWERED, ANSWERED, price=NEW).conduct])

    (part,) = total.unpriced
    assert (part.reason, part.n_exchanges, part.input_tokens, part.output_tokens) == (NEW.reason, 3, 3000, 300)


def test_json_holds_every_figure_and_null_with_its_reason() -> None:
    document = json.loads(cost_json(run(judge(price=NEW))))

    assert (document["usd_known"], document["unpriced"]) == (0.0, 1)
    assert document["unpriced_tokens"] == {"input": 1000, "output": 100}
    assert document["judges"][0]["conduct"]["price"] == {"value": None, "reason": NEW.reason}
    assert document["panel_latency"] == {"subjects": 2, "p50_s": 1.0, "p95_s": 2.0}
