"""Judges, and the families that their models come from."""

import re
from dataclasses import dataclass

from venire.domain.ballot import BallotForm
from venire.domain.identity import Json, JsonScalar, JudgeId
from venire.errors import DesignError

MATERIAL_PROVIDERS = frozenset({"containment", "similarity", "length", "random", "recorded"})
"""Judges without a language model: they get the item's parts as JSON instead of a prompt."""

BASELINE_PROVIDERS = frozenset({"length", "random"})
"""Judges that no panel should lose to: they stand beside the panel and do not vote unless asked to."""

# Parameters that say how or at what price a judge is asked, but change no answer: no id depends on them.
_NOT_ASKED = frozenset({"path", "workers", "n_threads", "price_input_usd", "price_output_usd"})

# Developer and lineage by the start of a model's own name, the owner's prefix taken off.
# A prefix must end at a boundary, so that "gpt4all-j" is not taken for OpenAI's.
_FAMILIES: tuple[tuple[str, str], ...] = (
    ("claude", "anthropic"),
    ("gpt", "openai"),
    ("chatgpt", "openai"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
    ("gemini", "google"),
    ("gemma", "google"),
    ("llama", "meta"),
    ("meta-llama", "meta"),
    ("mistral", "mistral"),
    ("mixtral", "mistral"),
    ("ministral", "mistral"),
    ("magistral", "mistral"),
    ("command", "cohere"),
    ("qwen", "qwen"),
    ("qwq", "qwen"),
    ("deepseek", "deepseek"),
    ("phi", "microsoft"),
    ("nemotron", "nvidia"),
    ("grok", "xai"),
    ("smollm", "huggingface"),
    ("glm", "zhipu"),
    ("kimi", "moonshot"),
    ("palmyra", "writer"),
)


def family_of(model: str) -> str | None:
    """The family of a model by its name, or None where the name does not tell.

    Gateway and owner prefixes ("openrouter/anthropic/…", "us.anthropic.…") are taken off first.
    """
    own_name = re.sub(r"^(?:[a-z-]+\.)+", "", model.casefold().rpartition("/")[2])
    for prefix, family in _FAMILIES:
        if re.match(rf"{prefix}[-_.]?\d*(?:\.\d+)?[a-z]?(?=[-_.:\s]|$)", own_name):
            return family
    return None


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
    max_concurrency: int = 20
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

    def __post_init__(self) -> None:
        if not self.id or self.id != self.id.strip():
            raise DesignError(f"judge id {self.id!r} is empty or has outer spaces")
        for name, value, least in (
            ("samples", self.samples, 1),
            ("samples_per_request", self.samples_per_request, 1),
            ("max_concurrency", self.max_concurrency, 1),
        ):
            if value < least:
                raise DesignError(f"Judge {self.id!r} has {name}={value!r}; it must be at least {least}")
        if not self.timeout_s > 0:
            raise DesignError(f"Judge {self.id!r} has timeout_s={self.timeout_s!r}; it must be above 0")
        if self.family is None and self.model is not None:
            object.__setattr__(self, "family", family_of(self.model))

    def parameter(self, name: str) -> JsonScalar:
        """The provider's own parameter of this name, or None."""
        return dict(self.parameters).get(name)

    @property
    def asked_parameters(self) -> tuple[tuple[str, JsonScalar], ...]:
        """The parameters that can change an answer: part of every request's id."""
        return tuple((name, value) for name, value in self.parameters if name not in _NOT_ASKED)

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
