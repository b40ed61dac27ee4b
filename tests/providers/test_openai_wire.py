"""Bodies and replies of the chat-completions format."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.providers.building import SCHEMA, judge, prompt
from venire.domain.call import Reply
from venire.errors import ErrorKind, ProviderError
from venire.providers.openai_wire import read_reply, request_body, usage_in

HELLO = prompt(("system", "rules"), ("user", "hello"))


def read(n: int = 1, **body: Any) -> Reply:
    return read_reply(json.dumps(body).encode(), n)


def choice(finish: str | None = "stop", **message: Any) -> dict[str, Any]:
    return {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}


def test_a_plain_request_holds_the_messages_the_model_and_the_limit_alone() -> None:
    assert request_body(HELLO, 1) == {
        "model": "m",
        "max_tokens": 32,
        "messages": [{"role": "system", "content": "rules"}, {"role": "user", "content": "hello"}],
    }


def test_a_temperature_is_sent_only_where_it_was_set() -> None:
    assert request_body(prompt(("user", "x"), temperature=0.0), 1)["temperature"] == 0.0
    assert "temperature" not in request_body(HELLO, 1)


def test_several_samples_are_asked_for_with_n() -> None:
    assert request_body(HELLO, 3)["n"] == 3


def test_a_schema_is_sent_strict_and_keeps_the_order_of_its_fields() -> None:
    schema = '{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}},"required":["z","a"]}'
    form = SCHEMA.__class__(kind="json_schema", schema=schema)

    sent: Any = request_body(prompt(("user", "x"), form=form), 1)["response_format"]

    assert sent["json_schema"]["strict"] is True
    assert list(sent["json_schema"]["schema"]["properties"]) == ["z", "a"]


def test_parameters_are_sent_on_but_prices_are_not() -> None:
    body = request_body(prompt(("user", "x"), parameters=(("logprobs", True), ("price_input_usd", 2.0))), 1)

    assert body["logprobs"] is True
    assert "price_input_usd" not in body


def test_no_parameter_replaces_what_is_asked() -> None:
    body = request_body(prompt(("user", "x"), parameters=(("messages", "other"), ("n", 9), ("stream", True))), 1)

    assert body["messages"] == [{"role": "user", "content": "x"}]
    assert "n" not in body
    assert "stream" not in body


def test_max_completion_tokens_takes_the_place_of_max_tokens() -> None:
    body = request_body(prompt(("user", "x"), parameters=(("max_completion_tokens", 99),)), 1)

    assert (body["max_completion_tokens"], "max_tokens" in body) == (99, False)


def test_the_token_limit_has_the_name_that_the_model_knows() -> None:
    """https://developers.openai.com/api/docs/guides/reasoning: max_tokens is refused."""
    body = request_body(prompt(("user", "x"), parameters=(("token_limit", "max_completion_tokens"),)), 1)

    assert (body["max_completion_tokens"], {"max_tokens", "token_limit"} & set(body)) == (32, set())


def test_a_request_to_the_first_o1_is_one_user_turn_without_a_schema() -> None:
    asked = judge("openai_compatible", model="o1-mini").asked_parameters
    messages = (("system", "rules"), ("user", "hello"))

    assert request_body(prompt(*messages, form=SCHEMA, model="o1-mini", parameters=asked), 1) == {
        "model": "o1-mini",
        "max_completion_tokens": 32,
        "messages": [{"role": "user", "content": "rules\n\nhello"}],
    }


@pytest.mark.parametrize(("wanted", "sent"), [("json_object", {"type": "json_object"}), ("none", None)])
def test_the_response_format_can_be_weakened_for_an_endpoint(wanted: str, sent: Any) -> None:
    body = request_body(prompt(("user", "x"), form=SCHEMA, parameters=(("response_format", wanted),)), 1)

    assert body.get("response_format") == sent


