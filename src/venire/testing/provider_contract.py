"""What every provider must do, as a suite: subclass it in your tests and say how to make yours.

class TestMine(ProviderContract):
    def make_provider(self): return Mine(...)
    def make_request(self): return Request(...)
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import TypeVar, get_args

from venire.domain.call import FinishReason, Reply, Request
from venire.errors import ErrorKind, ProviderError
from venire.ports import Provider

Got = TypeVar("Got")


class ProviderContract(ABC):
    """Facts that calling, the reader and the store rely on."""

    is_repeatable = True
    """Whether the same request and sample number always bring the same words."""

    @abstractmethod
    def make_provider(self) -> Provider:
        """A new provider, not yet asked."""

    @abstractmethod
    def make_request(self) -> Request:
        """A request that the provider answers."""

    def make_bad_request(self) -> Request | None:
        """A request that fails, or None where the provider answers everything."""
        return None

    def ask(self, use: Callable[[Provider], Awaitable[Got]]) -> Got:
        """Use a new provider in an event loop of its own, and close it."""

        async def whole() -> Got:
            provider = self.make_provider()
            try:
                return await use(provider)
            finally:
                await provider.close()

        return asyncio.run(whole())

    def test_one_sample_brings_one_choice(self) -> None:
        """A reply to one sample has one choice."""
        reply = self.ask(lambda provider: provider.complete(self.make_request(), [0]))

        assert len(reply.choices) == 1

    def test_several_samples_bring_as_many_choices_or_fewer(self) -> None:
        """A reply never has more choices than were asked for, and never none."""
        reply = self.ask(lambda provider: provider.complete(self.make_request(), [0, 1, 2]))

        assert 1 <= len(reply.choices) <= 3

    def test_a_reply_keeps_the_raw_text(self) -> None:
        """The raw body is there, and can be written to a file."""
        reply = self.ask(lambda provider: provider.complete(self.make_request(), [0]))

        assert reply.raw
        assert reply.raw.encode("utf-8")

    def test_a_choice_is_text_that_can_be_stored(self) -> None:
        """Words are text without lone surrogates; the reason for stopping is of the closed set."""
        choice = self.ask(lambda provider: provider.complete(self.make_request(), [0])).choices[0]

        assert isinstance(choice.text.encode("utf-8"), bytes)
        assert choice.finish_reason in get_args(FinishReason)

    def test_token_counts_are_unknown_or_counts(self) -> None:
        """Unknown is None, never a negative number."""
        usage = self.ask(lambda provider: provider.complete(self.make_request(), [0])).usage

        counts = (usage.input_tokens, usage.output_tokens, usage.cached_input_tokens, usage.reasoning_tokens)
        assert all(count is None or count >= 0 for count in counts)

    def test_the_same_sample_brings_the_same_words(self) -> None:
        """Asked again, also after another sample, a repeatable provider repeats itself."""
        if not self.is_repeatable:
            return

        async def thrice(provider: Provider) -> list[Reply]:
            return [await provider.complete(self.make_request(), [sample]) for sample in (0, 1, 0)]

        first, _, again = self.ask(thrice)

        assert first.choices == again.choices

    def test_requests_at_the_same_time_are_all_answered(self) -> None:
        """Five at once bring five replies."""

        async def at_once(provider: Provider) -> list[Reply]:
            requests = [provider.complete(self.make_request(), [sample]) for sample in range(5)]
            return await asyncio.gather(*requests)

        assert all(reply.choices for reply in self.ask(at_once))

    def test_a_failure_is_a_provider_error_of_a_known_kind(self) -> None:
        """Nothing but ProviderError leaves a provider, and it closes all the same."""
        bad = self.make_bad_request()
        if bad is None:
            return

        error = self._error_of(bad)

        assert error is not None, "the bad request was answered"
        assert error.kind in get_args(ErrorKind)

    def test_a_provider_that_was_never_asked_can_be_closed(self) -> None:
        """Closing needs nothing to have been opened."""

        async def nothing(provider: Provider) -> bool:
            return provider is not None

        assert self.ask(nothing)

    def _error_of(self, request: Request) -> ProviderError | None:
        try:
            self.ask(lambda provider: provider.complete(request, [0]))
        except ProviderError as error:
            return error
        return None
