"""Complaints: everything wrong with one row is gathered before the row is given up."""

from collections.abc import Callable
from typing import TypeVar

_QUOTED = 160
"""Characters of a value that a message shows: enough to find it, and a screen still holds the message."""

Written = TypeVar("Written")
Read = TypeVar("Read")
Other = TypeVar("Other")


class BadValue(ValueError):
    """A value that cannot be used as it is written; `args` holds one message for each thing wrong with it."""

    @property
    def messages(self) -> tuple[str, ...]:
        """What is wrong, one message each."""
        return tuple(str(message) for message in self.args)


def quote(value: object) -> str:
    """A value as it stands in a message, cut where it is long."""
    written = repr(value)
    return written if len(written) <= _QUOTED else f"{written[: _QUOTED - 1]}…"


class Complaints:
    """The complaints about one row, gathered while its fields are read."""

    def __init__(self) -> None:
        self._messages: list[str] = []

    def attempt(self, read: Callable[[Written], Read], written: Written, *, otherwise: Other) -> Read | Other:
        """What `read` makes of a value; a BadValue is kept as complaints, and `otherwise` stands in for it."""
        try:
            return read(written)
        except BadValue as error:
            self._messages.extend(error.messages)
            return otherwise

    def add(self, message: str) -> None:
        """Something wrong that no single reading finds."""
        self._messages.append(message)

    def error(self) -> BadValue:
        """All complaints as one error."""
        return BadValue(*self._messages)

    def settle(self) -> None:
        """End the reading of the row.

        Raises:
            BadValue: there were complaints; it carries all of them.
        """
        if self._messages:
            raise self.error()
