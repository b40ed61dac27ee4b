"""A judge is what it is asked and may answer; its family comes from its model's name."""

from typing import Any

import pytest

from venire.domain.identity import JudgeId
from venire.domain.lineage import family_of
from venire.domain.panel import Judge
from venire.errors import DesignError


def _judge(**fields: Any) -> Judge:
    return Judge(**({"id": JudgeId("j"), "provider": "openai_compatible"} | fields))


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-4o-mini", "openai"),
        ("chatgpt-4o-latest", "openai"),
        ("o3-mini", "openai"),
        ("claude-3.5-haiku", "anthropic"),
        ("openrouter/anthropic/claude-sonnet-4", "anthropic"),
        ("us.anthropic.claude-3-5-sonnet-20240620-v1:0", "anthropic"),
        ("Gemini-2.0-Flash", "google"),
        ("meta-llama/Llama-3.1-8B-Instruct", "meta"),
        ("llama3.1:8b", "meta"),
        ("accounts/fireworks/models/llama-v3p1-405b", "meta"),
        ("mistralai/Mixtral-8x7B-Instruct-v0.1", "mistral"),
        ("command-r-plus", "cohere"),
        ("qwen2.5-7b-instruct", "qwen"),
        ("phi-3.5-mini", "microsoft"),
        ("smollm2", "huggingface"),
        ("gpt4all-j", "nomic"),
        ("commander-7b", None),
        ("my-own-model", None),
        ("", None),
    ],
)
def test_the_family_is_read_from_the_models_own_name(model: str, family: str | None) -> None:
    assert family_of(model) == family


def test_a_given_family_stays() -> None:
    assert _judge(model="gpt-4o", family="mine").family == "mine"
    assert _judge(model="gpt-4o").family == "openai"
    assert _judge().family is None


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({"samples": 0}, "samples"),
        ({"samples_per_request": 0}, "samples_per_request"),
        ({"samples_per_request": 2}, "samples_per_request"),
        ({"max_concurrency": 0}, "max_concurrency"),
        ({"timeout_s": 0}, "timeout_s"),
        ({"timeout_s": float("nan")}, "timeout_s"),
        ({"timeout_s": float("inf")}, "timeout_s"),
        ({"temperature": -0.1}, "temperature"),
        ({"temperature": float("nan")}, "temperature"),
        ({"api_key_env": "sk-123"}, "api_key_env"),
        ({"api_key_env": "hf_abcdefghijklmnopqrst"}, "api_key_env"),
        ({"base_url": "https://me:secret@example.org"}, "base_url"),
        ({"base_url": "https://example.org/v1?api-key=123"}, "base_url"),
        ({"parameters": (("api_key", "x"),)}, "parameters"),
        ({"headers": (("Authorization", "Bearer x"),)}, "headers"),
    ],
)
def test_a_judge_that_cannot_be_asked_or_gives_a_secret_away_is_refused(fields: dict[str, Any], at: str) -> None:
    with pytest.raises(DesignError) as raised:
        _judge(**fields)

    assert raised.value.at[0] == at
    assert "'j'" in str(raised.value)


@pytest.mark.parametrize("name", ["", " j", "j\n"])
def test_a_judge_has_a_name(name: str) -> None:
    with pytest.raises(DesignError, match="is empty or has outer spaces"):
        _judge(id=name)


@pytest.mark.parametrize(
    "fields",
    [
        {"api_key_env": "OPENAI_API_KEY"},
        {"headers": (("Authorization", "Bearer ${MY_KEY}"), ("HTTP-Referer", "https://example.org"))},
        {"base_url": "https://example.org/@me/v1?version=1"},
        {"parameters": (("top_p", 0.9),)},
    ],
)
def test_what_is_no_secret_is_accepted(fields: dict[str, Any]) -> None:
    assert _judge(**fields).id == "j"


def test_what_is_asked_the_same_is_equal() -> None:
    one = _judge(temperature=0, timeout_s=60, base_url="http://x/", parameters=(("b", 1), ("a", 2)))
    other = _judge(temperature=-0.0, timeout_s=60.0, base_url="http://x", parameters=(("a", 2), ("b", 1)))

    assert repr(one) == repr(other)


def test_parameters_that_change_no_answer_are_not_asked() -> None:
    judge = _judge(parameters=(("path", "x"), ("price_input_usd", 1), ("threshold", 0.4), ("workers", 2)))

    assert judge.asked_parameters == (("threshold", 0.4),)
    assert judge.parameter("workers") == 2
    assert judge.parameter("unknown") is None
