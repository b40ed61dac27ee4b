"""Probabilities of labels, from the log probabilities of the tokens at the place where the verdict stands.

Spellings of a label that differ in case, leading space or quotes are one label: their probabilities add up before
they are made to sum to 1, and how much that was (the coverage) is told beside them.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from venire.ballots.field_value import TRUTH
from venire.ballots.form import Ballot, form_of, letters, words_of
from venire.domain.call import Choice, Token
from venire.domain.folding import fold
from venire.domain.judgment import Distribution, Label, LabelProbability
from venire.domain.rubric import BOTH_BAD, TIE, ChoiceScale, Criterion, NominalScale, Value

_BEFORE = re.compile(r"^[\s\"'“‘*_`\[({:=|]+")
_AFTER = re.compile(r"[\s\"'”’*_`\])},.;:|!]+$")


def distribution_of(
    label: Label, choice: Choice, criterion: Criterion, ballot: Ballot, shown: tuple[int, ...]
) -> Distribution | None:
    """The probabilities of all labels where this one was written; None where no token tells.

    Args:
        label: what was read.
        choice: the reply with its tokens.
        criterion: what the label is about.
        ballot: what was asked.
        shown: the response indices in the order shown.
    """
    words = _values_by_word(criterion, ballot, shown)
    written = [word for word, value in words.items() if value == label.value and type(value) is type(label.value)]
    place = _place(choice, criterion, written)
    if place is None:
        return None
    mass = _Mass(words)
    mass.add(choice.tokens[place:], before="", share=1.0)
    coverage = math.fsum(mass.by_word.values())
    if coverage <= 0.0:
        return None
    by_value: dict[Value, float] = {}
    for word, value in words.items():
        by_value[value] = by_value.get(value, 0.0) + mass.by_word[word]
    labels = tuple(LabelProbability(value=value, probability=share / coverage) for value, share in by_value.items())
    return Distribution(labels=labels, coverage=min(coverage, 1.0))


def _values_by_word(criterion: Criterion, ballot: Ballot, shown: tuple[int, ...]) -> Mapping[str, Value]:
    """The value that each folded word of the scale stands for, in the scale's order."""
    scale = criterion.scale
    if form_of(criterion, ballot) == "boolean" and isinstance(scale, NominalScale):
        other = next(label for label in scale.labels if label != scale.positive)
        return {word: scale.positive if is_yes else other for word, is_yes in TRUTH.items()}
    words = words_of(criterion, ballot) or ()
    if isinstance(scale, ChoiceScale):
        by_letter = dict(zip(letters(ballot.n_shown), shown, strict=True))
        return {fold(word): word if word in (TIE, BOTH_BAD) else by_letter[word] for word in words}
    if form_of(criterion, ballot) == "rating":
        return {word: int(word) for word in words}
    return {fold(word): word for word in words}


def _place(choice: Choice, criterion: Criterion, written: list[str]) -> int | None:
    """The number of the token in which the verdict begins."""
    spoken = "".join(token.text for token in choice.tokens)
    start = spoken.rfind(choice.text) if choice.text else -1
    if start < 0:
        return None  # tokens of something else, or cut: their place in the text is not known
    found = _start_of_verdict(choice.text, criterion, written)
    if found is None:
        return None
    position = start + found
    for number, token in enumerate(choice.tokens):
        if position < len(token.text):
            return number
        position -= len(token.text)
    return None


def _start_of_verdict(text: str, criterion: Criterion, written: list[str]) -> int | None:
    words = "|".join(re.escape(word) for word in sorted(written, key=len, reverse=True))
    if not words:
        return None
    in_field = rf"[\"'“]?{re.escape(criterion.id)}[\"'”]?\s*:\s*[\"'“]?({words})(?![\w-])"
    anywhere = rf"(?<![\w-])({words})(?![\w-])"
    for pattern in (in_field, anywhere):
        places = list(re.finditer(pattern, text, re.IGNORECASE))
        if places:
            return places[-1].start(1)
    return None


@dataclass(slots=True)
class _Mass:
    """Probability added up by word."""

    words: Mapping[str, Value]
    by_word: dict[str, float] = field(init=False)

    def __post_init__(self) -> None:
        self.by_word = dict.fromkeys(self.words, 0.0)

    def add(self, tokens: tuple[Token, ...], *, before: str, share: float) -> None:
        """Spread `share` over the words that can follow `before` at the first of these tokens."""
        if not tokens:
            if before in self.by_word:  # the reply ends here, and so does the word
                self.by_word[before] += share
            return
        sampled = tokens[0].text
        options = {option.text: option.logprob for option in tokens[0].alternatives}
        options.setdefault(sampled, tokens[0].logprob)
        whole = {self._word(before, text) for text in options}
        for text, logprob in options.items():
            self._add_one(text, before, share * math.exp(min(logprob, 0.0)), whole, tokens if text == sampled else ())

    def _add_one(self, text: str, before: str, share: float, whole: set[str], tokens: tuple[Token, ...]) -> None:
        word = self._word(before, text)
        if before and not re.match(r"[\w-]", text):
            word = before  # what follows is no letter or digit: the word ended before it
            if word in self.by_word:
                self.by_word[word] += share
            return
        longer = [other for other in self.words if other.startswith(word) and other != word] if word else []
        if not longer:
            if word in self.by_word:
                self.by_word[word] += share
        elif tokens:
            self.add(tokens[1:], before=word, share=share)
        elif word in self.by_word:
            # "1" may begin "10"; where "10" is a token of its own, it does not.
            if whole.issuperset(longer):
                self.by_word[word] += share
        elif len({self.words[other] for other in longer}) == 1:
            self.by_word[longer[0]] += share

    def _word(self, before: str, text: str) -> str:
        return before + _AFTER.sub("", fold(text if before else _BEFORE.sub("", text)))
