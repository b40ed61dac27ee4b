"""What each model takes, by its name; what a design says of it goes before the table."""

import re
from typing import Any

import pytest

from venire.domain.capabilities import ADMITTED, PLAIN, Capabilities, capabilities_of, written
from venire.domain.identity import JudgeId
from venire.domain.panel import Judge
from venire.errors import DesignError


def openai(model: str) -> Capabilities:
    return capabilities_of("openai_compatible", model)


def claude(model: str, **fields: Any) -> Capabilities:
    return capabilities_of("anthropic", model, **fields)


@pytest.mark.parametrize("model", ["qwen2.5-7b-instruct", "gpt-oss-20b", "o1x", "gpt-50", "my-gpt-5", "", "gpt4all-j"])
def test_a_model_that_is_not_in_the_table_takes_everything(model: str) -> None:
    assert openai(model) == PLAIN


@pytest.mark.parametrize(
    "model", ["o1", "o1-pro", "o3-mini", "o4-mini-2025-04-16", "gpt-5", "openai/gpt-5-nano", "gpt-5-2025-08-07"]
)
def test_openais_reasoning_models_take_no_temperature_and_another_limit(model: str) -> None:
    """https://learn.microsoft.com/azure/foundry/openai/how-to/reasoning, "Not supported"."""
    takes = openai(model)

    assert (takes.temperature, takes.logprobs, takes.token_limit) == (False, False, "max_completion_tokens")
    assert (takes.system_role, takes.reasoning_effort) == ("system", True)


@pytest.mark.parametrize("model", ["gpt-5.1", "gpt-5.2-2025-12-11", "openai/gpt-5.4-mini"])
def test_later_gpt_5_models_take_a_temperature_without_reasoning(model: str) -> None:
    """https://developers.openai.com/api/docs/guides/latest-model, "parameter compatibility"."""
    assert (openai(model).temperature, openai(model).token_limit) == ("without_reasoning", "max_completion_tokens")


@pytest.mark.parametrize(
    ("model", "temperature"),
    [
        ("gpt-5.5-pro", False),
        ("gpt-5.2-chat-latest", False),
        ("gpt-5.1-codex-max", False),
        ("gpt-5.3-codex", "without_reasoning"),
        ("gpt-5.6-sol", "without_reasoning"),
        ("openai/gpt-6-sol", "without_reasoning"),
        ("gpt-6-luna-2026-09-30", "without_reasoning"),
        ("gpt-6.1-terra", "without_reasoning"),
        ("gpt-6-astra", False),
        ("gpt-6.1-sol", False),
        ("gpt-6.2-astra", False),
        ("gpt-7", False),
    ],
)
def test_whether_a_later_model_can_be_told_not_to_reason(model: str, temperature: bool | str) -> None:
    """pydantic-ai 2.68, profiles/openai.py: tried against the API in 2026-07 to 2026-10."""
    takes = openai(model)

    assert (takes.temperature, takes.logprobs, takes.token_limit) == (
        temperature,
        temperature,
        "max_completion_tokens",
    )


@pytest.mark.parametrize("model", ["o1-mini", "o1-preview-2024-09-12"])
def test_the_first_o1_models_have_no_system_role_and_no_schema(model: str) -> None:
    """https://community.openai.com/t/1110750: every parameter tried with every model."""
    assert (openai(model).system_role, openai(model).response_format, openai(model).n) == ("user", "none", False)


@pytest.mark.parametrize(
    ("model", "way"),
    [
        ("gpt-4o-mini", "json_schema"),
        ("gpt-4.1-nano", "json_schema"),
        ("gpt-4-turbo", "json_object"),
        ("gpt-3.5-turbo-0125", "json_object"),
        ("gpt-4-0613", "none"),
    ],
)
def test_schemas_begin_with_gpt_4o(model: str, way: str) -> None:
    """https://developers.openai.com/api/docs/guides/structured-outputs."""
    assert (openai(model).response_format, openai(model).temperature) == (way, True)


@pytest.mark.parametrize(
    ("model", "temperature", "way", "effort"),
    [
        ("claude-3-5-haiku-latest", True, "tool", False),
        ("claude-opus-4-20250514", True, "tool", False),
        ("claude-sonnet-4-0", True, "tool", False),
        ("anthropic/claude-opus-4.1", True, "tool", False),
        ("claude-haiku-4-5-20251001", True, "json_schema", False),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", True, "json_schema", False),
        ("claude-opus-4-5", True, "json_schema", True),
        ("claude-sonnet-4-6", True, "json_schema", True),
        ("claude-opus-4-7", False, "json_schema", True),
        ("anthropic/claude-4.7-opus", False, "json_schema", True),
        ("claude-haiku-5-5", False, "json_schema", True),
        ("claude-of-tomorrow", False, "json_schema", True),
    ],
)
def test_claude_by_its_version(model: str, temperature: bool, way: str, effort: bool) -> None:
    """https://platform.claude.com/docs/en: build-with-claude/structured-outputs and effort, models/migration-guide."""
    takes = claude(model)

    assert (takes.temperature, takes.response_format, takes.reasoning_effort) == (temperature, way, effort)
    assert (takes.n, takes.seed, takes.logprobs) == (False, False, False)


