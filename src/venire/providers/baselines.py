"""Judges that no panel should lose to: the longer response, and a random draw."""

from collections.abc import Sequence

from venire.domain.call import Reply, Request
from venire.domain.identity import seeded_index
from venire.domain.panel import Judge
from venire.domain.rubric import (
    BOTH_BAD,
    TIE,
    ChoiceScale,
    IntervalScale,
    NominalScale,
    OrdinalScale,
    Scale,
)
from venire.providers.material import (
    Assessment,
    Material,
    Question,
    best_of,
    letter,
    read_material,
    refuse,
    reply_of,
    reply_of_draws,
    single_answer,
    two_labels,
)


class Length:
    """Prefers the response with more words; alone, says whether a response has enough of them."""

    def __init__(self, judge: Judge) -> None:
        self._criterion = judge.parameter("criterion")
        self._min_words = judge.parameter("min_words")

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        """Count the words of every response shown."""
        material = read_material(request)
        return reply_of(
            single_answer(material, self._criterion, lambda scale: self._assess(material, scale)), len(samples)
        )

    async def close(self) -> None:
        """Nothing is held."""

    def _assess(self, material: Material, scale: Scale) -> Assessment:
        n_words = [len(response.split()) for response in material.responses]
        match scale:
            case NominalScale(labels=(_, _)):
                if not isinstance(self._min_words, int):
                    raise refuse("length", scale)
                value = two_labels(scale, positive=n_words[0] >= self._min_words)
                return Assessment(value=value, evidence={"score": n_words[0], "threshold": self._min_words})
            case ChoiceScale():
                return Assessment(value=best_of(n_words, scale), evidence={"scores": n_words})
            case _:
                raise refuse("length", scale)


class Random:
    """Draws a value of the scale with equal chances; the same seed draws the same, in any order of asking."""

    def __init__(self, judge: Judge) -> None:
        seed = judge.parameter("seed")
        self._seed = 0 if seed is None else seed

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        """Draw once for each sample and criterion."""
        material = read_material(request)
        return reply_of_draws(
            [
                {question.id: self._draw(material, question, sample) for question in material.questions}
                for sample in samples
            ]
        )

    async def close(self) -> None:
        """Nothing is held."""

    def _draw(self, material: Material, question: Question, sample: int) -> Assessment:
        key = (self._seed, material.item_id, list(material.shown), question.id, sample)
        match question.scale:
            case NominalScale(labels=labels) | OrdinalScale(labels=labels):
                return Assessment(value=labels[seeded_index(len(labels), *key)], evidence={"seed": self._seed})
            case ChoiceScale(tie=tie, both_bad=both_bad):
                words = [letter(position) for position in range(len(material.responses))]
                words += [TIE] * tie + [BOTH_BAD] * both_bad
                return Assessment(value=words[seeded_index(len(words), *key)], evidence={"seed": self._seed})
            case IntervalScale(min=low, max=high, integer=integer):
                if integer:
                    drawn: float = int(low) + seeded_index(int(high - low) + 1, *key)
                else:
                    # 2^32 equally spaced points stand for the continuum.
                    drawn = low + (high - low) * seeded_index(2**32, *key) / (2**32 - 1)
                return Assessment(value=drawn, evidence={"seed": self._seed})
