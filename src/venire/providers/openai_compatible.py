"""Any endpoint that speaks OpenAI's chat completions, over HTTP."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from urllib.parse import urlsplit, urlunsplit

import aiohttp

from venire.domain.call import Choice, Reply, Request
from venire.domain.identity import Json
from venire.domain.panel import Judge
from venire.errors import ErrorKind, ProviderError
from venire.providers.openai_faults import is_filtered, read_error
from venire.providers.openai_wire import read_reply, request_body, usage_in
from venire.providers.redaction import redact


class OpenAICompatible:
    """One judge behind one address; its connections live in the event loop that first asks it."""

    def __init__(
        self,
        judge: Judge,
        *,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        secrets: Sequence[str] = (),
    ) -> None:
        """Set up, without opening a connection.

        Args:
            judge: its base_url is the address before /chat/completions.
            api_key: sent as a bearer token.
            headers: sent with every request.
            secrets: values inside the headers that must not be seen in any error or raw text.
        """
        self._judge = judge
        self._url = chat_url(judge.base_url or "")
        self._host = urlsplit(self._url).hostname or self._url
        self._headers = {"Content-Type": "application/json", **(headers or {})}
        self._secrets = tuple(secrets)
        if api_key is not None:
            self._headers["Authorization"] = f"Bearer {api_key}"
            self._secrets += (api_key,)
        self._session: aiohttp.ClientSession | None = None

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        """Ask once for as many choices as there are samples."""
        body = request_body(request, len(samples))
        seed = body.get("seed")
        if isinstance(seed, int):
            # With one seed for all, draws asked for one by one would be copies of each other.
            body["seed"] = seed + samples[0]
        try:
            return await self._exchange(body, len(samples))
        except ProviderError as error:
            if is_filtered(error):
                return _filtered(error.raw, len(samples))
            raise

    async def close(self) -> None:
        """Close all connections."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _exchange(self, body: dict[str, Json], n: int) -> Reply:
        # A lone surrogate in judged text has no UTF-8 form; "?" stands for it, as in other tools.
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        try:
            async with self._open_session().post(self._url, data=content, allow_redirects=False) as response:
                answered = await response.read()
                status, headers = response.status, dict(response.headers)
        # `from None`: aiohttp's errors hold the request with its headers, and so the key.
        except TimeoutError:
            raise self._error("timeout", f"gave no whole answer within {self._judge.timeout_s:g} s") from None
        except aiohttp.ClientResponseError as error:
            raise self._error("bad_reply", f"answered with something else than HTTP: {error.message}") from None
        except (aiohttp.ClientError, OSError) as error:
            raise self._error("connection", f"could not be reached: {error}") from None
        # Before anything is cut out of it: half a key could not be found any more.
        text = redact(answered.decode("utf-8", "replace"), self._secrets)
        if status != 200:
            raise self._named(read_error(status, headers, text.encode(), datetime.now(UTC)))
        try:
            return read_reply(text.encode(), n)
        except ProviderError as error:
            raise self._named(error) from None

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


def chat_url(base_url: str) -> str:
    """The address to post to; a query (Azure's api-version) stays at its end."""
    parts = urlsplit(base_url)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/chat/completions"))


def _filtered(raw: str, n: int) -> Reply:
    withheld = Choice(text="", finish_reason="content_filter")
    return Reply(choices=(withheld,) * n, usage=usage_in(raw), raw=raw)
