"""Judges, and the families that their models come from."""

import math
import re
from dataclasses import dataclass

from venire.domain.ballot import BallotForm
from venire.domain.capabilities import Capabilities, Override, capabilities_of, written
from venire.domain.identity import Json, JsonScalar, JudgeId
from venire.domain.lineage import family_of
from venire.errors import DesignError

IMPORTED = "imported"
"""The provider of judges whose judgments were made elsewhere: there is nothing to ask."""

MATERIAL_PROVIDERS = frozenset({"containment", "similarity", "length", "random", "recorded", IMPORTED})
"""Judges without a language model: they get the item's parts as JSON instead of a prompt."""

RULE_PROVIDERS = frozenset({"containment", "similarity", "length", "random"})
"""Judges that are no language model: they have no family."""

BASELINE_PROVIDERS = frozenset({"length", "random"})
"""Judges that no panel should lose to: they stand beside the panel and do not vote unless asked to."""

# Parameters that say how or at what price a judge is asked, but change no answer: no id depends on them.
_NOT_ASKED = frozenset({"path", "workers", "n_threads", "price_input_usd", "price_output_usd"})

DEFAULT_CONCURRENCY = 20
"""Requests to one judge under way at once, where the design does not say."""

_SECRET_HEADER = re.compile(r"auth|cookie|key|secret|token", re.IGNORECASE)
_SECRET_PARAMETERS = frozenset({"api_key", "apikey", "authorization", "password", "secret", "token"})
_ENVIRONMENT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEY = re.compile(r"(?:sk|gsk|hf|r8|xai|pplx|AIza)_?[A-Za-z0-9]{16}")
"""How keys begin that could be taken for the name of a variable."""
_REFERENCE = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """An annotator made of a model, decoding parameters and a prompt."""

    id: JudgeId
    provider: str
    model: str | None = None
    family: str | None = None
    """Developer and lineage; filled from the model's name where it is known."""
    base_url: str | None = None
    api_key_env: str | None = None
    """The name of the environment variable that holds the key; the key itself is in no value of venire."""
    headers: tuple[tuple[str, str], ...] = ()
    """Extra HTTP headers; `${NAME}` in a value stands for that environment variable."""
    samples: int = 1
    """Independent draws for each thing that is asked."""
    samples_per_request: int = 1
    """How many of them one request may ask for (`n`), where the endpoint has it; the input is then billed once."""
    temperature: float | None = None
    """None: not sent, the model's own default holds."""
    max_concurrency: int = DEFAULT_CONCURRENCY
    requests_per_minute: int | None = None
    """The provider's limit for the key; None: not declared, it is learned from what the provider answers."""
    tokens_per_minute: int | None = None
    """As above, of input and output tokens together."""
    timeout_s: float = 120.0
    """Seconds for one request, from sending to the last byte."""
    template: str | None = None
    """The text of an own prompt template; None: venire's own."""
    ballot: BallotForm | None = None
    """This judge's own ballot; None: the design's."""
    votes: bool = True
    """Whether its judgments enter the verdict; a baseline stands beside the panel."""
    parameters: tuple[tuple[str, JsonScalar], ...] = ()
    """What only its provider understands, such as a similarity's threshold; sorted by name."""
    capabilities: tuple[tuple[str, Override], ...] = ()
    """What its model takes, where that differs from the table in `domain.capabilities`; sorted by name."""

    def __post_init__(self) -> None:
        if not self.id or self.id != self.id.strip():
            raise DesignError(f"judge id {self.id!r} is empty or has outer spaces")
        for name, value, least in (
            ("samples", self.samples, 1),
            ("samples_per_request", self.samples_per_request, 1),
            ("max_concurrency", self.max_concurrency, 1),
        ):
            if value < least:
                raise DesignError(f"Judge {self.id!r} has {name}={value!r}; it must be at least {least}", (name,))
        for name, limit in (
            ("requests_per_minute", self.requests_per_minute),
            ("tokens_per_minute", self.tokens_per_minute),
        ):
            if limit is not None and limit < 1:
                raise DesignError(f"Judge {self.id!r} has {name}={limit!r}; it must be at least 1", (name,))
        if self.samples_per_request > self.samples:
            raise DesignError(
                f"Judge {self.id!r} has samples_per_request={self.samples_per_request!r} but samples={self.samples!r}; "
                f"one request cannot ask for more draws than there are. Set samples: {self.samples_per_request}, "
                "or lower samples_per_request.",
                ("samples_per_request",),
            )
        if not (math.isfinite(self.timeout_s) and self.timeout_s > 0):
            raise DesignError(
                f"Judge {self.id!r} has timeout_s={self.timeout_s!r}; it must be above 0 and finite", ("timeout_s",)
            )
        if self.temperature is not None and not (math.isfinite(self.temperature) and self.temperature >= 0):
            raise DesignError(
                f"Judge {self.id!r} has temperature={self.temperature!r}; it must be 0 or above", ("temperature",)
            )
        _refuse_secrets(self)
        self._normalise()
        try:
            capabilities_of(self.provider, self.model, overrides=self.capabilities)
        except DesignError as error:
            raise DesignError(f"Judge {self.id!r}: {error}", error.at) from error

    def _normalise(self) -> None:
        # Judges that are asked the same must be equal and have equal ids: 0 and 0.0 are hashed differently.
        object.__setattr__(self, "timeout_s", float(self.timeout_s))
        if self.temperature is not None:
            object.__setattr__(self, "temperature", abs(float(self.temperature)))
        if self.base_url is not None:
            object.__setattr__(self, "base_url", self.base_url.rstrip("/"))
        if self.family is None and self.model is not None:
            object.__setattr__(self, "family", family_of(self.model))
        if self.provider == "anthropic" and self.api_key_env is None and not _brings_its_key(self):
            object.__setattr__(self, "api_key_env", "ANTHROPIC_API_KEY")
        object.__setattr__(self, "headers", tuple(sorted(self.headers)))
        for name in ("parameters", "capabilities"):
            object.__setattr__(self, name, tuple(sorted(getattr(self, name), key=lambda pair: pair[0])))

    def parameter(self, name: str) -> JsonScalar:
        """The provider's own parameter of this name, or None."""
        return dict(self.parameters).get(name)

    @property
    def takes(self) -> Capabilities:
        """What its model takes: the table's row with the design's own `capabilities` on top."""
        version = self.parameter("api_version")
        return capabilities_of(
            self.provider,
            self.model,
            base_url=self.base_url,
            api_version=version if isinstance(version, str) else None,
            overrides=self.capabilities,
        )

    @property
    def asked_parameters(self) -> tuple[tuple[str, JsonScalar], ...]:
        """What can change an answer, how its model must be written to included: part of every request's id."""
        own = {name: value for name, value in self.parameters if name not in _NOT_ASKED}
        return tuple(sorted((written(self.takes) | own).items(), key=lambda pair: pair[0]))

    def fingerprint(self) -> Json:
        """What decides what this judge is asked and may answer, all but its id: judges that share it are one."""
        ballot = self.ballot
        return {
            "provider": self.provider,
            "model": self.model,
            "base_url": self.base_url,
            "temperature": self.temperature,
            "template": self.template,
            "ballot": None if ballot is None else ballot.fingerprint(),
            "parameters": dict(self.asked_parameters),
        }


