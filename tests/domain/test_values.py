"""The small values: items, calls, judgments, prices."""

from dataclasses import replace
from typing import Any

import pytest

from venire.domain.call import AnswerFormat, Call, Request, Usage, material
from venire.domain.finding import Interval, Undefined
from venire.domain.identity import CriterionId, ItemId, JudgeId
from venire.domain.item import Item, Message, Response, Subject, conversation_text
from venire.domain.judgment import Label
from venire.domain.price import FREE, Price, cost_of

REQUEST = Request(
    provider="p",
    model="m",
    base_url=None,
    messages=(Message(role="user", content="x"),),
    temperature=0.0,
    max_tokens=9,
    format=AnswerFormat(kind="text"),
)
CALL = Call(request=REQUEST, judge_id=JudgeId("j"), subject=Subject(item_id=ItemId("i"), responses=(0,)), shown=(0,))
PRICE = Price(input_usd=1.0, output_usd=10.0, cached_input_usd=0.1, source="test")
FULL = replace(PRICE, cached_input_usd=None)


@pytest.mark.parametrize(
    "fields",
    [
        {"provider": "q"},
        {"model": None},
        {"base_url": "http://x"},
        {"messages": (Message(role="system", content="x"),)},
        {"temperature": None},
        {"max_tokens": 8},
        {"format": AnswerFormat(kind="one_of", words=("a",))},
        {"parameters": (("seed", 1),)},
    ],
)
def test_every_field_of_a_request_is_in_its_id(fields: dict[str, Any]) -> None:
    assert replace(REQUEST, **fields).id != REQUEST.id


def test_a_request_id_never_changes() -> None:
    """Golden: changing it would orphan every stored answer."""
    assert REQUEST.id == "sha256:c1d32b7466b97a145db08d3d18bdf5dc"
    assert CALL.id == "sha256:4e81f7b1d3204c0b43f6491d6c88f0d9"


def test_a_sample_and_an_attempt_are_draws_of_their_own_but_the_subject_is_none() -> None:
    ids = {CALL.id, replace(CALL, sample=1).id, replace(CALL, attempt=1).id, replace(CALL, sample=1, attempt=1).id}

    assert len(ids) == 4
    assert replace(CALL, subject=Subject(item_id=ItemId("k"), responses=(0,))).id == CALL.id


def test_material_is_canonical() -> None:
    parts: dict[str, Any] = {"item_id": "i", "shown": (1, 0), "prompt": "p", "context": None, "responses": ("a", "b")}

    written = material(**parts, reference=(), criteria=((CriterionId("q"), {"type": "choice"}),))

    assert written == (
        '{"context":null,"criteria":[{"id":"q","scale":{"type":"choice"}}],"item":"i","prompt":"p",'
        '"reference":[],"responses":["a","b"],"shown":[1,0]}'
    )


def test_items_with_the_same_prompt_are_one_group() -> None:
    prompt = (Message(role="user", content="2 + 2?"),)
    one, other = (Item(id=ItemId(name), prompt=prompt, responses=(Response(text=name),)) for name in "ab")

    assert one.group == other.group
    assert replace(one, group="mine").group == "mine"
    assert Item(id=ItemId("c"), responses=(Response(text=None),)).group == "c"


def test_an_item_has_an_id_and_a_response() -> None:
    with pytest.raises(ValueError, match="needs an id"):
        Item(id=ItemId(""), responses=(Response(text="a"),))
    with pytest.raises(ValueError, match="no response"):
        Item(id=ItemId("i"), responses=())


@pytest.mark.parametrize("responses", [(), (1, 0), (0, 0)])
def test_a_subject_names_responses_in_their_order(responses: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="ascending"):
        Subject(item_id=ItemId("i"), responses=responses)


@pytest.mark.parametrize(
    ("turns", "text"),
    [((), ""), (("user: a",), "a"), (("system: a", "user: b"), "system: a\n\nuser: b")],
)
def test_a_conversation_of_one_turn_is_its_words(turns: tuple[str, ...], text: str) -> None:
    messages = tuple(Message(role=turn.partition(": ")[0], content=turn.partition(": ")[2]) for turn in turns)  # type: ignore[arg-type]

    assert conversation_text(messages) == text


@pytest.mark.parametrize("value", [True, False, float("nan"), float("inf")])
def test_what_is_no_label_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="is no label"):
        Label(value=value)


@pytest.mark.parametrize(
    ("usage", "price", "usd"),
    [
        (Usage(input_tokens=1_000_000, output_tokens=100_000), PRICE, 2.0),
        (Usage(input_tokens=1_000_000, output_tokens=0, cached_input_tokens=500_000), PRICE, 0.55),
        (Usage(input_tokens=10, output_tokens=0, cached_input_tokens=99), PRICE, 1e-6),
        (Usage(input_tokens=1_000_000, output_tokens=0, cached_input_tokens=500_000), FULL, 1.0),
        (Usage(reported_usd=0.25), PRICE, 0.25),
        (Usage(reported_usd=0.25), Undefined("?"), 0.25),
        (Usage(), FREE, 0.0),
        (Usage(input_tokens=10), PRICE, Undefined("the provider reported no token counts")),
        (Usage(input_tokens=10, output_tokens=1), Undefined("no price"), Undefined("no price")),
    ],
)
def test_a_cost_is_known_or_undefined_but_never_zero_by_ignorance(usage: Usage, price: Any, usd: Any) -> None:
    cost = cost_of(usage, price)

    assert cost == (usd if isinstance(usd, Undefined) else pytest.approx(usd))


def test_an_interval_tells_whether_zero_lies_outside() -> None:
    inside, above = Interval(low=-0.1, high=0.2, method="t"), Interval(low=0.1, high=0.2, method="t")

    assert (inside.excludes_zero, above.excludes_zero) == (False, True)
