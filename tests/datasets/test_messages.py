import pytest

from venire.datasets.complaints import BadValue
from venire.datasets.messages import read_prompt, read_response_text
from venire.domain.identity import Json
from venire.domain.item import Message


def test_text_is_one_message_of_the_user() -> None:
    assert read_prompt("why?") == (Message(role="user", content="why?"),)


@pytest.mark.parametrize("written", [None, "", []])
def test_nothing_is_no_prompt(written: Json) -> None:
    assert read_prompt(written) == ()


@pytest.mark.parametrize(
    ("role", "meant"),
    [("system", "system"), ("developer", "system"), ("Human", "user"), ("gpt", "assistant"), ("function", "tool")],
)
def test_roles_of_chat_formats_are_known(role: str, meant: str) -> None:
    assert read_prompt([{"role": role, "content": "x"}])[0].role == meant


@pytest.mark.parametrize("written", [None, "", "text", " a\r\nb "])
def test_a_text_response_is_kept_as_it_is(written: str | None) -> None:
    assert read_response_text(written) == written


def test_one_message_is_its_text() -> None:
    assert read_response_text([{"role": "assistant", "content": "hi"}]) == "hi"


def test_several_messages_are_blocks_with_roles() -> None:
    turns: Json = [{"role": "user", "content": "q"}, {"role": "ai", "content": [{"type": "text", "text": "hi"}]}]

    assert read_response_text(turns) == "user: q\n\nassistant: hi"


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ({"type": "text", "text": "b"}, "b"),
        ({"type": "output_text", "text": "b"}, "b"),
        ("b", "b"),
        ({"type": "image_url", "image_url": {}}, "[image]"),
        ({"type": "image"}, "[image]"),
        ({"type": "input_audio"}, "[audio]"),
        ({"type": "document"}, "[file]"),
        ({"type": "tool_use"}, "[tool_use]"),
    ],
)
def test_parts_are_joined_by_line_breaks_and_others_named(part: Json, text: str) -> None:
    turn: Json = {"role": "assistant", "content": ["a", part]}

    assert read_response_text([turn]) == f"a\n{text}"


def test_a_message_that_only_calls_tools_says_so() -> None:
    turn: Json = {"role": "assistant", "content": None, "tool_calls": [{"id": "t"}]}

    assert read_response_text([turn]) == "[tool_calls]"


@pytest.mark.parametrize(
    "written",
    [
        True,
        3,
        [],
        {"role": "user"},
        ["hi"],
        [{"role": "narrator", "content": "x"}],
        [{"role": "user"}],
        [{"role": "user", "content": 3}],
        [{"role": "user", "content": [{"text": "x"}]}],
        [{"role": "user", "content": [{"type": "text", "text": 3}]}],
    ],
)
def test_what_is_neither_text_nor_messages_is_refused(written: Json) -> None:
    with pytest.raises(BadValue):
        read_response_text(written)
