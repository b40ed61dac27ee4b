"""What a model's name tells of the model: whether two names mean one model, two of one family, or strangers.

A judge that rates its own model's words may prefer them, and a name hides it behind gateways, owners, regions, dates
and spellings; a plain comparison of beginnings finds relatives that are none.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from venire.domain.families import BASES, FAMILIES, OWNERS

Relation = Literal["same model", "same family", "different", "unknown"]

# fmt: off
_ROUTES = frozenset({
    "anthropic", "azure", "azure-openai", "bedrock", "cerebras", "cohere", "deepseek", "fireworks", "fireworks_ai",
    "ft", "gateway", "gemini", "github", "google", "google-cloud", "google-gla", "google-vertex", "grok", "groq",
    "heroku", "hf", "huggingface", "litellm", "mistral", "moonshotai", "nebius", "ollama", "openai", "openai-chat",
    "openai-responses", "openrouter", "ovhcloud", "sambanova", "together", "together_ai", "vercel", "vertex",
    "vertex_ai", "vllm", "xai",
})
# fmt: on
"""What stands before a colon to say by which way a model is reached."""

# What is written behind a name without making it another model: how it is served, and how exactly.
_SERVED = re.compile(
    r"(?::(?:free|beta|thinking|nitro|floor|online|extended|exacto|latest|default|cloud))$"
    r"|(?:[-_.](?:fp8|fp16|bf16|w4a16|int[48]|awq|gptq|gguf|mlx|hf|[48]bit|q\d(?:_[k01])?(?:_[sml])?|latest|stable|exp"
    r"|experimental|maas|versatile|tee))$"
    # o1-preview was another model than o1.
    r"|(?<!^o1)-preview$"
    # Bedrock's own version of a model: https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html
    r"|(?:-v\d+:\d+(?::\w+)?)$"
)
_SNAPSHOTS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:-v\d)?[-@](20\d\d-?[01]\d-?[0-3]\d)$",  # -2024-08-06, -20250929, @20250929, -v2@20241022
        r"-([01]\d-20\d\d)$",  # Cohere: -08-2024
        r"-([01]\d-[0-3]\d)$",  # Google: -05-06
        r"-((?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])|2[3-9](?:0[1-9]|1[0-2]))$",  # -0613, Mistral: -2402
        r"-(00\d)$",  # Google: -002
    )
)
_OPEN_WEIGHTS = re.compile(r"(?:meta-)?(?:code)?llama|qwen|mi[sx]tral|gemma|phi|smollm|olmo|falcon|granite|yi\b")


@lru_cache(maxsize=4096)
def bare_name(model: str) -> str:
    """A model's own name in lower case, without the prefixes of gateways, owners and regions.

    >>> bare_name("openrouter/anthropic/Claude-Haiku-4.5"), bare_name("bedrock:us.anthropic.claude-haiku-4-5")
    ('claude-haiku-4.5', 'claude-haiku-4-5')
    """
    name = model.strip().casefold().rpartition("/")[2]
    while (parts := name.partition(":"))[1] and parts[0] in _ROUTES:
        name = parts[2]
    # Databricks and Cerebras join the owner to the name.
    return re.sub(r"^(?:databricks|zai)-(?=[a-z])", "", re.sub(r"^(?:[a-z-]+\.)+", "", name))


def family_of(model: str) -> str | None:
    """The family of a model by its own name, else by its owner's; None where neither tells."""
    own_name = _spell(bare_name(model))
    for prefix, family in FAMILIES:
        if re.match(rf"{prefix}[-_.]?\d*(?:\.\d+)?[a-z]?(?=[-_.:@\s]|$)", own_name):
            return family
    # The owner nearest to the name: "openrouter/writer/…" is reached through one and made by the other.
    owners = [part for part in re.split(r"[/:.]", model.strip().casefold()) if part in OWNERS]
    return OWNERS[owners[-1]] if owners else None


