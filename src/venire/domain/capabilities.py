"""What each model takes: one table, by which a judge that cannot be asked as designed is refused before the run."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Literal, get_args

from venire.domain.endpoints import taken_at
from venire.domain.lineage import bare_name
from venire.errors import DesignError

Support = bool | Literal["without_reasoning"]
"""Taken, not taken, or taken only beside reasoning_effort: none."""

SystemRole = Literal["system", "developer", "user"]
ResponseFormat = Literal["json_schema", "tool", "json_object", "none"]
TokenLimit = Literal["max_tokens", "max_completion_tokens"]
SchemaBounds = Literal["kept", "dropped"]
Override = bool | str

API_PROVIDERS = frozenset({"openai_compatible", "anthropic", "pydantic_ai"})
"""Providers whose requests go to an API and so depend on the model behind it."""

NO_SAMPLING_FROM = "2026-10-21"
"""Messages API versions from this date on answer 400 to temperature, top_p and top_k at any value, for every model.

https://platform.claude.com/docs/en/api/versioning
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a model takes; the defaults are those of a plain OpenAI-compatible server."""

    temperature: Support = True
    """And with it all that shapes sampling: top_p, top_k, penalties, logit_bias."""
    logprobs: Support = True
    n: bool = True
    """Whether one request may ask for several draws."""
    seed: bool = True
    system_role: SystemRole = "system"
    """The role of the system text; user: it is put in front of the first user turn."""
    response_format: ResponseFormat = "json_schema"
    """How a reply is held to the ballot's schema; tool: by a tool that the model must call."""
    token_limit: TokenLimit = "max_tokens"
    """The name under which the token limit is sent."""
    schema_bounds: SchemaBounds = "kept"
    """Whether the schema is sent with its bounds; a reply is checked against them all the same."""
    reasoning_effort: bool = True


PLAIN = Capabilities()

ADMITTED: Mapping[str, tuple[Override, ...]] = {
    "temperature": (True, False, "without_reasoning"),
    "logprobs": (True, False, "without_reasoning"),
    "n": (True, False),
    "seed": (True, False),
    "system_role": get_args(SystemRole),
    "response_format": get_args(ResponseFormat),
    "token_limit": get_args(TokenLimit),
    "schema_bounds": get_args(SchemaBounds),
    "reasoning_effort": (True, False),
}
"""The values that a design may give each capability."""

WRITTEN = ("response_format", "system_role", "token_limit", "schema_bounds")
"""Capabilities that say how a request is written: where they are not the default they are part of its parameters."""

_OLDER = Capabilities(reasoning_effort=False)
_REASONING = Capabilities(temperature=False, logprobs=False, token_limit="max_completion_tokens")
_SILENT_ON_REQUEST = replace(_REASONING, temperature="without_reasoning", logprobs="without_reasoning")
_CLAUDE = Capabilities(logprobs=False, n=False, seed=False)
_OTHER_MESSAGES = replace(_CLAUDE, response_format="tool", reasoning_effort=False)
"""A model of another maker behind the Messages API: a forced tool is what such endpoints have in common."""

