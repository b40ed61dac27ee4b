"""F46: two names of models are compared as a person who knows them would."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.domain.lineage import Relation, bare_name, family_of, lineage_of, relate

FAULTS = Path(__file__).parents[3] / "shared" / "faults" / "faults.json"


def published() -> list[Any]:
    if not FAULTS.exists():
        return []
    (entry,) = (entry for entry in json.loads(FAULTS.read_text("utf-8")) if entry["id"] == "F46")
    return list(entry["input"]["cases"])


@pytest.mark.skipif(not FAULTS.exists(), reason="shared/faults/faults.json is not here")
@pytest.mark.parametrize("case", published(), ids=lambda case: case["judge"])
def test_f46_every_published_pair_is_told_right(case: Any) -> None:
    assert relate(case["judge"], case["candidate"]) == case["want"]
    assert relate(case["candidate"], case["judge"]) == case["want"]


SAME = [
    ("openai/gpt-4o-2024-08-06", "gpt-4o"),
    ("azure/gpt-4o", "openrouter/openai/GPT-4o"),
    ("openai:gpt-4.1", "gpt-4-1-2025-04-14"),
    ("openrouter/anthropic/claude-sonnet-4.5", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"),
    ("arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
    ("anthropic/claude-4.5-sonnet", "claude-sonnet-4-5@20250929"),
    ("vertex_ai/claude-3-5-sonnet-v2@20241022", "claude-3.5-sonnet"),
    ("bedrock:eu.anthropic.claude-haiku-4-5", "global.anthropic.claude-haiku-4-5"),
    ("claude-3-5-haiku-latest", "Claude 3.5 Haiku"),
    ("google-gla:gemini-2.5-pro-preview-05-06", "publishers/google/models/gemini-2.5-pro"),
    ("gemini-1.5-pro-002", "models/gemini-1.5-pro"),
    ("accounts/fireworks/models/llama-v3p1-70b-instruct", "meta-llama/Meta-Llama-3.1-70B-Instruct-Turbo"),
    ("ollama:llama3.1:70b", "llama-3.1-70b-instruct"),
    ("groq/llama-3.3-70b-versatile", "meta-llama/llama-3.3-70b-instruct:free"),
    ("mistral-large-2402", "mistral-large-latest"),
    ("cohere/command-r-plus-08-2024", "command-r-plus"),
    ("gpt-4-0613", "gpt-4"),
    ("Qwen/Qwen2.5-72B-Instruct-AWQ", "qwen-2.5-72b"),
    ("google/gemma-3-27b-it", "gemma3:27b"),
    ("moonshotai/kimi-k2-0905-preview", "kimi-k2"),
    ("databricks/databricks-gpt-oss-120b", "openai/gpt-oss-120b"),
    ("zai-glm-4.7", "z-ai/glm-4.7"),
    ("accounts/fireworks/models/qwen2p5-vl-72b-instruct", "Qwen/Qwen2.5-VL-72B-Instruct"),
    ("our-model", "Our-Model"),
]
FAMILY = [
    ("gpt-4o-mini", "gpt-4o"),
    ("gpt-4.5-preview", "gpt-5.4"),
    ("gpt-4o-2024-05-13", "gpt-4o-2024-08-06"),
    ("o1-preview", "o1"),
    ("o3", "gpt-4.1"),
    ("gpt-3.5-turbo", "gpt-3.5-turbo-instruct"),
    ("chatgpt-4o-latest", "gpt-4o"),
    ("ft:gpt-4o-2024-08-06:acme::abc", "gpt-4o"),
    ("claude-sonnet-4-20250514", "claude-sonnet-4-5-20250929"),
    ("claude-opus-4-5", "claude-haiku-4-5"),
    ("gemini-2.5-flash", "gemma-3-27b-it"),
    ("meta.llama3-1-70b-instruct-v1:0", "meta.llama3-1-8b-instruct-v1:0"),
    ("deepseek-ai/deepseek-r1-distill-llama-70b", "llama-3.3-70b"),
    ("deepseek-r1-distill-qwen-32b", "deepseek-v3"),
    ("nvidia/llama-3.1-nemotron-70b-instruct", "llama-3.1-70b-instruct"),
    ("nousresearch/hermes-3-llama-3.1-405b", "llama-3.1-8b"),
    ("mixtral-8x7b", "codestral-2501"),
]
DIFFERENT = [
    ("google/gemini-2.5-pro", "writer/palmyra-x-004"),
    ("nomic/gpt4all-j", "openai/gpt-4.1"),
    ("EleutherAI/gpt-j-6b", "gpt-4o"),
    ("gpt-neox-20b", "gpt-4"),
    ("o3-mini", "phi-3-mini"),
    ("azure/gpt-4o", "bedrock/anthropic.claude-haiku-4-5"),
    ("openrouter/openai/gpt-4o", "openrouter/x-ai/grok-4"),
    ("groq:llama-3.3-70b", "groq:qwen-qwq-32b"),
    ("command-r", "commandeer/gemma-2-9b"),
    ("xiaomimimo/mimo-v2.5", "meta-models/Muse-Glimmer-30B"),
    ("linguist/gemma-2-9b", "inclusionai/ling-3.0-flash"),
]
UNKNOWN = [
    ("my-azure-deployment-7", "gpt-4o"),
    ("gpt-4o", "system A"),
    ("acme/judge", "zeta/judge"),
    ("gpt-4o", ""),
    ("", ""),
    ("philosopher-7b", "phi-3-mini"),
    ("o2-something", "o1"),
]


@pytest.mark.parametrize(
    ("model", "other", "want"),
    [
        (*pair, want)
        for pairs, want in (
            (SAME, "same model"),
            (FAMILY, "same family"),
            (DIFFERENT, "different"),
            (UNKNOWN, "unknown"),
        )
        for pair in pairs
    ],
)
def test_names_are_related_as_the_models_are(model: str, other: str, want: Relation) -> None:
    assert relate(model, other) == want
    assert relate(other, model) == want


@pytest.mark.parametrize(
    ("aliases", "want"),
    [
        ({"my-azure-deployment-7": "gpt-4o"}, "same model"),
        ({"My-Azure-Deployment-7": "openai/gpt-4o-2024-08-06"}, "same model"),
        ({"my-azure-deployment-7": "house-judge", "house-judge": "gpt-4o-mini"}, "same family"),
        ({"my-azure-deployment-7": "claude-haiku-4-5"}, "different"),
        ({"my-azure-deployment-7": "another", "another": "my-azure-deployment-7"}, "unknown"),
        ({"something-else": "gpt-4o"}, "unknown"),
    ],
)
def test_aliases_say_what_a_name_does_not(aliases: dict[str, str], want: Relation) -> None:
    assert relate("azure/my-azure-deployment-7", "gpt-4o", aliases) == want


@given(st.sampled_from([name for pairs in (SAME, FAMILY, DIFFERENT) for pair in pairs for name in pair]))
def test_a_model_is_the_same_as_itself_however_it_is_reached(name: str) -> None:
    own = bare_name(name)

    assert relate(name, name) == "same model"
    if lineage_of(own):
        assert relate(f"openrouter/some-owner/{own.upper()}", own) == "same model"
        assert relate(f"litellm:{own}", own) == "same model"


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_two_names_have_a_relation_that_is_mutual(model: str, other: str) -> None:
    assert relate(model, other) == relate(other, model)


@pytest.mark.parametrize(
    ("model", "family"),
    [("writer/x", "writer"), ("openrouter/amazon/x", "amazon"), ("azure/x", None), ("gpt-oss-120b", "openai")],
)
def test_the_owner_tells_the_family_where_the_name_does_not(model: str, family: str | None) -> None:
    assert family_of(model) == family
