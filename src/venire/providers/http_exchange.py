"""One JSON request and its answer over HTTP, with every secret taken out of what comes back."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from urllib.parse import urlsplit

import aiohttp

from venire.domain.call import Reply
from venire.domain.identity import Json
from venire.domain.panel import Judge
from venire.errors import ErrorKind, ProviderError
from venire.providers.openai_faults import read_error
from venire.providers.redaction import redact

# One encoder for all: json.dumps with options makes a new one for each call.
_JSON = json.JSONEncoder(ensure_ascii=False)


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
        self._headers = {"Content-Type": "application/json", **headers}
        self._secrets = tuple(secrets)
        self._session: aiohttp.ClientSession | None = None

    async def post(self, body: Mapping[str, Json], read: Callable[[bytes], Reply]) -> Reply:
        """Send a body and read the answer with status 200.

        Raises:
            ProviderError: no answer, one with another status, or one that `read` refuses; it names judge and host.
        """
        # A lone surrogate in judged text has no UTF-8 form; "?" stands for it, as in other tools.
        content = _JSON.encode(body).encode("utf-8", "replace")
        try:
            async with self._open_session().post(self._url, data=content, allow_redirects=False) as response:
                answered = await response.read()
                status, headers = response.status, response.headers
        # `from None`: aiohttp's errors hold the request with its headers, and so the key.
        except TimeoutError:
            raise self._error("timeout", f"gave no whole answer within {self._judge.timeout_s:g} s") from None
        except aiohttp.ClientResponseError as error:
            raise self._error("bad_reply", f"answered with something else than HTTP: {error.message}") from None
        except (aiohttp.ClientError, OSError) as error:
            raise self._error("connection", f"could not be reached: {error}") from None
        # Before anything is cut out of it: half a key could not be found any more.
        text = redact(answered.decode("utf-8", "replace"), self._secrets).encode()
        if status != 200:
            raise self._named(read_error(status, dict(headers), text, datetime.now(UTC)))
        try:
            return read(text)
        except ProviderError as error:
            raise self._named(error) from None

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
                # The total bounds a body that drips; the other limits would only cut slow models short.
                timeout=aiohttp.ClientTimeout(total=self._judge.timeout_s, connect=None, sock_connect=None),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session

    def _error(self, kind: ErrorKind, what: str) -> ProviderError:
        message = f"Judge {self._judge.id!r}: {self._host} {what}"
        return ProviderError(kind, redact(message, self._secrets))

    def _named(self, error: ProviderError) -> ProviderError:
        return ProviderError(
            error.kind,
            redact(f"Judge {self._judge.id!r}, {self._host}: {error}", self._secrets),
            status=error.status,
            retry_after_s=error.retry_after_s,
            raw=error.raw,
        )
