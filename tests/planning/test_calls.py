"""A plan is deterministic, streams, and names every draw by all that can change its answer."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import given

from venire.ballots.form import answer_format
from venire.domain.ballot import BallotForm
from venire.domain.call import Call
from venire.domain.design import Design
from venire.domain.item import Item
from venire.planning.calls import Manner, ballot_for, count_calls, plan_calls, request_about
from venire.planning.rounds import next_round

from .plans import design, designs, item, items, judge

ITEM = item("i", "four", "five", reference=("4",), context="maths")
PAIR = design("pairwise", judge("a"), judge("b", samples=2), orders="both")


def _ids(about: Design) -> list[str]:
    return [call.id for call in plan_calls([item("q1", "4")], about)]


@given(items(), designs())
def test_the_count_is_the_length_of_the_plan(some: list[Item], about: Design) -> None:
    planned = Counter(call.judge_id for call in plan_calls(some, about))

    assert count_calls(some, about) == {judge.id: planned[judge.id] for judge in about.judges}


def test_a_response_without_text_is_never_asked_about() -> None:
    about = design()

    with pytest.raises(ValueError, match="response 1 of item 'i' has no text"):
        request_about(item("i", "four", None), (1,), Manner(about.judges[0], about))


@given(items(), designs())
def test_the_same_items_and_design_give_the_same_calls(some: list[Item], about: Design) -> None:
    first, second = list(plan_calls(some, about)), list(plan_calls(some, about))

    assert first == second
    assert [call.id for call in first] == [call.id for call in second]


@given(items(), designs())
def test_no_draw_is_planned_twice(some: list[Item], about: Design) -> None:
    draws = [(call.judge_id, call.subject, call.shown, call.sample) for call in plan_calls(some, about)]

    assert len(set(draws)) == len(draws)


def test_a_plan_streams() -> None:
    taken = 0

    def endless() -> Iterator[Item]:
        nonlocal taken
        while True:
            taken += 1
            yield item(f"i{taken}", "4")

    assert len(list(islice(plan_calls(endless(), design()), 3))) == 3
    assert taken == 3


def test_judges_orders_and_samples_are_all_asked() -> None:
    asked = [(call.judge_id, call.shown, call.sample) for call in plan_calls([ITEM], PAIR)]

    assert asked == [
        ("a", (0, 1), 0),
        ("a", (1, 0), 0),
        ("b", (0, 1), 0),
        ("b", (0, 1), 1),
        ("b", (1, 0), 0),
        ("b", (1, 0), 1),
    ]


def test_responses_stand_in_the_prompt_in_the_order_shown() -> None:
    forward, backward = (
        call.request.messages[-1].content for call in plan_calls([ITEM], design("pairwise", orders="both"))
    )

    assert forward.index("four") < forward.index("five")
    assert backward.index("five") < backward.index("four")
    assert backward.index("<response A") < backward.index("five")


@pytest.mark.parametrize(("reference", "is_shown"), [("if_given", True), ("required", True), ("hidden", False)])
@pytest.mark.parametrize("provider", ["openai_compatible", "similarity"])
def test_a_hidden_reference_is_nowhere(reference: Any, is_shown: bool, provider: str) -> None:
    about = design("pairwise", judge(provider=provider), reference=reference)

    (call,) = plan_calls([replace(ITEM, reference=("the reference",))], about)

    assert ("the reference" in str(call.request.content())) == is_shown


def test_the_request_asks_for_the_judges_own_ballot() -> None:
    own = judge(ballot=BallotForm(json=False, max_tokens=8), temperature=0.5, template="{response} {ballot}")
    about = design("pointwise", own, judge("b"))

    first, second = (call.request for call in plan_calls([item("i", "4")], about))

    assert (first.max_tokens, first.temperature, first.format.kind) == (8, 0.5, "one_of")
    assert (second.max_tokens, second.temperature, second.format.kind) == (512, None, "json_schema")
    assert [message.role for message in first.messages] == ["user"]
    assert second.format == answer_format(ballot_for(about.judges[1], 1, about))


@pytest.mark.parametrize("provider", ["containment", "similarity", "length", "random", "recorded"])
def test_a_judge_without_a_language_model_gets_the_parts(provider: str) -> None:
    (call,) = plan_calls([item("i", "4")], design("pointwise", judge(provider=provider, votes=True)))

    (message,) = call.request.messages
    assert message.content.startswith('{"context":null,"criteria":[{"id":"q","scale":{"labels":["yes","no"]')
    assert '"item":"i"' in message.content


SHORT = BallotForm(max_tokens=256)


def _step(question: str = "Is it right?", **fields: Any) -> Design:
    settings: dict[str, Any] = {"temperature": 0, "ballot": SHORT}
    return design("pointwise", judge(**(settings | fields)), question=question)


STEPS: dict[str, Design] = {
    "temperature 0": _step(),
    "temperature 0.7": _step(temperature=0.7),
    "no temperature": _step(temperature=None),
    "max_tokens": _step(ballot=BallotForm(max_tokens=4096)),
    "one word": _step("Is it correct?"),
    "base_url": _step(base_url="http://localhost:2"),
    "model": _step(model="other"),
    "provider": _step(provider="embedded"),
    "parameter": _step(parameters=(("seed", 1),)),
    "ballot": _step(ballot=BallotForm(max_tokens=256, abstain=True)),
    "template": _step(template="{response}{ballot}"),
}


def test_every_setting_that_changes_the_answer_changes_the_id() -> None:
    """F37, run.cache_key."""
    ids = [_ids(about)[0] for about in STEPS.values()]

    assert len(set(ids)) == len(STEPS)
    assert _ids(STEPS["temperature 0"])[0] == ids[0]


def test_samples_have_ids_of_their_own_and_more_of_them_keep_the_first() -> None:
    """F37: five draws are five calls; asking for them again, or for more, asks for nothing twice."""
    five, seven = (_ids(design("pointwise", judge(temperature=0.7, samples=n))) for n in (5, 7))

    assert len(set(five)) == 5
    assert seven[:5] == five
    assert set(_ids(design("pointwise", judge(temperature=0.7)))) == {five[0]}


@pytest.mark.parametrize(
    "fields",
    [
        {"api_key_env": "OTHER_KEY"},
        {"headers": (("X-Title", "venire"),)},
        {"max_concurrency": 1},
        {"timeout_s": 1.0},
        {"votes": False},
        {"family": "other"},
        {"parameters": (("price_input_usd", 1.0), ("workers", 2), ("path", "x"))},
    ],
)
def test_how_and_at_what_price_is_asked_changes_no_id(fields: dict[str, Any]) -> None:
    plain = design("pointwise", judge("other"), judge("j"))
    changed = design("pointwise", judge("other"), judge("j", **fields))

    assert _ids(changed) == _ids(plain)


def test_judges_of_the_same_model_share_the_call_and_the_judges_id_is_no_part_of_it() -> None:
    assert _ids(design("pointwise", judge("a", model="m"))) == _ids(design("pointwise", judge("b", model="m")))


def test_a_temperature_of_0_is_the_same_as_0_point_0() -> None:
    assert _ids(design("pointwise", judge(temperature=0))) == _ids(design("pointwise", judge(temperature=-0.0)))


PROGRAM = """
from tests.planning.test_calls import ITEM, PAIR, plan_calls
print([call.id for call in plan_calls([ITEM], PAIR)], PAIR.asking_id)
"""


@pytest.mark.parametrize("seed", ["1", "2"])
def test_another_process_gives_the_same_ids(seed: str, root: Any) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, cwd=root, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == f"{[call.id for call in plan_calls([ITEM], PAIR)]} {PAIR.asking_id}"


def test_there_is_one_round_without_a_policy() -> None:
    first = next_round([ITEM], PAIR, 0)

    assert first is not None
    assert all(isinstance(call, Call) for call in first)
    assert next_round([ITEM], PAIR, 1) is None
