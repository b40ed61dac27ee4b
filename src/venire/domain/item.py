"""Items: what is judged, and which part of an item one judgment is about."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from venire.domain.identity import ItemId, content_id

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of a conversation, as plain text."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One system's output for one item."""

    text: str | None
    """The words; "" is an empty response and is judged, None is a missing one and is never asked about."""
    system: str | None = None
    """The name of the system that wrote it, where known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One unit to be judged: a prompt with its responses, perhaps a reference and a context."""

    id: ItemId
    prompt: tuple[Message, ...] = ()
    responses: tuple[Response, ...]
    reference: tuple[str, ...] = ()
    """Accepted answers; empty: the item has no reference."""
    context: str | None = None
    category: str | None = None
    group: str = ""
    """The cluster for resampling and splits; by default the hash of the prompt, without a prompt the id."""

    def __post_init__(self) -> None:
        if not self.id:
            raise ValueError("An item needs an id that is not empty")
        if not self.responses:
            raise ValueError(f"Item {self.id!r} has no response; there must be at least one to judge")
        if not self.group:
            turns = [[message.role, message.content] for message in self.prompt]
            object.__setattr__(self, "group", content_id(turns) if turns else str(self.id))


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Subject:
    """What one judgment or verdict is about: one response (pointwise), two (pairwise) or all (listwise)."""

    item_id: ItemId
    responses: tuple[int, ...]
    """Indices into the item's responses, ascending: never the order in which they were shown."""

    def __post_init__(self) -> None:
        if len(self.responses) != 1 and list(self.responses) != (sorted(set(self.responses)) or None):
            raise ValueError(f"responses={self.responses!r} must be ascending indices without repeats")


def outline(item: Item) -> Item:
    """The item without its words, which are most of it: all that verdicts and their counts need."""
    return replace(item, prompt=(), context=None, reference=(), responses=tuple(map(_outline, item.responses)))


@lru_cache(maxsize=1024)
def _without_words(system: str | None, text: str | None) -> Response:
    return Response(text=text, system=system)


def _outline(response: Response) -> Response:
    # A response with text keeps an empty one, since None would say that it is missing.
    return _without_words(response.system, None if response.text is None else "")


def conversation_text(messages: tuple[Message, ...]) -> str:
    """A conversation as one text: a single turn is its words; several are "role: words" blocks."""
    if len(messages) == 1:
        return messages[0].content
    return "\n\n".join(f"{message.role}: {message.content}" for message in messages)
