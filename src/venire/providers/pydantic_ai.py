"""The services that pydantic-ai knows (Google, Cohere, Mistral, Groq, Bedrock, …), behind venire's own protocol.

One request, one draw, no retries: these, their records and their limits are calling's.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from venire.domain.call import Choice, FinishReason, Reply, Request, Usage
from venire.domain.identity import Json, JsonScalar
from venire.domain.panel import Judge
from venire.errors import ErrorKind, JudgeUnavailable, ProviderError
from venire.providers.adapting import Adapting
from venire.providers.openai_faults import SHOWN, kind_of_status
from venire.providers.redaction import LogGuard, Redactor
from venire.providers.schema_bounds import without_bounds

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings
    from pydantic_ai.usage import RequestUsage

SETTINGS = ("top_p", "top_k", "presence_penalty", "frequency_penalty", "seed")
"""Parameters that are settings under the same name; a model that would ignore one is refused."""

# What the services' software logs at DEBUG: botocore whole requests with their keys, others what the server answers.
LOGGERS = (
    *("botocore.auth", "botocore.endpoint", "botocore.hooks", "botocore.parsers", "botocore.retries.standard"),
    *("groq._base_client", "google_genai.models", "urllib3.connectionpool"),
    *("httpcore.connection", "httpcore.http11", "httpcore2.connection", "httpcore2.http11", "httpx", "httpx2"),
)

NO_FORMAT = "the reply is held to no format"

_FINISH: Mapping[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "content_filter": "content_filter",
    "tool_call": "tool_calls",
}

# The first that an error is an instance of: the library's own categories, the narrow ones before the wide.
# https://ai.pydantic.dev/api/exceptions/
KINDS: tuple[tuple[str, ErrorKind], ...] = (
    ("ModelQuotaExceededError", "quota"),
    ("ModelRateLimitError", "rate_limit"),
    ("ModelAuthenticationError", "auth"),
    ("ModelNotFoundError", "not_found"),
    ("ModelRequestRejectedError", "bad_request"),
    ("ModelRequestTimeout", "timeout"),
    ("ModelTimeoutError", "timeout"),
    ("ModelConnectionError", "connection"),
    ("ModelUnavailableError", "server"),
    ("ModelServerError", "server"),
    ("ModelAPIError", "server"),
    ("UserError", "bad_request"),
    ("UnexpectedModelBehavior", "bad_reply"),
)


class PydanticAI:
    """One judge behind one model of pydantic-ai."""

    def __init__(self, judge: Judge, model: "Model", *, secrets: Sequence[str] = ()) -> None:
        """Set up, without opening a connection.

        Raises:
            JudgeUnavailable: the judge sets what this model would pass over in silence.
        """
        self._judge = judge
        self._model = model
        self._redactor = Redactor(secrets)
        self._guard = LogGuard(self._redactor, LOGGERS)
        self._adapting = Adapting(judge)
        self._is_entered = False
        ignored = sorted(name for name in SETTINGS if judge.parameter(name) is not None and name in self._unsupported)
        if ignored:
            raise JudgeUnavailable(
                f"Judge {judge.id!r} has the parameters {ignored!r}, which model {judge.model!r} does not take through "
                "pydantic-ai; leave them out."
            )

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        """Ask for one draw, however many samples there are: the others are asked for again."""
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import ContentFilterError

        if not self._is_entered:
            self._is_entered = True
            await self._model.__aenter__()
        messages, settings, form = _messages(request), self._settings(request, samples[0]), self._form(request)
        try:
            async with asyncio.timeout(self._judge.timeout_s):
                answered = await model_request(
                    self._model,
                    messages,
                    model_settings=settings,
                    model_request_parameters=form,
                    instrument=False,
                )
        except ContentFilterError as error:
            return self._redactor.hide_in_reply(_withheld(error.body or str(error)))
        except TimeoutError:
            failure = ProviderError("timeout", f"gave no whole answer within {self._judge.timeout_s:g} s")
        except Exception as error:
            # Every one: a body that is not the API's ends in a TypeError or AttributeError of a service's own software.
            # Raised below, outside of this block: these errors hold headers, and so perhaps the key.
            failure = read_failure(error, self._redactor)
        else:
            return self._read(answered, request, form)
        raise self._explained(failure, request, settings, form)

    async def close(self) -> None:
        """Close all connections."""
        try:
            if self._is_entered:
                self._is_entered = False
                await self._model.__aexit__(None, None, None)
        finally:
            self._guard.end()

    @property
    def _unsupported(self) -> frozenset[str]:
        return frozenset(self._model.unsupported_settings)

    def _settings(self, request: Request, sample: int) -> "ModelSettings":
        parameters = dict(request.parameters)
        values: dict[str, JsonScalar] = {name: parameters[name] for name in SETTINGS if name in parameters}
        if isinstance(seed := values.get("seed"), int):
            values["seed"] = seed + sample  # one seed for all would make copies of one draw
        if request.temperature is not None:
            values["temperature"] = request.temperature
        own: dict[str, JsonScalar] = {"timeout": self._judge.timeout_s, "max_retries": 0}
        values |= {name: value for name, value in own.items() if name not in self._unsupported}
        return cast("ModelSettings", {"max_tokens": request.max_tokens, **values})

    def _form(self, request: Request) -> "ModelRequestParameters":
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition

        if not self._is_held(request):
            return ModelRequestParameters()
        schema = json.loads(request.format.schema)
        if dict(request.parameters).get("schema_bounds") == "dropped":
            schema = without_bounds(schema)
        held = OutputObjectDefinition(json_schema=schema, name="ballot", strict=True)
        return ModelRequestParameters(output_mode="native", output_object=held)

    def _is_held(self, request: Request) -> bool:
        """Whether the model itself holds its reply to the schema."""
        wanted = dict(request.parameters).get("response_format", "json_schema")
        has_native = bool(self._model.profile.get("supports_json_schema_output"))
        return request.format.kind == "json_schema" and wanted == "json_schema" and has_native

    def _read(self, answered: "ModelResponse", request: Request, form: "ModelRequestParameters") -> Reply:
        reply = self._adapting.note(read_response(answered))
        wanted = dict(request.parameters).get("response_format", "json_schema")
        if request.format.kind == "json_schema" and wanted == "json_schema" and form.output_mode != "native":
            reply = replace(reply, adjustments=(*reply.adjustments, NO_FORMAT))
        return self._redactor.hide_in_reply(reply)

    def _explained(
        self, error: ProviderError, request: Request, settings: "ModelSettings", form: "ModelRequestParameters"
    ) -> ProviderError:
        named = self._redactor.hide_in_error(error, f"Judge {self._judge.id!r}, {self._judge.model}: {error}")
        if error.kind != "bad_request":
            return named
        held = {"response_format": True} if form.output_mode == "native" else {}
        body = cast("Mapping[str, Json]", {**settings, **held})
        return self._adapting.explain(named, request, body)


def read_failure(error: Exception, redactor: Redactor) -> ProviderError:
    """The library's error as the one that calling acts on, without secrets: they are hidden before anything is cut."""
    from pydantic_ai import exceptions

    known: list[tuple[type[Exception], ErrorKind]] = [(getattr(exceptions, name), kind) for name, kind in KINDS]
    other: ErrorKind = "connection" if isinstance(error, OSError) else "bad_reply"
    kind = next((kind for one, kind in known if isinstance(error, one)), other)
    status, wait = getattr(error, "status_code", None), getattr(error, "retry_after", None)
    if isinstance(status, int) and (kind == "server" or status in (408, 409, 425)):
        kind = kind_of_status(status)  # some 4xx are in no category, and some that are may succeed a little later
    body = getattr(error, "body", None)
    raw = body if isinstance(body, str) else "" if body is None else json.dumps(body, ensure_ascii=False, default=str)
    return ProviderError(
        kind,
        redactor.hide(str(error) or type(error).__name__)[:SHOWN],
        status=status if isinstance(status, int) else None,
        retry_after_s=wait if isinstance(wait, int | float) and wait >= 0 else None,
        raw=raw,
    )


