"""From a judge in a design to a provider that can be asked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlsplit

from venire.domain.panel import Judge
from venire.domain.recording import RecordingKey
from venire.errors import JudgeUnavailable
from venire.ports import Provider
from venire.providers.anthropic_wire import BASE_URL
from venire.providers.checking import KNOWN_PROVIDERS, check_judge, did_you_mean

__all__ = ["ENTRY_POINTS", "check_judge", "open_provider"]

ENTRY_POINTS = "venire.providers"
"""The group under which an installed package offers a factory `(judge, environment) -> Provider`."""

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def open_provider(
    judge: Judge,
    *,
    environment: Mapping[str, str],
    recordings: Mapping[RecordingKey, str] | None = None,
) -> Provider:
    """Make the provider that a judge names; nothing is sent yet, and what is heavy is loaded when first asked.

    Args:
        judge: whom to ask.
        environment: where keys are looked up; usually os.environ.
        recordings: for a recorded judge, its replies.

    Raises:
        JudgeUnavailable: the judge cannot be asked, with what to do about it.
    """
    match judge.provider:
        case "openai_compatible":
            from venire.providers.openai_compatible import OpenAICompatible

            _check_address(judge, judge.base_url, "/chat/completions", "http://localhost:8080/v1")
            access = _access(judge, environment)
            return OpenAICompatible(judge, api_key=access.key, headers=access.headers, secrets=access.secrets)
        case "anthropic":
            from venire.providers.anthropic import Anthropic

            _check_address(judge, judge.base_url or BASE_URL, "/v1/messages", BASE_URL)
            access = _access(judge, environment)
            return Anthropic(judge, api_key=access.key, headers=access.headers, secrets=access.secrets)
        case "pydantic_ai":
            from venire.providers.pydantic_ai import PydanticAI
            from venire.providers.pydantic_ai_opening import open_model

            opened = open_model(judge, environment)
            return PydanticAI(judge, opened.model, secrets=opened.secrets)
        case "embedded":
            from venire.providers.embedded import Embedded

            return Embedded(judge)
        case "similarity":
            from venire.providers.similarity import Similarity

            return Similarity(judge)
        case "containment":
            from venire.providers.containment import Containment

            return Containment(judge)
        case "length" | "random":
            from venire.providers.baselines import Length, Random

            return Length(judge) if judge.provider == "length" else Random(judge)
        case "imported":
            raise JudgeUnavailable(
                f"Judge {judge.id!r} has provider 'imported': its judgments were made elsewhere, and there is nothing "
                "to ask. Leave it out, or give it a provider that can be asked."
            )
        case "recorded":
            return _open_recorded(judge, recordings)
        case _:
            return _open_installed(judge, environment)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Access:
    """What lets a judge in, looked up in the environment."""

    key: str | None
    headers: Mapping[str, str]
    secrets: tuple[str, ...]
    """The values that stand for variables inside the headers."""

    def __repr__(self) -> str:
        # The generated one would show the key wherever an error prints its locals.
        return f"_Access(headers={sorted(self.headers)!r})"


def _access(judge: Judge, environment: Mapping[str, str]) -> _Access:
    key = None if judge.api_key_env is None else _variable(judge, judge.api_key_env, environment, "its API key")
    headers: dict[str, str] = {}
    secrets: list[str] = []
    for name, value in judge.headers:
        for variable in dict.fromkeys(_VARIABLE.findall(value)):
            secret = _variable(judge, variable, environment, f"its header {name!r}")
            value = value.replace(f"${{{variable}}}", secret)
            secrets.append(secret)
        headers[name] = value
    return _Access(key=key, headers=headers, secrets=tuple(secrets))


def _check_address(judge: Judge, base_url: str | None, ending: str, example: str) -> None:
    if not judge.model:
        raise JudgeUnavailable(f"Judge {judge.id!r} has no model; give the name under which the endpoint knows it.")
    if not base_url:
        raise JudgeUnavailable(
            f"Judge {judge.id!r} has no base_url; give the address before {ending}, such as {example}"
        )
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise JudgeUnavailable(f"Judge {judge.id!r} has base_url {base_url!r}; it must begin with http(s)://host")
    for part in (ending, *(["/v1"] if ending.startswith("/v1/") else [])):
        if parts.path.endswith(part):
            raise JudgeUnavailable(f"Judge {judge.id!r} has base_url {base_url!r}; leave {part} off, it is added")
    if judge.parameter("api_version") is not None and "api-version" in parts.query:
        raise JudgeUnavailable(
            f"Judge {judge.id!r} has the API version in its base_url {base_url!r} and in the parameter api_version; "
            "keep the parameter and take the query off"
        )


def _variable(judge: Judge, name: str, environment: Mapping[str, str], what: str) -> str:
    value = environment.get(name, "").strip()
    if not value:
        raise JudgeUnavailable(
            f"Judge {judge.id!r} takes {what} from the environment variable {name!r}, which is not set; "
            f"run: export {name}=…"
        )
    if not value.isprintable():
        raise JudgeUnavailable(
            f"Judge {judge.id!r} takes {what} from the environment variable {name!r}, which holds a line break or "
            "another control character; set it again"
        )
    return value


def _open_recorded(judge: Judge, recordings: Mapping[RecordingKey, str] | None) -> Provider:
    from venire.providers.recorded import Recorded

    if recordings is None:
        raise JudgeUnavailable(
            f"Judge {judge.id!r} replays recorded judgments, but none were read; "
            "give the judge a path: to the file that holds them"
        )
    return Recorded(recordings)


def _open_installed(judge: Judge, environment: Mapping[str, str]) -> Provider:
    from importlib.metadata import entry_points

    offered = entry_points(group=ENTRY_POINTS)
    if judge.provider not in offered.names:
        known = KNOWN_PROVIDERS | offered.names
        raise JudgeUnavailable(
            f"Judge {judge.id!r} has provider {judge.provider!r}; known are {sorted(known)!r}."
            f"{did_you_mean(judge.provider, known)}"
        )
    try:
        factory = offered[judge.provider].load()
    except (ImportError, AttributeError) as error:
        raise JudgeUnavailable(
            f"Judge {judge.id!r} has provider {judge.provider!r}, which an installed package offers but which cannot "
            f"be imported: {error}. Install that package again."
        ) from error
    return cast("Provider", factory(judge, environment))
