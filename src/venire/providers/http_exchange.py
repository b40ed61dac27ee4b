"""One JSON request and its answer over HTTP, with every secret taken out of what comes back."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from urllib.parse import urlsplit

import aiohttp
from pydantic_core import PydanticSerializationError, to_json

from venire.domain.call import Reply
from venire.domain.identity import Json
from venire.domain.panel import Judge
from venire.errors import ErrorKind, ProviderError
from venire.providers.openai_faults import read_error
from venire.providers.rate_headers import read_headroom
from venire.providers.redaction import Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answered:
    """An answer as it came, with whatever status."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


def _written(body: Mapping[str, Json]) -> bytes:
    try:
        return to_json(body)
    except PydanticSerializationError:
        # A lone surrogate in judged text has no UTF-8 form; "?" stands for it, as in other tools.
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")


class HttpExchange:
    """The connections of one judge to one address; they live in the event loop that first asks it."""

    def __init__(self, judge: Judge, *, url: str, headers: Mapping[str, str], secrets: Sequence[str]) -> None:
        """Set up, without opening a connection.

        Args:
            judge: whose name, deadline and concurrency hold.
            url: where every request is posted to.
            headers: sent with every request.
            secrets: values that must not be seen in any error, reply or raw text.
        """
        self._judge = judge
        self._url = url
        self._host = urlsplit(url).hostname or url
        self._redactor = Redactor(secrets)
        self._headers = {"Content-Type": "application/json", **self._redactor.headers(headers)}
        self._session: aiohttp.ClientSession | None = None

    async def post(self, body: Mapping[str, Json], read: Callable[[bytes], Reply]) -> Reply:
        """Send a body and read the answer with status 200.

        Raises:
            ProviderError: no answer, one with another status, or one that `read` refuses; it names judge and host.
        """
        answered = await self._send(_written(body))
        if isinstance(answered, ProviderError):
            raise answered
        # Before anything is cut out of it: half a key could not be found any more.
        text = self._redactor.hide(answered.body.decode("utf-8", "replace")).encode()
        headroom = read_headroom(answered.headers, datetime.now(UTC))
        if answered.status != 200:
            refusal = self._named(read_error(answered.status, answered.headers, text, datetime.now(UTC)))
            refusal.headroom = headroom
            raise refusal
        try:
            reply = read(text)
        except ProviderError as error:
            refused = error
        else:
            reply = self._redactor.hide_in_reply(reply)
            return reply if headroom is None else replace(reply, headroom=headroom)
        raise self._named(refused)

    async def close(self) -> None:
        """Close all connections."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _open_session(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                headers=self._headers,
                connector=aiohttp.TCPConnector(limit=self._judge.max_concurrency),
                # Whoever asks keeps the deadline, of a dripping body as well; here it would be one timer a request.
                timeout=aiohttp.ClientTimeout(total=None, connect=None, sock_connect=None),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session

    async def _send(self, content: bytes) -> _Answered | ProviderError:
        # Returned and not raised: aiohttp's errors hold the request with its headers, and so the key, and would hang
        # on to an error that is raised while they are handled (__context__), also after `from None`.
        try:
            async with self._open_session().post(
                self._url, data=aiohttp.BytesPayload(content), allow_redirects=False
            ) as response:
                body = await response.read()
                return _Answered(status=response.status, headers=response.headers, body=body)
        except aiohttp.ClientResponseError as error:
            return self._error("bad_reply", f"answered with something else than HTTP: {error.message}")
        except (aiohttp.ClientError, OSError) as error:
            return self._error("connection", f"could not be reached: {error}")

    def _error(self, kind: ErrorKind, what: str) -> ProviderError:
        return ProviderError(kind, self._redactor.hide(f"Judge {self._judge.id!r}: {self._host} {what}"))

    def _named(self, error: ProviderError) -> ProviderError:
        return self._redactor.hide_in_error(error, f"Judge {self._judge.id!r}, {self._host}: {error}")