def lineage_of(model: str) -> frozenset[str]:
    """All families that a model descends from by its name: a distilled one from two; none where nothing tells."""
    words = set(re.split(r"[-_.\d]+", bare_name(model)))
    found = {BASES[word] for word in words if word in BASES}
    family = family_of(model)
    return frozenset(found | ({family} if family is not None else set()))


def relate(model: str, other: str, aliases: Mapping[str, str] | None = None) -> Relation:
    """How two models are related, as far as their names tell.

    Args:
        model, other: names as anybody writes them: of a judge's model, of a system.
        aliases: what stands for what, where a name does not tell ("my-azure-deployment-7": "gpt-4o").

    >>> relate("openrouter/anthropic/claude-sonnet-4.5", "us.anthropic.claude-sonnet-4-5-20250929-v1:0")
    'same model'
    >>> relate("nomic/gpt4all-j", "openai/gpt-4.1"), relate("my-azure-deployment-7", "gpt-4o")
    ('different', 'unknown')
    """
    model, other = (_resolve(name, aliases or {}) for name in (model, other))
    ours, theirs = _read(model), _read(other)
    if ours.is_model(theirs):
        snapshots_differ = not (ours.snapshot.endswith(theirs.snapshot) or theirs.snapshot.endswith(ours.snapshot))
        return "same family" if snapshots_differ else "same model"
    if not ours.lineage or not theirs.lineage:
        return "unknown"
    return "same family" if ours.lineage & theirs.lineage else "different"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    """A model's name, taken apart."""

    words: tuple[str, ...]
    """In any order: Anthropic's "sonnet-4-5" is "4.5-sonnet" elsewhere."""
    numbers: tuple[str, ...]
    """In their own order: GPT-4.5 is not GPT-5.4."""
    snapshot: str
    """The digits of a date or version behind the name; empty where there is none."""
    lineage: frozenset[str]
    path: str
    """The whole name."""

    def is_model(self, other: "_Name") -> bool:
        """Whether both mean one model, apart from its snapshot."""
        if (self.words, self.numbers) != (other.words, other.numbers) or not (self.words or self.numbers):
            return False
        # Two owners may call their models the same; an unknown name without an owner is taken at its word.
        return bool(self.lineage or other.lineage) or self.path == other.path or "/" not in self.path + other.path


def _resolve(name: str, aliases: Mapping[str, str]) -> str:
    known = {alias.strip().casefold(): model for alias, model in aliases.items()}
    for _ in known:  # an alias may stand for an alias; a ring of them ends here
        found = known.get(name.strip().casefold(), known.get(bare_name(name)))
        if found is None:
            break
        name = found
    return name


@lru_cache(maxsize=4096)
def _read(model: str) -> _Name:
    name, snapshot = _without_snapshot(bare_name(model))
    if _OPEN_WEIGHTS.match(name):
        # Of open weights, "70b" without a word is the model that follows instructions, and turbo a faster server.
        name = re.sub(r"^meta-|-(?:instruct|it|chat|turbo)\b", "", name)
    parts = [part for part in re.split(r"[-._:@\s]+|(?<=[a-z])(?=\d)", _spell(name)) if part and part != "v"]
    return _Name(
        words=tuple(sorted(part for part in parts if not part.isdecimal())),
        numbers=tuple(part for part in parts if part.isdecimal()),
        snapshot=re.sub(r"\D", "", snapshot),
        lineage=lineage_of(model),
        path=model.strip().casefold(),
    )


def _spell(name: str) -> str:
    """Fireworks writes the point of a version as p: llama-v3p1."""
    return re.sub(r"(?<=\d)p(?=\d)", ".", name)


def _without_snapshot(name: str) -> tuple[str, str]:
    snapshot = ""
    while True:
        shorter = _SERVED.sub("", name)
        if not snapshot:
            found = next((match for pattern in _SNAPSHOTS if (match := pattern.search(shorter))), None)
            if found is not None and found.start():
                shorter, snapshot = shorter[: found.start()], found[1]
        if shorter in (name, ""):
            return name, snapshot
        name = shorter
