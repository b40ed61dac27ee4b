"""Recorded and scripted judges, and the contract over every judge that needs neither model nor network."""

import pytest

from tests.providers.building import ask, judge, parts, prompt
from venire.domain.call import Choice, Reply, Request
from venire.domain.identity import ItemId
from venire.domain.recording import RecordingKey
from venire.errors import ProviderError
from venire.ports import Provider
from venire.providers.baselines import Length, Random
from venire.providers.containment import Containment
from venire.providers.recorded import Recorded
from venire.providers.scripted import Scripted
from venire.testing.provider_contract import ProviderContract

CHAT = prompt(("user", "hello"))


def key(item: str = "i", shown: tuple[int, ...] = (0,), sample: int = 0) -> RecordingKey:
    return RecordingKey(item_id=ItemId(item), shown=shown, sample=sample)


RECORDINGS = {key(): "yes", key(sample=1): "no", key(sample=3): "yes", key(shown=(1, 0)): "B", key(shown=(0, 1)): "A"}


def words(reply: Reply) -> list[str]:
    return [choice.text for choice in reply.choices]


def test_a_recording_is_found_by_item_order_and_sample() -> None:
    assert words(ask(Recorded(RECORDINGS), parts("x"), [0, 1])) == ["yes", "no"]
    assert words(ask(Recorded(RECORDINGS), parts("x", "y", shown=[1, 0]))) == ["B"]


def test_a_gap_ends_the_reply_so_that_no_sample_gets_anothers_words() -> None:
    assert words(ask(Recorded(RECORDINGS), parts("x"), [0, 1, 2, 3])) == ["yes", "no"]


def test_a_missing_recording_is_not_asked_for_again() -> None:
    with pytest.raises(ProviderError, match="no recorded judgment for item 'other'") as caught:
        ask(Recorded(RECORDINGS), parts("x", item="other"))

    assert (caught.value.kind, caught.value.is_retryable) == ("not_recorded", False)


def test_a_script_sees_the_request_and_the_sample() -> None:
    provider = Scripted(lambda request, sample: f"{request.messages[0].content} {sample}")

    assert words(ask(provider, CHAT, [0, 5])) == ["hello 0", "hello 5"]
    assert provider.asked == [(CHAT, 0), (CHAT, 5)]
    assert provider.closed


def test_a_script_can_fail() -> None:
    with pytest.raises(ProviderError, match="slow down"):
        ask(Scripted(lambda request, sample: ProviderError("rate_limit", "slow down")), CHAT)


def test_a_script_can_give_a_whole_reply() -> None:
    whole = Reply(choices=(Choice(text="cut", finish_reason="length"),), raw="{}")

    assert ask(Scripted(lambda request, sample: whole), CHAT, [0, 1]) is whole


class TestScripted(ProviderContract):
    """The suite over a script."""

    def make_provider(self) -> Provider:
        return Scripted(
            lambda request, sample: ProviderError("server", "down") if "bad" in request.messages[0].content else "yes"
        )

    def make_request(self) -> Request:
        return CHAT

    def make_bad_request(self) -> Request:
        return prompt(("user", "bad"))


class TestRecorded(ProviderContract):
    """The suite over recordings."""

    def make_provider(self) -> Provider:
        return Recorded({key(sample=sample): f"{sample}" for sample in range(5)})

    def make_request(self) -> Request:
        return parts("x")

    def make_bad_request(self) -> Request:
        return parts("x", item="other")


class TestContainment(ProviderContract):
    """The suite over containment."""

    def make_provider(self) -> Provider:
        return Containment(judge("containment"))

    def make_request(self) -> Request:
        return parts("x")

    def make_bad_request(self) -> Request:
        return CHAT


class TestLength(TestContainment):
    """The suite over length."""

    def make_provider(self) -> Provider:
        return Length(judge("length", {"min_words": 3}))


class TestRandom(TestContainment):
    """The suite over random draws."""

    def make_provider(self) -> Provider:
        return Random(judge("random"))
