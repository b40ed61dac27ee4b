"""The words of a scale: which of them a piece of text is, whatever its case, width and punctuation."""

import re
from dataclasses import dataclass
from functools import lru_cache

from venire.domain.folding import fold

QUOTES = "\"'“”‘’«»„"
_OUTER = re.compile(rf"^[\s\[({{*_`{QUOTES}]+|[\s\])}}*_`.,;:!…{QUOTES}]+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The words that a verdict may be."""

    words: tuple[tuple[str, str], ...]
    """The form by which each word is recognised, and the word."""
    is_exact: bool
    """Whether punctuation around a word counts, because it tells two words apart, as in A and A*."""

    def word_of(self, text: str) -> str | None:
        """The word that this text is, all of it; None where it is none."""
        form = fold(text)
        return dict(self.words).get(form if self.is_exact else _OUTER.sub("", form))

    @property
    def pattern(self) -> str:
        """A regular expression for the words in folded text, the longest first: no word is read as its beginning."""
        return "|".join(re.escape(form) for form in sorted(dict(self.words), key=len, reverse=True))


@lru_cache(maxsize=256)
def vocabulary(words: tuple[str, ...]) -> Vocabulary:
    """The vocabulary of these words, which differ when folded."""
    forms = [_OUTER.sub("", fold(word)) for word in words]
    is_exact = "" in forms or len(set(forms)) < len(forms)
    if is_exact:
        forms = [fold(word) for word in words]
    return Vocabulary(words=tuple(zip(forms, words, strict=True)), is_exact=is_exact)
