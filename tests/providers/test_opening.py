"""From a judge in a design to a provider, and the mistakes found on the way."""

import subprocess
import sys
from typing import Any

import pytest

from tests.providers.building import CHOICE, FIVE, YES_NO, judge, rubric
from venire.domain.panel import MATERIAL_PROVIDERS, Judge
from venire.domain.rubric import NominalScale, OrdinalScale, Scale
from venire.errors import DesignError, JudgeUnavailable
from venire.providers.anthropic import Anthropic
from venire.providers.checking import KNOWN_PROVIDERS
from venire.providers.openai_compatible import OpenAICompatible
from venire.providers.opening import check_judge, open_provider
from venire.providers.recorded import Recorded

API: dict[str, Any] = {"model": "m", "base_url": "http://localhost:1/v1"}
LEVELS = OrdinalScale(labels=("bad", "good"))
THREE = NominalScale(labels=("a", "b", "c"))


def unavailable(asked: Judge, **environment: str) -> str:
    with pytest.raises(JudgeUnavailable) as caught:
        open_provider(asked, environment=environment)
    return str(caught.value)


@pytest.mark.parametrize("provider", ["containment", "length", "random"])
def test_a_rule_is_opened_by_its_name(provider: str) -> None:
    assert type(open_provider(judge(provider), environment={})).__name__.casefold() == provider


def test_an_api_is_opened_with_its_key_and_headers() -> None:
    asked = judge("openai_compatible", api_key_env="KEY", headers=(("api-key", "${OTHER}"),), **API)

    assert isinstance(open_provider(asked, environment={"KEY": "k", "OTHER": "o"}), OpenAICompatible)


@pytest.mark.parametrize("base_url", [None, "https://gateway.example/anthropic"])
def test_the_messages_api_is_opened_with_its_usual_key(base_url: str | None) -> None:
    asked = judge("anthropic", model="claude-haiku-4-5", base_url=base_url)

    assert isinstance(open_provider(asked, environment={"ANTHROPIC_API_KEY": "k"}), Anthropic)


def test_recordings_are_passed_on() -> None:
    assert isinstance(open_provider(judge("recorded"), environment={}, recordings={}), Recorded)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (judge("openai_compatible", base_url="http://h/v1"), ["no model"]),
        (judge("openai_compatible", model="m"), ["no base_url", "/chat/completions"]),
        (judge("openai_compatible", model="m", base_url="localhost:1/v1"), ["http(s)://"]),
        (
            judge("openai_compatible", model="m", base_url="http://h/v1/chat/completions"),
            ["leave /chat/completions off"],
        ),
        (judge("openai_compatible", api_key_env="KEY", **API), ["'KEY'", "export KEY="]),
        (judge("openai_compatible", headers=(("x", "a ${TOKEN}"),), **API), ["'TOKEN'", "header 'x'"]),
        (judge("anthropic", model="m"), ["'ANTHROPIC_API_KEY'", "export ANTHROPIC_API_KEY="]),
        (judge("anthropic"), ["no model"]),
        (judge("anthropic", model="m", base_url="https://h/v1"), ["leave /v1 off"]),
        (judge("anthropic", model="m", base_url="https://h/v1/messages"), ["leave /v1/messages off"]),
        (
            judge("openai_compatible", {"api_version": "1"}, model="m", base_url="http://h/d?api-version=1"),
            ["keep the parameter"],
        ),
        (judge("recorded"), ["path:"]),
        (judge("containmint"), ["known are", "Did you mean 'containment'?"]),
        (judge("zzz"), ["'zzz'", "openai_compatible"]),
    ],
)
def test_a_judge_that_cannot_be_asked_says_what_to_do(asked: Judge, words: list[str]) -> None:
    message = unavailable(asked)

    assert "'j'" in message
    assert all(word in message for word in words)


def test_an_empty_key_counts_as_not_set() -> None:
    assert "not set" in unavailable(judge("openai_compatible", api_key_env="KEY", **API), KEY=" ")