@pytest.mark.parametrize(("version", "temperature"), [(None, True), ("2023-06-01", True), ("2026-10-21", False)])
def test_the_later_version_of_the_messages_api_takes_no_temperature(version: str | None, temperature: bool) -> None:
    """https://platform.claude.com/docs/en/api/versioning."""
    assert claude("claude-haiku-4-5", api_version=version).temperature is temperature


def test_another_makers_model_behind_the_messages_api_is_held_by_a_tool() -> None:
    assert (claude("kimi-k2").response_format, claude("gpt-5").token_limit) == ("tool", "max_tokens")


def test_a_gateway_makes_the_tool_of_an_older_claude_itself() -> None:
    assert openai("anthropic/claude-3.5-haiku").response_format == "json_schema"


def test_other_providers_have_no_table() -> None:
    assert capabilities_of("embedded", "gpt-5") == PLAIN


def test_what_the_design_says_goes_before_the_table() -> None:
    takes = capabilities_of("openai_compatible", "gpt-5", overrides=(("temperature", True), ("system_role", "user")))

    assert (takes.temperature, takes.system_role, takes.logprobs) == (True, "user", False)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("temprature", True, "no 'temprature'"),
        ("temperature", 1, "true or false or without_reasoning"),
        ("n", "without_reasoning", "true or false"),
        ("system_role", "assistant", "system or developer or user"),
    ],
)
def test_an_override_must_be_one(name: str, value: Any, words: str) -> None:
    with pytest.raises(DesignError, match=f"Judge 'j'.*{re.escape(words)}"):
        Judge(id=JudgeId("j"), provider="anthropic", model="m", capabilities=((name, value),))


def test_every_capability_can_be_overridden() -> None:
    assert set(ADMITTED) == set(Capabilities.__dataclass_fields__)


def test_how_a_request_is_written_is_part_of_what_is_asked() -> None:
    def asked(model: str) -> dict[str, Any]:
        return dict(Judge(id=JudgeId("j"), provider="openai_compatible", model=model).asked_parameters)

    assert (asked("gpt-4o"), asked("gpt-5")) == ({}, {"token_limit": "max_completion_tokens"})
    assert written(PLAIN) == {}


def test_a_capability_that_only_permits_changes_no_id() -> None:
    plain = Judge(id=JudgeId("j"), provider="openai_compatible", model="gpt-5")
    freed = Judge(id=JudgeId("j"), provider="openai_compatible", model="gpt-5", capabilities=(("temperature", True),))

    assert plain.fingerprint() == freed.fingerprint()


def test_the_key_of_anthropic_has_a_usual_name() -> None:
    own = Judge(id=JudgeId("j"), provider="anthropic", headers=(("Authorization", "Bearer ${TOKEN}"),))

    assert Judge(id=JudgeId("j"), provider="anthropic").api_key_env == "ANTHROPIC_API_KEY"
    assert own.api_key_env is None


@pytest.mark.parametrize(
    ("base_url", "model", "differs"),
    [
        ("https://api.groq.com/openai/v1", "openai/gpt-oss-120b", {"logprobs": False, "n": False}),
        ("https://api.deepseek.com", "deepseek-chat", {"response_format": "json_object", "n": False, "seed": False}),
        ("https://api.deepseek.com/v1", "deepseek-v4-pro", {"temperature": False, "response_format": "json_object"}),
        ("https://api.mistral.ai/v1", "mistral-large-latest", {"seed": False, "logprobs": False, "n": True}),
        ("https://generativelanguage.googleapis.com/v1beta/openai", "gemini-2.5-pro", {"seed": False, "n": True}),
        ("https://openrouter.ai/api/v1", "deepseek/deepseek-v4-pro", {"n": False, "temperature": True}),
        ("http://localhost:11434/v1", "llama3.1:8b", {"n": False, "logprobs": True}),
        ("https://ollama.com/v1", "gemma4:31b", {"n": False}),
    ],
)
def test_a_well_known_address_takes_what_it_documents(
    base_url: str, model: str, differs: dict[str, bool | str]
) -> None:
    takes = capabilities_of("openai_compatible", model, base_url=base_url)

    assert {name: getattr(takes, name) for name in differs} == differs


@pytest.mark.parametrize(
    "base_url",
    [
        None,
        "http://localhost:8080/v1",
        "https://api.groq.com.example/v1",
        "https://notapi.groq.com/v1",
        "https://gateway.example/api.groq.com/v1",
        "http://localhost:114345/v1",
    ],
)
def test_any_other_address_is_a_plain_server(base_url: str | None) -> None:
    assert capabilities_of("openai_compatible", "our-model", base_url=base_url) == PLAIN


def test_the_design_corrects_the_address_too() -> None:
    judge = Judge(
        id=JudgeId("j"),
        provider="openai_compatible",
        model="llama-3.3-70b",
        base_url="https://api.groq.com/openai/v1",
        capabilities=(("logprobs", True),),
    )

    assert (judge.takes.logprobs, judge.takes.n) == (True, False)


def test_what_an_address_writes_otherwise_is_part_of_the_request() -> None:
    judge = Judge(
        id=JudgeId("j"), provider="openai_compatible", model="deepseek-chat", base_url="https://api.deepseek.com"
    )

    assert dict(judge.asked_parameters) == {"response_format": "json_object"}
