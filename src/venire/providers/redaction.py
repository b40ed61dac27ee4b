"""Secrets taken out of any text that venire keeps or shows: the one place where it is done."""

import base64
import binascii
import html
import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from urllib.parse import quote, quote_plus

from venire.domain.call import Choice, Reply
from venire.errors import ProviderError

MARK = "[redacted]"

MIN_SECRET = 8
"""Shorter values are placeholders ("EMPTY", "none"), which local servers want; they would be found in any text."""

TAIL = 8
"""Providers echo a key cut to its tail; so many characters of it are worth hiding."""

PIECE = 8
"""A key is looked for in blocks of so many: a head of 16 characters and any run of 15 from its middle hold a whole
one. The first block is left out, because all keys of a provider begin alike ("sk-ant-api03-")."""

_BASIC = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")


class SecretText(str):
    """A text that is sent but never shown: whoever prints a value that holds it (locals, headers) sees a mark."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"'{MARK}'"


class Redactor:
    """Finds some secrets in texts, however they are written, and puts marks in their place."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """Make the forms once: they are looked for in every reply."""
        given = [secret for secret in secrets if len(secret) >= MIN_SECRET]
        self._tails = tuple((form, form[-TAIL:]) for form in sorted({form for one in given for form in _forms(one)}))
        self._pieces = tuple((one, at) for one in given for at in range(PIECE, len(one) - TAIL - PIECE + 1, PIECE))
        self._marks = tuple({tail for _, tail in self._tails} | {form[at : at + PIECE] for form, at in self._pieces})

    def hide(self, text: str) -> str:
        """Replace every secret by a mark: whole, in any of its written forms, or a piece of it."""
        if not any(mark in text for mark in self._marks):
            return text
        kept: list[str] = []
        position = 0
        for start, end in sorted(self._find(text)):
            if start >= position:
                kept += [text[position:start], MARK]
            position = max(position, end)
        return "".join([*kept, text[position:]])

    def hide_in_reply(self, reply: Reply) -> Reply:
        """The reply without secrets in what was read from its body: decoding can put one together again."""
        if not self._marks:
            return reply
        choices = tuple(self._hide_in_choice(choice) for choice in reply.choices)
        served = None if reply.served_model is None else self.hide(reply.served_model)
        raw = self.hide(reply.raw)
        if (choices, served, raw) == (reply.choices, reply.served_model, reply.raw):
            return reply
        return replace(reply, choices=choices, served_model=served, raw=raw)

    def hide_in_error(self, error: ProviderError, message: str) -> ProviderError:
        """A fresh error of the same kind in these words, with no other exception behind it."""
        return ProviderError(
            error.kind,
            self.hide(message),
            status=error.status,
            retry_after_s=error.retry_after_s,
            raw=self.hide(error.raw),
        )

    def headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """Headers whose secret values are sent but not shown."""
        return {name: value if self.hide(value) == value else SecretText(value) for name, value in headers.items()}

    def _hide_in_choice(self, choice: Choice) -> Choice:
        text, reasoning = self.hide(choice.text), self.hide(choice.reasoning)
        spelled = "".join(token.text for token in choice.tokens)
        if (text, reasoning, self.hide(spelled)) == (choice.text, choice.reasoning, spelled):
            return choice
        # Tokens that spell a secret cannot be kept, and fit the text no more.
        return replace(choice, text=text, reasoning=reasoning, tokens=())

    def _find(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of every piece of a secret, grown to both sides as far as it matches."""
        for form, tail in self._tails:
            yield from _grow(text, form, tail, len(form) - TAIL)
        for form, start in self._pieces:
            yield from _grow(text, form, form[start : start + PIECE], start)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class LogGuard(logging.Filter):
    """Hides secrets in what some loggers of others' software write, at any level, while it is set up."""

    def __init__(self, redactor: Redactor, loggers: Iterable[str]) -> None:
        """Begin.

        Args:
            redactor: what is hidden.
            loggers: exact names: a filter holds for what is logged there, not for what is logged below.
        """
        super().__init__()
        self._redactor = redactor
        self._loggers = tuple(logging.getLogger(name) for name in loggers)
        for logger in self._loggers:
            logger.addFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record pass, without the secrets."""
        said = record.getMessage()
        hidden = self._redactor.hide(said)
        if hidden != said:
            record.msg, record.args = hidden, ()
        return True

    def end(self) -> None:
        """Let the loggers alone again."""
        for logger in self._loggers:
            logger.removeFilter(self)


def redact(text: str, secrets: Iterable[str]) -> str:
    """Replace every secret by a mark; for one text. Who redacts many keeps a `Redactor`."""
    return Redactor(secrets).hide(text)


def _forms(secret: str) -> set[str]:
    """The ways in which a secret can stand in a text."""
    forms = {secret} | _in_base64(secret)
    for plain in (secret, *_behind_base64(secret)):
        encoded = {quote(plain, safe=""), quote(plain), quote_plus(plain)}
        # RFC 3986, 2.1: the digits of %2B may be written in either case.
        forms |= {plain} | encoded | {re.sub("%..", lambda escape: escape[0].lower(), form) for form in encoded}
        forms |= set(_in_json(plain)) | {html.escape(plain), html.escape(plain, quote=False)}
    return {form for form in forms if len(form) >= MIN_SECRET}


def _in_json(secret: str) -> Iterator[str]:
    for text in (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]):
        yield text
        yield text.replace("/", "\\/")
        # Encoders that write for HTML escape these as well (Gson, Go, .NET).
        for careful in ("=&<>'", "=&<>'+", "&<>", "+&<>'", "=&<>'+/"):
            escaped = "".join(f"\\u{ord(each):04x}" if each in careful else each for each in text)
            yield escaped
            yield re.sub(r"\\u[0-9a-f]{4}", lambda escape: "\\u" + escape[0][2:].upper(), escaped)


def _in_base64(secret: str) -> set[str]:
    """What base64 makes of a secret wherever it stands in the coded text ("user:KEY"): the part that is its alone."""
    forms: set[str] = set()
    content = secret.encode("utf-8", "replace")
    for n_before in range(3):
        coded = base64.b64encode(b"\0" * n_before + content).decode().rstrip("=")
        # The first characters hold bits of what comes before, the last one of what comes after.
        own = coded[(8 * n_before + 5) // 6 : (8 * (n_before + len(content))) // 6]
        forms |= {own, own.translate(str.maketrans("+/", "-_"))}
    return forms


def _behind_base64(secret: str) -> Iterator[str]:
    """The password inside a secret that is itself "user:password" in base64, as HTTP's basic scheme has it."""
    if not _BASIC.fullmatch(secret):
        return
    try:
        plain = base64.b64decode(secret + "=" * (-len(secret) % 4), altchars=b"-_").decode("utf-8")
    except (binascii.Error, ValueError):
        return
    user, colon, password = plain.partition(":")
    if colon and user.isprintable() and password.isprintable():
        yield plain
        yield password


def _grow(text: str, form: str, part: str, at: int) -> Iterator[tuple[int, int]]:
    found = text.find(part)
    while found >= 0:
        left, right = 0, 0
        while at - left > 0 and found - left > 0 and text[found - left - 1] == form[at - left - 1]:
            left += 1
        end, n_end = found + len(part), at + len(part)
        while n_end + right < len(form) and end + right < len(text) and text[end + right] == form[n_end + right]:
            right += 1
        yield found - left, end + right
        found = text.find(part, found + 1)