def test_a_key_with_a_line_break_is_refused_without_being_shown() -> None:
    message = unavailable(judge("openai_compatible", api_key_env="KEY", **API), KEY="abc\ndef")

    assert ("abc" in message, "'KEY'" in message) == (False, True)


class FakePoints:
    """What importlib.metadata finds when one package offers the provider "mine"."""

    names = frozenset({"mine"})

    def __getitem__(self, name: str) -> Any:
        return self

    def load(self) -> Any:
        return lambda asked, environment: (asked, environment)


def test_an_installed_package_adds_a_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: FakePoints())
    asked = judge("mine")

    assert open_provider(asked, environment={"A": "b"}) == (asked, {"A": "b"})  # type: ignore[comparison-overlap]


def test_opening_imports_nothing_heavy() -> None:
    heavy = ("aiohttp", "numpy", "xllamacpp", "genai_prices", "asyncio")
    imports = "import sys, venire.providers.opening, venire.providers.prices"
    code = f"{imports}; print([name for name in {heavy} if name in sys.modules])"

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout.strip() == "[]"


def test_every_judge_without_a_language_model_is_known() -> None:
    assert MATERIAL_PROVIDERS < KNOWN_PROVIDERS


@pytest.mark.parametrize(
    ("provider", "parameters", "scales"),
    [
        ("containment", {}, [YES_NO]),
        ("containment", {"tokens": True}, [FIVE]),
        ("containment", {"criterion": "c1"}, [LEVELS, CHOICE]),
        ("containment", {}, [LEVELS, YES_NO]),
        ("similarity", {"threshold": 1}, [YES_NO]),
        ("length", {}, [CHOICE]),
        ("length", {"min_words": 5}, [YES_NO]),
        ("random", {"seed": 3}, [LEVELS]),
        ("recorded", {"path": "x", "recording": "sha256:1"}, [LEVELS]),
        ("embedded", {"n_ctx": 2048, "top_p": 0.9}, [LEVELS]),
        ("openai_compatible", {"reasoning_effort": "low", "seed": 1}, [LEVELS]),
        ("from_elsewhere", {"anything": 1}, [LEVELS]),
    ],
)
def test_a_judge_without_mistakes_passes(provider: str, parameters: dict[str, Any], scales: list[Scale]) -> None:
    check_judge(judge(provider, parameters), rubric(*scales))


@pytest.mark.parametrize(
    ("provider", "parameters", "scale", "words"),
    [
        ("containment", {"toekns": True}, YES_NO, "Did you mean 'tokens'?"),
        ("containment", {"tokens": "yes"}, YES_NO, "true or false"),
        ("containment", {"criterion": "other"}, YES_NO, "names criterion 'other'"),
        ("containment", {}, LEVELS, "words in order"),
        ("containment", {}, THREE, "not 3"),
        ("similarity", {}, LEVELS, "words in order"),
        ("similarity", {"threshold": 35}, YES_NO, "from -1 to 1"),
        ("similarity", {"threshold": True}, YES_NO, "from -1 to 1"),
        ("length", {}, YES_NO, "min_words"),
        ("length", {"min_words": 0}, YES_NO, "at least 1"),
        ("length", {"min_words": True}, YES_NO, "at least 1"),
        ("length", {}, FIVE, "no rating"),
        ("random", {"seed": "x"}, YES_NO, "at least 0"),
        ("embedded", {"threads": 2}, YES_NO, "Did you mean 'n_threads'?"),
        ("embedded", {"workers": 0}, YES_NO, "at least 1"),
        ("openai_compatible", {"max_tokens": 5}, YES_NO, "own fields"),
        ("openai_compatible", {"price_input_usd": 1}, YES_NO, "price_output_usd"),
        ("openai_compatible", {"price_input_usd": -1, "price_output_usd": 1}, YES_NO, "at least 0"),
        ("openai_compatible", {"response_format": "xml"}, YES_NO, "json_schema"),
    ],
)
def test_a_mistake_is_found_before_anything_is_opened(
    provider: str, parameters: dict[str, Any], scale: Scale, words: str
) -> None:
    with pytest.raises(DesignError, match=words):
        check_judge(judge(provider, parameters), rubric(scale))
