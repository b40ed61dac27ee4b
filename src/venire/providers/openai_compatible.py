"""Any endpoint that speaks OpenAI's chat completions, Azure's deployments included."""

from collections.abc import Mapping, Sequence
from urllib.parse import quote, urlsplit, urlunsplit

from venire.domain.call import Choice, Reply, Request
from venire.domain.identity import JsonScalar
from venire.domain.panel import Judge
from venire.errors import ProviderError
from venire.providers.adapting import Adapting
from venire.providers.http_exchange import HttpExchange
from venire.providers.openai_faults import is_filtered
from venire.providers.openai_wire import read_reply, request_body, usage_in


class OpenAICompatible:
    """One judge behind one address."""

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
            judge: its base_url is the address before /chat/completions; with api_version it is Azure's deployment.
            api_key: sent as a bearer token, to Azure as the header api-key.
            headers: sent with every request.
            secrets: values inside the headers that must not be seen in any error or raw text.
        """
        self._adapting = Adapting(judge)
        version = judge.parameter("api_version")
        own: dict[str, str] = {}
        if api_key is not None:
            own = {"Authorization": f"Bearer {api_key}"} if version is None else {"api-key": api_key}
        self._http = HttpExchange(
            judge,
            url=chat_url(judge.base_url or "", version),
            headers={**(headers or {}), **own},
            secrets=(*secrets, *([] if api_key is None else [api_key])),
        )

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        """Ask once for as many choices as there are samples."""
        written = self._adapting.write(request)
        body = request_body(written, len(samples))
        for name in ("seed", "random_seed"):  # Mistral has a name of its own
            if isinstance(seed := body.get(name), int):
                # With one seed for all, draws asked for one by one would be copies of each other.
                body[name] = seed + samples[0]
        try:
            reply = await self._http.post(body, lambda answered: read_reply(answered, len(samples)))
        except ProviderError as error:
            if is_filtered(error):
                return _filtered(error.raw, len(samples))
            if error.kind != "bad_request":
                raise
            refused = error
        else:
            return self._adapting.note(reply)
        raise self._adapting.explain(refused, written, body)

    async def close(self) -> None:
        """Close all connections."""
        await self._http.close()


def chat_url(base_url: str, api_version: JsonScalar = None) -> str:
    """The address to post to; a query stays at its end, and Azure's api-version is added to it."""
    parts = urlsplit(base_url)
    query = parts.query
    if api_version is not None:
        query = "&".join(filter(None, [query, f"api-version={quote(str(api_version), safe='')}"]))
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/chat/completions", query=query))


def _filtered(raw: str, n: int) -> Reply:
    withheld = Choice(text="", finish_reason="content_filter")
    return Reply(choices=(withheld,) * n, usage=usage_in(raw), raw=raw)