def read_response(answered: "ModelResponse") -> Reply:
    """The library's response as a reply; the raw text is the response as the library writes it."""
    from pydantic_ai.messages import ModelMessagesTypeAdapter, TextPart, ThinkingPart, ToolCallPart

    words = "".join(part.content for part in answered.parts if isinstance(part, TextPart))
    calls = [part.args_as_json_str() for part in answered.parts if isinstance(part, ToolCallPart)]
    choice = Choice(
        text=words or "\n".join(calls),
        finish_reason=_FINISH.get(answered.finish_reason or "", "other"),
        reasoning="\n".join(part.content for part in answered.parts if isinstance(part, ThinkingPart)),
    )
    is_hollow = not answered.parts and answered.finish_reason is None
    return Reply(
        choices=() if is_hollow else (choice,),
        usage=_usage(answered.usage),
        served_model=answered.model_name,
        raw=ModelMessagesTypeAdapter.dump_json([answered]).decode(),
    )


def _usage(usage: "RequestUsage") -> Usage:
    # No prompt is empty: without input tokens, the service did not say.
    if usage.unmeasured_requests or not usage.input_tokens:
        return Usage()
    return Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cached_input_tokens=usage.cache_read_tokens,
        cache_write_input_tokens=usage.cache_write_tokens,
        reasoning_tokens=usage.output_reasoning_tokens or usage.details.get("reasoning_tokens"),
    )


def _messages(request: Request) -> "list[ModelMessage]":
    from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart

    messages: list[ModelMessage] = []
    parts: list[Any] = []
    for message in request.messages:
        if message.role == "assistant":
            messages += [ModelRequest(parts=parts), ModelResponse(parts=[TextPart(content=message.content)])]
            parts = []
        elif message.role == "system":
            parts.append(SystemPromptPart(content=message.content))
        else:
            parts.append(UserPromptPart(content=message.content))
    return [*messages, ModelRequest(parts=parts)]


def _withheld(raw: str) -> Reply:
    return Reply(choices=(Choice(text="", finish_reason="content_filter"),), raw=raw)
