"""How one judge's requests are written, as far as its endpoint refuses the way in which they are written first (F17).

What only decides how something is written (the limit's name, the system text's place, bounds and format of the schema)
is changed once and told with every reply. What decides the answer (temperature and all that the design sets) is never
changed: the judge cannot be asked, and the error says what to do.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import cast

from venire.domain.call import Reply, Request
from venire.domain.identity import Json
from venire.domain.panel import Judge
from venire.errors import ErrorKind, ProviderError
from venire.providers.refusals import SAMPLING
from venire.providers.refused_parameters import Part, Refused, refused_in
from venire.providers.schema_bounds import BOUNDS

OTHER_WAYS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "openai_compatible": {
        "token_limit": ("max_tokens", "max_completion_tokens"),
        "system_role": ("system", "user"),
        "schema_bounds": ("kept", "dropped"),
        "response_format": ("json_schema", "json_object", "none"),
    },
    "anthropic": {"response_format": ("json_schema", "tool", "none")},
}
"""For each part the ways of writing it, the first one first."""

_WORDS: Mapping[tuple[str, str], str] = {
    ("token_limit", "max_completion_tokens"): "the limit is sent as max_completion_tokens",
    ("token_limit", "max_tokens"): "the limit is sent as max_tokens",
    ("system_role", "user"): "the system text stands in front of the first user turn",
    (
        "schema_bounds",
        "dropped",
    ): "the schema is sent without its bounds (replies are checked against them)",
    ("response_format", "json_object"): "the reply is held to JSON but not to the schema",
    ("response_format", "tool"): "the reply is held to the schema by a tool",
    ("response_format", "none"): "the reply is held to no format",
}


class Adapting:
    """What one judge's endpoint has taught in this run."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._ways = OTHER_WAYS.get(judge.provider, {})
        self._learned: dict[str, str] = {}
        self._has_answered = False

    def write(self, request: Request) -> Request:
        """The request in the way that the endpoint takes, as far as that is known."""
        if not self._learned:
            return request
        parameters = {**dict(request.parameters), **self._learned}
        return replace(request, parameters=tuple(sorted(parameters.items(), key=lambda pair: pair[0])))

    def note(self, reply: Reply) -> Reply:
        """The reply, with what was written otherwise. From the first one on nothing is changed any more.

        A judge must be asked the same throughout a run.
        """
        self._has_answered = True
        if not self._learned:
            return reply
        return replace(reply, adjustments=tuple(sorted(_WORDS[part, way] for part, way in self._learned.items())))

    def explain(self, error: ProviderError, sent: Request, body: Mapping[str, Json]) -> ProviderError:
        """The same error, or one that says what the endpoint does not take and what follows from that.

        Args:
            error: of kind bad_request.
            sent: what was sent, as `write` gave it.
            body: its body.
        """
        refused = None if self._has_answered else refused_in(error.raw, self._names(body))
        if refused is None:
            return error
        if refused.part == "parameter":
            return _rewritten(error, "unsupported", f"{error} {_advice(refused.name)}")
        way = self._next_way(refused, sent)
        if way is None:
            return _rewritten(error, "unsupported", f"{error} {_ADVICE_ON_PARTS[refused.part]}")
        self._learned[refused.part] = way
        return _rewritten(error, "adapted", f"{error} From here on {_WORDS[refused.part, way]}.")

    def _names(self, body: Mapping[str, Json]) -> Set[str]:
        thinking = {"effort"} if "output_config" in body else set()
        return body.keys() | thinking

    def _next_way(self, refused: Refused, sent: Request) -> str | None:
        part = cast("Part", refused.part)
        is_explicit = self._judge.parameter(part) is not None or part in dict(self._judge.capabilities)
        ways = self._ways.get(part)
        if ways is None or is_explicit:
            return None
        written = str(dict(sent.parameters).get(part, ways[0]))
        learned = self._learned.get(part, written)
        if learned != written:
            return learned  # another request has learned it while this one was under way
        if part == "schema_bounds" and not any(f'"{bound}"' in sent.format.schema for bound in BOUNDS):
            return None
        if part == "system_role" and not any(message.role == "system" for message in sent.messages):
            return None
        if part == "token_limit":
            return ways[1 - ways.index(written)] if part not in self._learned else None
        later = ways[ways.index(written) + 1 :] if written in ways else ways[1:]
        return later[0] if later else None


_ADVICE_ON_PARTS: Mapping[str, str] = {
    "token_limit": "Set capabilities: {token_limit: max_tokens} or {token_limit: max_completion_tokens}.",
    "system_role": "It takes no system text in the way that was tried; set capabilities: {system_role: user}.",
    "schema_bounds": "Set capabilities: {response_format: none}; the reply is then read from its text.",
    "response_format": "Set capabilities: {response_format: none}; the reply is then read from its text.",
}


def _advice(name: str) -> str:
    """What to do about a parameter that the endpoint does not take and that nobody but the user may change."""
    if name in ("logprobs", "top_logprobs"):
        return "Set capabilities: {logprobs: false} and ballot.probabilities: if_supported or off."
    if name == "n":
        return "Leave samples_per_request out; samples are then asked for one by one."
    if name == "temperature":
        return (
            "Leave temperature out of the judge, and the model's own default holds; it is never left out silently, "
            "because a judge at temperature 1 is not the judge at temperature 0."
        )
    if name in (*SAMPLING, "seed", "reasoning_effort"):
        return f"Leave {name} out of the judge's parameters."
    return f"Take {name} out of the judge's parameters, or give it a value that the endpoint takes."


def _rewritten(error: ProviderError, kind: ErrorKind, message: str) -> ProviderError:
    return ProviderError(kind, message, status=error.status, headroom=error.headroom, raw=error.raw)
