"""What a model does not take is refused before the run, with judge, parameter and what to do."""

from typing import Any

import pytest

from tests.providers.building import YES_NO, judge, rubric
from venire.domain.ballot import BallotForm
from venire.errors import DesignError
from venire.providers.checking import check_judge


def check(provider: str, model: str, parameters: dict[str, Any] | None = None, **fields: Any) -> None:
    check_judge(judge(provider, parameters, model=model, **fields), rubric(YES_NO))


@pytest.mark.parametrize(
    ("provider", "model", "parameters"),
    [
        ("anthropic", "claude-haiku-4-5", {}),
        ("openai_compatible", "gpt-5", {}),
        ("openai_compatible", "gpt-5.1", {"reasoning_effort": "low"}),
        ("openai_compatible", "openrouter/anthropic/claude-haiku-4.5", {}),
    ],
)
def test_required_probabilities_of_a_judge_without_any_are_an_error_before_the_run(
    provider: str, model: str, parameters: dict[str, Any]
) -> None:
    asked = judge(provider, parameters, model=model)

    with pytest.raises(DesignError, match=r"'j' asks for ballot\.probabilities: required.*if_supported or off"):
        check_judge(asked, rubric(YES_NO), BallotForm(probabilities="required"))

    check_judge(asked, rubric(YES_NO), BallotForm(probabilities="if_supported"))


@pytest.mark.parametrize(
    ("provider", "model", "parameters"),
    [
        ("openai_compatible", "gpt-4o", {}),
        ("openai_compatible", "gpt-5.1", {"reasoning_effort": "none"}),
        ("openai_compatible", "our-model", {}),
        ("embedded", "smollm2", {}),
    ],
)
def test_required_probabilities_of_a_judge_that_has_them_are_none(
    provider: str, model: str, parameters: dict[str, Any]
) -> None:
    check_judge(judge(provider, parameters, model=model), rubric(YES_NO), BallotForm(probabilities="required"))


@pytest.mark.parametrize(
    ("provider", "model", "parameters", "fields", "words"),
    [
        ("openai_compatible", "gpt-5", {}, {"temperature": 0.0}, "temperature: 0, which model 'gpt-5' does not take"),
        ("openai_compatible", "o3-mini", {"top_p": 0.9}, {}, "top_p: 0.9.*leave top_p out"),
        ("openai_compatible", "gpt-5", {"logprobs": True}, {}, "logprobs: True.*capabilities: {logprobs: true}"),
        ("openai_compatible", "gpt-5.1", {}, {"temperature": 0.2}, "only beside the parameter reasoning_effort: none"),
        ("openai_compatible", "gpt-5.1", {"reasoning_effort": "low"}, {"temperature": 0.2}, "add that parameter, or"),
        ("openai_compatible", "gpt-4o", {"reasoning_effort": "low"}, {}, "reasoning_effort: low"),
        ("openai_compatible", "anthropic/claude-sonnet-5", {}, {"temperature": 0.0}, "does not take"),
        ("openai_compatible", "o1-mini", {}, {"samples": 2, "samples_per_request": 2}, "asked one by one"),
        (
            "openai_compatible",
            "gpt-4o",
            {"system_role": "user"},
            {"capabilities": (("system_role", "user"),)},
            "keep one",
        ),
        ("openai_compatible", "m", {}, {"capabilities": (("response_format", "tool"),)}, "json_schema or json_object"),
        ("anthropic", "claude-opus-4-7", {}, {"temperature": 1.0}, "leave temperature out; if this endpoint"),
        ("anthropic", "claude-haiku-4-5", {"api_version": "2026-10-21"}, {"temperature": 0.0}, "under api_version"),
        ("anthropic", "claude-haiku-4-5", {"top_k": 5, "api_version": "2026-10-21"}, {}, "top_k: 5"),
        ("anthropic", "claude-haiku-4-5", {}, {"temperature": 1.5}, "takes 0 to 1"),
        ("anthropic", "claude-haiku-4-5", {}, {"samples": 2, "samples_per_request": 2}, "one by one[.]$"),
        ("anthropic", "claude-haiku-4-5", {"seed": 1}, {}, "seed: 1.*leave seed out[.]$"),
        ("anthropic", "claude-haiku-4-5", {"reasoning_effort": "low"}, {}, "does not take"),
        ("anthropic", "claude-haiku-4-5", {}, {"capabilities": (("n", True),)}, "no way to send"),
        ("anthropic", "claude-opus-4-6", {"thinking": "adaptive"}, {"temperature": 0.0}, "exclude each other"),
        ("anthropic", "claude-opus-4-0", {"thinking": "adaptive"}, {}, "by a tool that it must call"),
        ("anthropic", "claude-opus-4-6", {"thinking": "enabled"}, {}, "adaptive or disabled"),
        ("anthropic", "claude-opus-4-6", {"api_version": "latest"}, {}, "a date"),
        ("anthropic", "claude-opus-4-6", {"max_tokens": 5}, {}, "does not know"),
        ("embedded", "smollm2", {}, {"capabilities": (("n", True),)}, "take them off"),
    ],
)
def test_what_a_model_does_not_take_is_refused(
    provider: str, model: str, parameters: dict[str, Any], fields: dict[str, Any], words: str
) -> None:
    with pytest.raises(DesignError, match=f"Judge 'j'.*{words}"):
        check(provider, model, parameters, **fields)


@pytest.mark.parametrize(
    ("provider", "model", "parameters", "fields"),
    [
        ("openai_compatible", "gpt-5", {"reasoning_effort": "minimal", "seed": 1}, {}),
        ("openai_compatible", "gpt-5", {"logprobs": False}, {}),
        ("openai_compatible", "gpt-5", {}, {"temperature": 0.0, "capabilities": (("temperature", True),)}),
        ("openai_compatible", "gpt-5.1", {"reasoning_effort": "none", "logprobs": True}, {"temperature": 0.0}),
        ("openai_compatible", "gpt-4o", {"logprobs": True, "api_version": "preview"}, {"temperature": 0.0}),
        ("openai_compatible", "m", {}, {"temperature": 2.0, "samples": 4, "samples_per_request": 4}),
        ("anthropic", "claude-haiku-4-5", {"top_k": 5}, {"temperature": 0.0, "samples": 3}),
        ("anthropic", "claude-opus-5-5", {"thinking": "adaptive", "reasoning_effort": "low"}, {}),
        ("anthropic", "claude-haiku-4-5", {"api_version": "2026-10-21"}, {}),
        ("embedded", "smollm2", {"seed": 1}, {"temperature": 0.0}),
        ("from_elsewhere", "gpt-5", {"top_p": 1}, {"temperature": 0.0}),
    ],
)
def test_what_a_model_takes_passes(
    provider: str, model: str, parameters: dict[str, Any], fields: dict[str, Any]
) -> None:
    check(provider, model, parameters, **fields)