def test_system_text_can_be_folded_into_the_user_turn() -> None:
    body = request_body(
        prompt(("system", "rules"), ("user", "hello"), parameters=(("system_role", "user"),)),
        1,
    )

    assert body["messages"] == [{"role": "user", "content": "rules\n\nhello"}]


def test_choices_come_in_the_order_of_their_index_and_no_more_than_asked() -> None:
    given = [choice(content=word) | {"index": index} for word, index in (("c", 2), ("a", 0), ("b", 1))]

    assert [each.text for each in read(2, choices=given).choices] == ["a", "b"]


@pytest.mark.parametrize(
    ("given", "text", "finish"),
    [
        (choice(content="yes"), "yes", "stop"),
        (choice(content=[{"type": "text", "text": "y"}, {"type": "text", "text": "es"}]), "yes", "stop"),
        (choice(content=[{"type": "thinking", "thinking": []}, {"type": "text", "text": "yes"}]), "yes", "stop"),
        (choice(content=[{"type": "refusal", "refusal": "no"}]), "no", "refusal"),
        (choice(content=None), "", "stop"),
        (choice(), "", "stop"),
        (choice(content="yes", finish=None), "yes", "other"),
        (choice(content="yes", finish="eos"), "yes", "stop"),
        (choice(content="part", finish="length"), "part", "length"),
        (choice(content="part", finish="content_filter"), "part", "content_filter"),
        (choice(content="a \ud800 b"), "a \ufffd b", "stop"),
        (choice(content=None, function_call={"arguments": '{"x":1}'}, finish="function_call"), '{"x":1}', "tool_calls"),
        (choice(content=None, tool_calls=[{"function": {"arguments": {"x": 1}}}]), '{"x": 1}', "tool_calls"),
        (choice(content="", tool_calls=[{"function": {"arguments": '{"x"'}}], finish="length"), '{"x"', "length"),
        (choice(content="yes", refusal=""), "yes", "stop"),
    ],
)
def test_a_choice_is_read_in_every_shape_in_use(given: dict[str, Any], text: str, finish: str) -> None:
    (read_choice,) = read(choices=[given]).choices

    assert (read_choice.text, read_choice.finish_reason) == (text, finish)


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_hidden_reasoning_is_kept_apart_from_the_words(name: str) -> None:
    (read_choice,) = read(choices=[choice(content="yes", **{name: "hmm"})]).choices

    assert (read_choice.text, read_choice.reasoning) == ("yes", "hmm")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<html>Bad gateway</html>", "bad_reply"),
        (b"", "bad_reply"),
        (b"[]", "bad_reply"),
        (b'{"choices": {"a": 1}}', "bad_reply"),
        (b'{"choices": [null]}', "bad_reply"),
        (b'{"choices": [{"index": 0}]}', "bad_reply"),
        (b'{"choices": [{"text": "completions, not chat"}]}', "bad_reply"),
        (b"{}", "bad_reply"),
        (b'{"error": {"code": 429, "message": "slow"}}', "rate_limit"),
        (b'{"error": {"code": "insufficient_quota"}}', "quota"),
        (b'{"error": "something"}', "server"),
        (b'{"choices": [{"error": {"code": 502, "message": "upstream"}, "finish_reason": "error"}]}', "server"),
        (b'{"choices": [{"finish_reason": "error", "message": {"content": "par"}}]}', "server"),
    ],
)
def test_a_success_without_an_answer_is_an_error_of_its_kind(body: bytes, kind: ErrorKind) -> None:
    with pytest.raises(ProviderError) as caught:
        read_reply(body, 1)

    assert (caught.value.kind, caught.value.raw) == (kind, body.decode())