def _brings_its_key(judge: Judge) -> bool:
    return any(header.casefold() in ("x-api-key", "authorization") for header, _ in judge.headers)


def _refuse_secrets(judge: Judge) -> None:
    # A design is written into run folders, reports and repositories. The messages must not repeat the value either.
    advice = "put it into an environment variable and name that"
    name = judge.api_key_env
    if name is not None and (not _ENVIRONMENT_NAME.fullmatch(name) or _KEY.match(name)):
        raise DesignError(
            f"Judge {judge.id!r} has an api_key_env that is no name of an environment variable. If it is the key "
            f"itself, {advice}: api_key_env: OPENAI_API_KEY.",
            ("api_key_env",),
        )
    for header, value in judge.headers:
        if _SECRET_HEADER.search(header) and not _REFERENCE.search(value):
            raise DesignError(
                f"Judge {judge.id!r} has the header {header!r} in plain words. If it holds a secret, {advice}: "
                f"{header}: ${{MY_KEY}}.",
                ("headers", header),
            )
    for parameter, _ in judge.parameters:
        if parameter.casefold() in _SECRET_PARAMETERS:
            raise DesignError(
                f"Judge {judge.id!r} has a parameter {parameter!r}; {advice}: api_key_env: OPENAI_API_KEY.",
                ("parameters", parameter),
            )
    host, _, query = (judge.base_url or "").partition("//")[2].partition("?")
    if "@" in host.partition("/")[0] or _SECRET_HEADER.search(query):
        raise DesignError(
            f"Judge {judge.id!r} has a password or key in its base_url; {advice} in a header.", ("base_url",)
        )
