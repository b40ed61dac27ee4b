"""Anthropic's Messages API, and any endpoint that speaks it."""

from collections.abc import Mapping, Sequence

from venire.domain.call import Choice, Reply, Request
from venire.domain.panel import Judge
from venire.errors import ProviderError
from venire.providers.adapting import Adapting
from venire.providers.anthropic_wire import BASE_URL, read_message, request_body, usage_in
from venire.providers.http_exchange import HttpExchange
from venire.providers.openai_faults import is_filtered

API_VERSION = "2023-06-01"
"""The version that still takes a temperature, from the models that know one; later ones by the parameter api_version.

https://platform.claude.com/docs/en/api/versioning
"""


class Anthropic:
    """One judge behind one address; one draw for each request, as the API has no n."""

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
            judge: its base_url is the address before /v1/messages; None: Anthropic's own.
            api_key: sent as the header x-api-key, which every version of the API takes.
            headers: sent with every request.
            secrets: values inside the headers that must not be seen in any error or raw text.
        """
        self._adapting = Adapting(judge)
        own = {"anthropic-version": str(judge.parameter("api_version") or API_VERSION)}
        if api_key is not None:
            own["x-api-key"] = api_key
        self._http = HttpExchange(
            judge,
            url=f"{judge.base_url or BASE_URL}/v1/messages",
            headers={**(headers or {}), **own},
            secrets=(*secrets, *([] if api_key is None else [api_key])),
        )

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:  # noqa: ARG002 - the API has no n
        """Ask for one draw, however many samples there are: the others are asked for again."""
        written = self._adapting.write(request)
        body = request_body(written)
        try:
            reply = await self._http.post(body, read_message)
        except ProviderError as error:
            if is_filtered(error):
                withheld = Choice(text="", finish_reason="content_filter")
                return Reply(choices=(withheld,), usage=usage_in(error.raw), raw=error.raw)
            if error.kind != "bad_request":
                raise
            refused = error
        else:
            return self._adapting.note(reply)
        raise self._adapting.explain(refused, written, body)

    async def close(self) -> None:
        """Close all connections."""
        await self._http.close()
