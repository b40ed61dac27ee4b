"""Replies that a judge gave elsewhere, replayed."""

import json
from collections.abc import Mapping, Sequence

from venire.domain.call import Choice, Reply, Request
from venire.domain.recording import RecordingKey
from venire.errors import ProviderError
from venire.providers.material import NOTHING_BILLED, read_material


class Recorded:
    """Answers with the recorded text for the same item, order and sample."""

    def __init__(self, recordings: Mapping[RecordingKey, str]) -> None:
        self._recordings = recordings

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        """Look the replies up; the first sample without one ends the reply.

        Raises:
            ProviderError: nothing is recorded for the first sample.
        """
        material = read_material(request)
        found: list[str] = []
        for sample in samples:
            key = RecordingKey(item_id=material.item_id, shown=material.shown, sample=sample)
            if key not in self._recordings:
                break
            found.append(self._recordings[key])
        if not found:
            raise ProviderError(
                "not_recorded",
                f"no recorded judgment for item {material.item_id!r}, responses shown {list(material.shown)!r}, "
                f"sample {samples[0]}",
            )
        return Reply(
            choices=tuple(Choice(text=text, finish_reason="stop") for text in found),
            usage=NOTHING_BILLED,
            raw=json.dumps({"recorded": found}, ensure_ascii=False),
        )

    async def close(self) -> None:
        """Nothing is held."""
