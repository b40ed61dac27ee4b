"""A judge whose replies are a function: for tests and for examples."""

import json
from collections.abc import Callable, Sequence

from venire.domain.call import Choice, Reply, Request
from venire.errors import ProviderError
from venire.providers.material import NOTHING_BILLED

Answer = Callable[[Request, int], str | ProviderError | Reply]


class Scripted:
    """Calls a function with the request and the sample number: words, a whole reply, or an error to raise."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.asked: list[tuple[Request, int]] = []
        """Every request with its sample number, in the order asked."""
        self.closed = False

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        """Ask the function once for each sample; a whole reply stands for all of them."""
        texts: list[str] = []
        for sample in samples:
            self.asked.append((request, sample))
            answer = self._answer(request, sample)
            if isinstance(answer, ProviderError):
                raise answer
            if isinstance(answer, Reply):
                return answer
            texts.append(answer)
        return Reply(
            choices=tuple(Choice(text=text, finish_reason="stop") for text in texts),
            usage=NOTHING_BILLED,
            raw=json.dumps({"scripted": texts}),
        )

    async def close(self) -> None:
        """Remember that it was closed."""
        self.closed = True
