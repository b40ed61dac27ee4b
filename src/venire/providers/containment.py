"""Exact match as PoLL's baseline has it: does the normalised response contain a normalised reference?

The normalisation is SQuAD's (Rajpurkar et al. 2016, arXiv 1606.05250, its evaluate-v1.1.py): lower case, no
ASCII punctuation, no articles, single spaces. Containment as a plain substring is the baseline of Verga et al.
2024 (PoLL, arXiv 2404.18796); whole tokens are stricter: "1989" is then not found in "19895".
"""

import re
import string
from collections.abc import Sequence

from venire.domain.call import Reply, Request
from venire.domain.panel import Judge
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, Scale
from venire.providers.material import (
    CANNOT,
    Assessment,
    Material,
    best_of,
    none_is_good,
    point_on,
    read_material,
    refuse,
    reply_of,
    single_answer,
    two_labels,
)

_PUNCTUATION = str.maketrans("", "", string.punctuation)


class Containment:
    """Says whether a response contains an accepted answer."""

    def __init__(self, judge: Judge) -> None:
        self._criterion = judge.parameter("criterion")
        self._tokens = judge.parameter("tokens") is True

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        """Look for the references in every response shown."""
        material = read_material(request)
        return reply_of(
            single_answer(material, self._criterion, lambda scale: self._assess(material, scale)), len(samples)
        )

    async def close(self) -> None:
        """Nothing is held."""

    def _assess(self, material: Material, scale: Scale) -> Assessment:
        if not any(normalize_answer(reference) for reference in material.reference):
            return CANNOT
        hits = [contains(response, material.reference, tokens=self._tokens) for response in material.responses]
        match scale:
            case NominalScale(labels=(_, _)):
                return Assessment(value=two_labels(scale, positive=hits[0]), evidence={"contained": hits[0]})
            case IntervalScale():
                return Assessment(value=point_on(scale, float(hits[0])), evidence={"contained": hits[0]})
            case ChoiceScale():
                value = best_of([float(hit) for hit in hits], scale) if any(hits) else none_is_good(scale)
                return Assessment(value=value, evidence={"contained": hits})
            case _:
                raise refuse("containment", scale)


def contains(response: str, reference: Sequence[str], *, tokens: bool = False) -> bool:
    """Whether any of the references occurs in the response, both normalised.

    Args:
        tokens: only count an occurrence that begins and ends at the bounds of words.
    """
    text = normalize_answer(response)
    wanted = [form for form in map(normalize_answer, reference) if form]
    if tokens:
        return any(f" {form} " in f" {text} " for form in wanted)
    return any(form in text for form in wanted)


def normalize_answer(text: str) -> str:
    """SQuAD's normal form of an answer.

    >>> normalize_answer("The  Beatles' (an English band)")
    'beatles english band'
    """
    bare = text.lower().translate(_PUNCTUATION)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())
