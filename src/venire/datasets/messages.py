"""Messages: prompts and responses, written as text or as turns of a conversation, to plain text.

The rule, the same everywhere: the `content` of a message is text, or a list of parts. Text parts are joined by a
line break; any other part is named in its place: "[image]", "[audio]", "[file]", otherwise its own type in
brackets. `content: null` is no text, and "[tool_calls]" where the message calls tools.
A response of one message is that message's text; of several, blocks "role: text" with an empty line between.
"""

from collections.abc import Mapping
from typing import get_args

from venire.datasets.complaints import BadValue, quote
from venire.domain.identity import Json
from venire.domain.item import Message, Role

_ROLES: Mapping[str, Role] = {
    **{role: role for role in get_args(Role)},
    "human": "user",
    "ai": "assistant",
    "bot": "assistant",
    "gpt": "assistant",
    "developer": "system",
    "function": "tool",
}
"""Roles as chat formats write them (OpenAI, LangChain, ShareGPT)."""

_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})

_PART_NAMES: Mapping[str, str] = {
    "image_url": "image",
    "input_image": "image",
    "input_audio": "audio",
    "audio_url": "audio",
    "video_url": "video",
    "input_file": "file",
    "document": "file",
}
"""Types of parts that say more about the transport than about the content (OpenAI, Anthropic)."""


def read_prompt(written: Json) -> tuple[Message, ...]:
    """A prompt as messages: text is one message of the user; null, "" and [] are no prompt.

    Raises:
        BadValue: it is neither text nor a list of messages.
    """
    if written is None or written == "":
        return ()
    if isinstance(written, str):
        return (Message(role="user", content=written),)
    return _messages(written, "prompt")


def read_response_text(written: Json) -> str | None:
    """A response as text; null is a missing response and stays None, "" is an empty one.

    Raises:
        BadValue: it is neither text, a list of messages nor null.
    """
    if written is None or isinstance(written, str):
        return written
    turns = _messages(written, "text")
    if not turns:
        raise BadValue('text is an empty list; write "" for an empty response and null for a missing one')
    if len(turns) == 1:
        return turns[0].content
    return "\n\n".join(f"{turn.role}: {turn.content}" for turn in turns)


def _messages(written: Json, name: str) -> tuple[Message, ...]:
    if not isinstance(written, list):
        raise BadValue(f'{name} is {quote(written)}; text or a list of {{"role", "content"}} was expected')
    return tuple(_message(turn, f"{name}[{number}]") for number, turn in enumerate(written))


def _message(turn: Json, place: str) -> Message:
    if not isinstance(turn, dict):
        raise BadValue(f'{place} is {quote(turn)}; a message {{"role", "content"}} was expected')
    role = turn.get("role")
    if not isinstance(role, str) or role.casefold() not in _ROLES:
        raise BadValue(f"{place} has role {quote(role)}; expected one of {sorted(_ROLES)!r}")
    return Message(role=_ROLES[role.casefold()], content=_content(turn, place))


def _content(turn: Mapping[str, Json], place: str) -> str:
    content = turn.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_part(part, f"{place}.content[{number}]") for number, part in enumerate(content))
    if content is None and "content" in turn:
        return "[tool_calls]" if turn.get("tool_calls") else ""
    raise BadValue(f"{place} has content {quote(content)}; text or a list of parts was expected")


def _part(part: Json, place: str) -> str:
    if isinstance(part, str):
        return part
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(part, dict) or not isinstance(kind, str) or not kind:
        raise BadValue(f'{place} is {quote(part)}; a part has a "type"')
    if kind not in _TEXT_PARTS:
        return f"[{_PART_NAMES.get(kind, kind)}]"
    text = part.get("text")
    if not isinstance(text, str):
        raise BadValue(f"{place} is a text part whose text is {quote(text)}; text was expected")
    return text