def test_usage_holds_cached_and_reasoning_tokens_and_the_reported_cost() -> None:
    usage = read(
        choices=[choice(content="yes")],
        usage={
            "prompt_tokens": 1500,
            "completion_tokens": 100,
            "prompt_tokens_details": {"cached_tokens": 1200},
            "completion_tokens_details": {"reasoning_tokens": 60},
            "cost": 0.002,
        },
    ).usage

    assert (usage.input_tokens, usage.cached_input_tokens) == (1500, 1200)
    assert (usage.output_tokens, usage.reasoning_tokens, usage.reported_usd) == (100, 60, 0.002)


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ({"prompt_tokens": 1500, "prompt_tokens_details": {"cached_tokens": 1200}}, (1500, 1200, None)),
        ({"prompt_tokens": 1500, "prompt_cache_hit_tokens": 1200}, (1500, 1200, None)),
        (
            {"prompt_tokens": 900, "prompt_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 800}},
            (900, 0, 800),
        ),
        ({"prompt_tokens": 50, "cache_read_input_tokens": 700, "cache_creation_input_tokens": 30}, (780, 700, 30)),
        ({"prompt_tokens": 900, "cache_read_input_tokens": 700, "total_tokens": 910}, (900, 700, None)),
        ({"prompt_tokens": 900, "cache_read_input_tokens": 700, "total_tokens": 1610}, (1600, 700, None)),
    ],
)
def test_cached_tokens_are_part_of_the_input_whichever_way_they_are_reported(
    usage: dict[str, Any], counts: tuple[int | None, ...]
) -> None:
    got = read(choices=[choice(content="yes")], usage={"completion_tokens": 10, **usage}).usage

    assert (got.input_tokens, got.cached_input_tokens, got.cache_write_input_tokens) == counts


@pytest.mark.parametrize(
    ("usage", "n_output"),
    [
        ({"completion_tokens": 100, "completion_tokens_details": {"reasoning_tokens": 60}, "total_tokens": 600}, 100),
        ({"completion_tokens": 40, "completion_tokens_details": {"reasoning_tokens": 60}, "total_tokens": 600}, 100),
        ({"completion_tokens": 40, "completion_tokens_details": {"reasoning_tokens": 30}, "total_tokens": 570}, 70),
        ({"completion_tokens": 40, "completion_tokens_details": {"reasoning_tokens": 60}}, 100),
        ({"completion_tokens": 40, "total_tokens": 660}, 160),
        ({"completion_tokens": 40, "total_tokens": 3}, 40),
        ({"total_tokens": 660}, None),
    ],
)
def test_hidden_reasoning_is_part_of_the_output_whether_or_not_it_is_counted_there(
    usage: dict[str, Any], n_output: int | None
) -> None:
    got = read(choices=[choice(content="yes")], usage={"prompt_tokens": 500, **usage}).usage

    assert got.output_tokens == n_output


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None}, {"prompt_tokens": True}, {"prompt_tokens": -1}])
def test_tokens_that_were_not_reported_are_unknown(usage: Any) -> None:
    assert read(choices=[choice(content="yes")], usage=usage).usage.input_tokens is None


@pytest.mark.parametrize("choices", [[], None])
def test_a_success_without_a_choice_is_a_reply_without_one_and_is_billed(choices: Any) -> None:
    reply = read(choices=choices, usage={"prompt_tokens": 90})

    assert (reply.choices, reply.usage.input_tokens) == ((), 90)


def test_the_usage_of_an_error_body_can_be_read() -> None:
    assert usage_in('{"error": {}, "usage": {"prompt_tokens": 90}}').input_tokens == 90


def test_the_served_model_is_its_name_and_fingerprint() -> None:
    reply = read(choices=[choice(content="yes")], model="m-2026", system_fingerprint="fp_1")

    assert reply.served_model == "m-2026 fp_1"


KEYS = ["choices", "message", "content", "error", "usage", "finish_reason", "index", "tool_calls", "function"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=5) | JSON)
def test_any_json_is_a_reply_or_a_provider_error(body: Any) -> None:
    try:
        reply = read_reply(json.dumps(body).encode(), 1)
    except ProviderError:
        return
    assert len(reply.choices) <= 1
