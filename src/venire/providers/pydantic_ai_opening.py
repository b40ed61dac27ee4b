"""From a judge to a model of pydantic-ai: which service its name means, with which key, without retries of its own."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from venire.domain.panel import Judge
from venire.errors import JudgeUnavailable

if TYPE_CHECKING:
    from pydantic_ai.models import Model

EXTRA = "pip install 'venire[providers]'"

_OLD_NAMES = {"google-gla": "google", "google-vertex": "google-cloud", "bedrock-converse": "bedrock"}
"""What services were called before pydantic-ai 2."""

_KEYS: Mapping[str, tuple[str, ...]] = {
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "cohere": ("CO_API_KEY",),
    "mistral": ("MISTRAL_API_KEY",),
    "groq": ("GROQ_API_KEY",),
}
"""Where a key is looked for if the design names no variable: as the service's own software does."""

_AWS_SECRETS = ("AWS_BEARER_TOKEN_BEDROCK", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A model that can be asked, and what must not be seen of it."""

    model: "Model"
    secrets: tuple[str, ...]

    def __repr__(self) -> str:
        return f"{type(self).__name__}(model={self.model!r})"


def open_model(judge: Judge, environment: Mapping[str, str]) -> Opened:
    """Make the model; nothing is sent yet.

    Raises:
        JudgeUnavailable: the extra, the service or the key is missing, or the service takes no base_url.
    """
    if find_spec("pydantic_ai") is None:
        raise JudgeUnavailable(f"Judge {judge.id!r} needs pydantic-ai, which is not installed; run: {EXTRA}")
    service, _, name = (judge.model or "").partition(":")
    service = _OLD_NAMES.get(service.casefold(), service.casefold())
    if not service or not name:
        raise JudgeUnavailable(
            f"Judge {judge.id!r} has model {judge.model!r}; provider pydantic_ai wants service and model, such as "
            "google:gemini-2.5-pro, cohere:command-a-03-2025, mistral:mistral-large-latest, groq:openai/gpt-oss-120b "
            "or bedrock:us.amazon.nova-pro-v1:0"
        )
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.models import infer_model

    if service == "bedrock":
        provider, secrets = _bedrock(judge, environment)
    else:
        key = _key(judge, service, environment)
        provider, secrets = _provider(judge, service, key), (key,)
    try:
        model = infer_model(f"{service}:{name}", provider_factory=lambda _: provider)
    except (UserError, ValueError) as error:
        raise JudgeUnavailable(f"Judge {judge.id!r} has model {judge.model!r}: {error}") from error
    return Opened(model=model, secrets=secrets)


def _key(judge: Judge, service: str, environment: Mapping[str, str]) -> str:
    names: Sequence[str] = (judge.api_key_env,) if judge.api_key_env else _KEYS.get(service, ())
    for name in names:
        value = environment.get(name, "").strip()
        if value and value.isprintable():
            return value
    if not names:
        raise JudgeUnavailable(
            f"Judge {judge.id!r} asks service {service!r}, for which no variable is known; name it: api_key_env: …"
        )
    raise JudgeUnavailable(
        f"Judge {judge.id!r} takes its API key from the environment variable {' or '.join(map(repr, names))}, which is "
        f"not set; run: export {names[0]}=…"
    )


def _provider(judge: Judge, service: str, key: str) -> Any:
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.providers import infer_provider_class

    given = {"api_key": key} | ({} if judge.base_url is None else {"base_url": judge.base_url})
    make: Any
    try:
        make = infer_provider_class(service)
        return make(**given)
    except ImportError as error:
        raise JudgeUnavailable(f"Judge {judge.id!r} asks service {service!r}: {error}; run: {EXTRA}") from error
    except TypeError as error:
        raise JudgeUnavailable(
            f"Judge {judge.id!r} asks service {service!r}, which does not take {sorted(given)!r}; "
            "leave base_url out, or use another provider."
        ) from error
    except (UserError, ValueError) as error:
        raise JudgeUnavailable(f"Judge {judge.id!r} has model {judge.model!r}: {error}") from error


def _bedrock(judge: Judge, environment: Mapping[str, str]) -> tuple[Any, tuple[str, ...]]:
    """A client of its own, because the library's would try again by itself, up to five times."""
    try:
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError
        from botocore.session import Session
        from botocore.tokens import FrozenAuthToken
        from pydantic_ai.providers.bedrock import BedrockProvider
    except ImportError as error:
        raise JudgeUnavailable(f"Judge {judge.id!r} asks service 'bedrock': {error}; run: {EXTRA}") from error

    bearer = _key(judge, "bedrock", environment) if judge.api_key_env else environment.get(_AWS_SECRETS[0], "").strip()
    region = environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION") or _region(judge.base_url)
    signed = {"signature_version": "bearer"} if bearer else {}
    config = Config(
        retries={"total_max_attempts": 1, "mode": "standard"},
        read_timeout=judge.timeout_s,
        max_pool_connections=judge.max_concurrency,
        **signed,
    )
    session = Session()
    if bearer:
        session.get_auth_token = lambda **_: FrozenAuthToken(bearer)
    try:
        client = session.create_client(
            "bedrock-runtime",
            region_name=region,
            config=config,
            endpoint_url=judge.base_url,
            aws_access_key_id=environment.get("AWS_ACCESS_KEY_ID"),
            aws_secret_access_key=environment.get("AWS_SECRET_ACCESS_KEY"),
            aws_session_token=environment.get("AWS_SESSION_TOKEN"),
        )
    except (BotoCoreError, ValueError) as error:
        raise JudgeUnavailable(
            f"Judge {judge.id!r} asks service 'bedrock': {error}; set AWS_REGION, and AWS_BEARER_TOKEN_BEDROCK or "
            "AWS's access keys."
        ) from error
    secrets = (bearer, *(environment.get(name, "") for name in _AWS_SECRETS))
    return BedrockProvider(bedrock_client=client), tuple(filter(None, secrets))


def _region(base_url: str | None) -> str | None:
    found = re.search(r"bedrock-runtime\.([a-z0-9-]+)\.", base_url or "")
    return found[1] if found else None
