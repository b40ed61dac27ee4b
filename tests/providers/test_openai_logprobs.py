"""Log probabilities from the wire: whole and in order, or none at all."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.providers.building import prompt
from venire.domain.call import Alternative, Token
from venire.providers.openai_logprobs import MOST_ALTERNATIVES, read_tokens
from venire.providers.openai_wire import read_reply, request_body


def place(text: str, logprob: Any = -0.5, *tops: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"token": text, "logprob": logprob, "top_logprobs": list(tops), "bytes": list(text.encode()), **more}


def tokens_of(*places: Any) -> tuple[Token, ...]:
    return read_tokens({"logprobs": {"content": list(places)}})


def test_tokens_come_with_their_alternatives() -> None:
    tops = [{"token": " A", "logprob": -0.1, "bytes": [32, 65]}, {"token": " B", "logprob": -2.5, "bytes": None}]

    assert tokens_of(place(" A", -0.1, *tops), place("\n", -0.01)) == (
        Token(
            text=" A",
            logprob=-0.1,
            alternatives=(Alternative(text=" A", logprob=-0.1), Alternative(text=" B", logprob=-2.5)),
        ),
        Token(text="\n", logprob=-0.01),
    )


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1), st.integers(1, 3))
def test_texts_together_are_what_was_written_also_where_a_token_ends_inside_a_character(text: str, size: int) -> None:
    content = text.encode()
    pieces = [content[at : at + size] for at in range(0, len(content), size)]

    tokens = tokens_of(*(place("", bytes=list(piece), token=piece.decode("utf-8", "replace")) for piece in pieces))

    assert "".join(token.text for token in tokens) == text
    assert len(tokens) == len(pieces)


@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"logprobs": None},
        {"logprobs": {}},
        {"logprobs": {"content": None, "refusal": None}},
        {"logprobs": {"content": []}},
        {"logprobs": "no"},
        {"logprobs": {"content": "no"}},
        {"logprobs": {"content": [None]}},
        {"logprobs": {"content": [place("A"), {"token": "B"}]}},
        {"logprobs": {"content": [place("A", None)]}},
        {"logprobs": {"content": [place("A", "likely")]}},
        {"logprobs": {"content": [place("A", True)]}},
        {"logprobs": {"content": [place("A", math.nan)]}},
        {"logprobs": {"content": [{"logprob": -0.1}]}},
        {"logprobs": {"tokens": ["A"], "token_logprobs": [None]}},
        {"logprobs": {"tokens": ["A"], "token_logprobs": []}},
    ],
)
def test_what_is_missing_or_unreadable_gives_no_tokens_and_no_error(choice: Any) -> None:
    assert read_tokens(choice) == ()


def test_alternatives_that_cannot_be_read_are_left_out() -> None:
    tops = [None, {"token": "A"}, {"token": "B", "logprob": -math.inf}, {"token": "C", "logprob": -9999.0}]

    (token,) = tokens_of({"token": "A", "logprob": -0.1, "top_logprobs": tops})

    assert token.alternatives == (Alternative(text="C", logprob=-9999.0),)
    assert tokens_of({"token": "A", "logprob": -0.1, "top_logprobs": None})[0].alternatives == ()


@pytest.mark.parametrize("content", [None, [], [256], ["65"], [True]])
def test_without_usable_bytes_the_token_s_own_text_holds(content: Any) -> None:
    assert tokens_of(place("A", bytes=content))[0].text == "A"


def test_a_lone_surrogate_is_put_in_a_form_that_can_be_stored() -> None:
    (token,) = tokens_of({"token": "\ud83d", "logprob": -1, "top_logprobs": [{"token": "\ude00", "logprob": -2}]})

    assert (token.text, token.alternatives[0].text) == ("\ufffd", "\ufffd")


def test_a_probability_is_never_above_one() -> None:
    assert tokens_of(place("A", 1e-7))[0].logprob == 0.0


def test_the_older_form_of_two_lists_is_read() -> None:
    older = {"tokens": ["A", "."], "token_logprobs": [-0.1, -0.2], "top_logprobs": [{"A": -0.1, "B": -3.0}, None]}

    first, second = read_tokens({"logprobs": older})

    assert [(each.text, each.logprob) for each in first.alternatives] == [("A", -0.1), ("B", -3.0)]
    assert (second.text, second.alternatives) == (".", ())


@pytest.mark.parametrize(("n", "sent"), [(1, 1), (20, 20), (50, MOST_ALTERNATIVES)])
def test_as_many_alternatives_are_asked_for_as_an_api_gives(n: int, sent: int) -> None:
    body = request_body(prompt(("user", "hello"), top_logprobs=n), 1)

    assert (body["logprobs"], body["top_logprobs"]) == (True, sent)


def test_nothing_is_asked_for_where_nothing_is_wanted() -> None:
    body = request_body(prompt(("user", "hello")), 1)

    assert "logprobs" not in body
    assert "top_logprobs" not in body


def test_every_choice_of_a_reply_has_its_own_tokens() -> None:
    choices = [
        {"index": index, "finish_reason": "stop", "message": {"content": word}, "logprobs": {"content": [place(word)]}}
        for index, word in enumerate(("yes", "no"))
    ]
    choices.append({"index": 2, "finish_reason": "stop", "message": {"content": "yes"}, "logprobs": None})

    reply = read_reply(json.dumps({"choices": choices}).encode(), 3)

    assert [[token.text for token in choice.tokens] for choice in reply.choices] == [["yes"], ["no"], []]