# The first pattern that matches the start of a model's bare name (owner and region off, "4.7" written "4-7").
# OpenAI: https://developers.openai.com/api/docs/guides/structured-outputs (schemas from GPT-4o on),
# https://developers.openai.com/api/docs/guides/reasoning and …/guides/latest-model (parameter compatibility);
# which of GPT-5.1 to GPT-6.1 can be told not to reason, tried one by one in 2026-07 to 2026-10:
# github.com/pydantic/pydantic-ai, pydantic_ai/profiles/openai.py (2.68); a later one is taken for one that always does;
# roles and formats of the first o1 models: https://community.openai.com/t/1110750 (tried one by one).
# Claude: https://platform.claude.com/docs/en/build-with-claude/structured-outputs (4.5 and later),
# …/build-with-claude/effort (Opus 4.5, then all from 4.6 on), …/about-claude/models/migration-guide (sampling
# parameters are refused from Opus 4.7 on). A Claude that is not known is taken for a new one.
_TABLE: tuple[tuple[str, Capabilities], ...] = (
    (
        r"o1-(?:mini|preview)",
        replace(_REASONING, n=False, system_role="user", response_format="none", reasoning_effort=False),
    ),
    (r"o[134](?:-mini|-pro)?", _REASONING),
    (r"gpt-5-chat", replace(PLAIN, token_limit="max_completion_tokens", reasoning_effort=False)),
    (r"gpt-5-\d(?!\d)-(?:pro|chat)|gpt-5-1-codex(?:-max)?|gpt-5-pro", _REASONING),
    (r"gpt-5-\d(?!\d)|gpt-6-(?:sol|luna)|gpt-6-1-terra", _SILENT_ON_REQUEST),
    (r"gpt-[6-9]", _REASONING),
    (r"gpt-5", _REASONING),
    (r"gpt-3-5|gpt-4-turbo|gpt-4-1106|gpt-4-0125", replace(_OLDER, response_format="json_object")),
    (r"gpt-4-1(?!\d)|gpt-4o|gpt-4-5|chatgpt-4o", _OLDER),
    (r"gpt-4", replace(_OLDER, response_format="none")),
    (r"claude-(?:instant|2|3)", replace(_CLAUDE, response_format="tool", reasoning_effort=False)),
    (
        r"claude-(?:(?:opus|sonnet)-4(?:-[01])?(?:-\d{8}|-latest)?(?!-\d)|4(?:-[01])?-(?:opus|sonnet))",
        replace(_CLAUDE, response_format="tool", reasoning_effort=False),
    ),
    (r"claude-(?:(?:sonnet|haiku)-4-5|4-5-(?:sonnet|haiku))", replace(_CLAUDE, reasoning_effort=False)),
    (r"claude-(?:opus-4-[56]|sonnet-4-6|4-[56]-opus|4-6-sonnet)", _CLAUDE),
    (r"claude", replace(_CLAUDE, temperature=False)),
)


@lru_cache(maxsize=256)
def capabilities_of(
    provider: str,
    model: str | None,
    *,
    base_url: str | None = None,
    api_version: str | None = None,
    overrides: tuple[tuple[str, Override], ...] = (),
) -> Capabilities:
    """What this model takes through this provider: the table's row, what its address changes, then the design.

    Raises:
        DesignError: an override names no capability, or a value that it cannot have.
    """
    name = bare_name(model or "").replace(".", "-")
    found = PLAIN
    if provider == "anthropic" and not name.startswith("claude"):
        found = _OTHER_MESSAGES
    elif provider in API_PROVIDERS:
        found = _row(name)
    if provider == "anthropic" and api_version is not None and api_version >= NO_SAMPLING_FROM:
        found = replace(found, temperature=False)
    if provider == "pydantic_ai":
        # The library has no way to ask for these, and writes the request by what it knows of the model itself.
        own = replace(PLAIN, logprobs=False, n=False, reasoning_effort=False)
        found = replace(own, temperature=found.temperature, seed=found.seed)
    if provider != "anthropic" and found.response_format == "tool":
        # A gateway in front of an older Claude makes the tool itself.
        found = replace(found, response_format="json_schema")
    changes: dict[str, Any] = taken_at(base_url, name) if provider == "openai_compatible" else {}
    changes |= {capability: _admit(capability, value) for capability, value in overrides}
    return replace(found, **changes)


def written(capabilities: Capabilities) -> dict[str, str]:
    """What a request must say about how it is written: nothing for a plain server."""
    return {
        name: getattr(capabilities, name) for name in WRITTEN if getattr(capabilities, name) != getattr(PLAIN, name)
    }


def _row(name: str) -> Capabilities:
    for pattern, capabilities in _TABLE:
        if re.match(rf"(?:{pattern})(?![a-z0-9])", name):
            return capabilities
    return PLAIN


def _admit(name: str, value: Override) -> Override:
    if name not in ADMITTED:
        known = [field.name for field in fields(Capabilities)]
        raise DesignError(f"capabilities has no {name!r}; there are {known!r}.", ("capabilities", name))
    # True equals 1 and False equals 0, so types are compared too.
    if not any(type(value) is type(admitted) and value == admitted for admitted in ADMITTED[name]):
        choices = " or ".join(str(each).lower() for each in ADMITTED[name])
        raise DesignError(f"capabilities has {name}: {value!r}; it must be {choices}.", ("capabilities", name))
    return value
