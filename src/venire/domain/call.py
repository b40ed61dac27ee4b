"""Calls, and what came back: the facts that were paid for."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from venire.domain.headroom import RateHeadroom
from venire.domain.identity import (
    CallId,
    CriterionId,
    Json,
    JsonScalar,
    JudgeId,
    RequestId,
    canonical_json,
    id_of_canonical,
)
from venire.domain.item import Message, Subject
from venire.errors import ErrorKind

FinishReason = Literal["stop", "length", "content_filter", "refusal", "tool_calls", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFormat:
    """What the reply is held to, where the endpoint can do so; the reply is checked all the same."""

    kind: Literal["text", "json_schema", "one_of"]
    schema: str = ""
    """json_schema: the schema as canonical JSON."""
    words: tuple[str, ...] = ()
    """one_of: the whole reply is one of these words."""

    def content(self) -> Json:
        """This format as canonical content."""
        return {"kind": self.kind, "schema": self.schema, "words": list(self.words)}


@dataclass(frozen=True, kw_only=True)
class Request:
    """Everything that is sent to a judge, except how often and with which key: its id names the answer."""

    provider: str
    model: str | None
    base_url: str | None
    messages: tuple[Message, ...]
    temperature: float | None
    max_tokens: int
    format: AnswerFormat
    parameters: tuple[tuple[str, JsonScalar], ...] = ()
    top_logprobs: int = 0
    """The most probable alternatives asked for at each token; 0: no log probabilities are asked for."""

    @cached_property
    def id(self) -> RequestId:
        """The content id; the API key and the number of samples are not part of it."""
        return RequestId(id_of_canonical(self.canonical))

    @cached_property
    def canonical(self) -> str:
        """The content as it is hashed."""
        return canonical_json(self.content())

    def content(self) -> Json:
        """All fields as canonical content, as they are hashed and stored; what came later only where it is used."""
        later: dict[str, Json] = {"top_logprobs": self.top_logprobs} if self.top_logprobs else {}
        return {
            "provider": self.provider,
            "model": self.model,
            "base_url": self.base_url,
            "messages": [[message.role, message.content] for message in self.messages],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "format": self.format.content(),
            "parameters": dict(self.parameters),
            **later,
        }


@dataclass(frozen=True, kw_only=True)
class Call:
    """One planned draw from one judge about one subject."""

    request: Request
    judge_id: JudgeId
    subject: Subject
    shown: tuple[int, ...]
    """The subject's response indices in the order in which the judge saw them."""
    sample: int = 0
    attempt: int = 0
    """0: first asked; a re-ask of the same draw is another round of the plan with the next number."""
    judged: tuple[str, ...] = ()
    """The texts under judgment, as the item has them: what a reply quotes from them is no verdict of its own."""

    @cached_property
    def id(self) -> CallId:
        """Names the draw: two subjects with the same content share it, and are answered once."""
        # As canonical JSON writes the three of them.
        return CallId(id_of_canonical(f'["{self.request.id}",{self.sample},{self.attempt}]'))


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens billed for one request; None where the provider did not say."""

    input_tokens: int | None = None
    """All input tokens, those read from a cache included."""
    output_tokens: int | None = None
    """All output tokens, hidden reasoning included."""
    cached_input_tokens: int | None = None
    """Input tokens read from the provider's cache; part of `input_tokens`."""
    cache_write_input_tokens: int | None = None
    """Input tokens written to the provider's cache; part of `input_tokens`."""
    reasoning_tokens: int | None = None
    reported_usd: float | None = None
    """The cost in US dollars that the provider itself reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A token that could have been written, with its natural log probability."""

    text: str
    logprob: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One token of a reply, with its natural log probability."""

    text: str
    logprob: float
    alternatives: tuple[Alternative, ...] = ()
    """The most probable ones at this place, the written one usually among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One draw inside a reply."""

    text: str
    """The visible words, or the arguments of a tool call; hidden reasoning is only in the raw reply."""
    finish_reason: FinishReason
    reasoning: str = ""
    tokens: tuple[Token, ...] = ()
    """The tokens of the text with their probabilities; none where they were not asked for or did not come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a provider returns for one request: one choice for each sample asked, in order, or fewer."""

    choices: tuple[Choice, ...]
    usage: Usage = field(default_factory=Usage)
    served_model: str | None = None
    """The model's name and fingerprint as the server gave them."""
    headroom: RateHeadroom | None = None
    """What is left of the provider's limits, where it said so; acted on, not stored."""
    adjustments: tuple[str, ...] = ()
    """How the request was written otherwise than its parameters say, because the endpoint took it no other way."""
    raw: str
    """The body as it came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """The answer to one call: raw, kept for ever."""

    call_id: CallId
    choice: Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeError:
    """Why an exchange brought no completion."""

    kind: ErrorKind
    message: str
    status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One round trip to a provider, answered or failed: what is billed is billed here, once."""

    request: Request
    judge_id: JudgeId
    call_ids: tuple[CallId, ...]
    """The calls that it asked for."""
    completions: tuple[Completion, ...]
    """Those it brought back: all, some or none of the calls."""
    usage: Usage
    latency_s: float
    started_at: str
    """UTC, ISO 8601."""
    served_model: str | None = None
    adjustments: tuple[str, ...] = ()
    """As the reply has them."""
    raw: str = ""
    error: ExchangeError | None = None


def material(
    *,
    item_id: str,
    shown: tuple[int, ...],
    prompt: str,
    context: str | None,
    responses: tuple[str, ...],
    reference: tuple[str, ...],
    criteria: tuple[tuple[CriterionId, Json], ...],
) -> str:
    """What a judge without a language model is asked: the parts of the item as one JSON document."""
    return canonical_json(
        {
            "item": item_id,
            "shown": list(shown),
            "prompt": prompt,
            "context": context,
            "responses": list(responses),
            "reference": list(reference),
            "criteria": [{"id": criterion_id, "scale": scale} for criterion_id, scale in criteria],
        }
    )


NO_WORDS = Choice(text="", finish_reason="stop")
_NO_FORMAT = AnswerFormat(kind="text")


def without_words(exchange: Exchange) -> Exchange:
    """The round trip without what was asked and answered: who was asked, what came, what it took."""
    request = exchange.request
    return replace(
        exchange,
        request=bare_request(request.provider, request.model, request.base_url),
        completions=tuple(Completion(call_id=one.call_id, choice=NO_WORDS) for one in exchange.completions),
        raw="",
    )


def bare_request(provider: str, model: str | None, base_url: str | None) -> Request:
    """A request of which only the addressee is known."""
    return Request(
        provider=provider,
        model=model,
        base_url=base_url,
        messages=(),
        temperature=None,
        max_tokens=0,
        format=_NO_FORMAT,
    )
