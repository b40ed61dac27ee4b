"""Split a text into sentences by plain rules, the same on every machine and without a trained model.

A sentence ends at a line break, or at a word which ends in ".", "!" or "?" when the next word begins like a
sentence: with an upper-case letter, a digit or an opening quote. Rules that only look at white space and
letter case are wrong sometimes ("He works for Acme Inc. Mary does not." stays whole); they are wrong alike
for every text, and they never lose a character that is not white space.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

TERMINATORS = (".", "!", "?")

# What may follow a terminator, or precede a word, without being part of it; "*" and "_" are the emphasis
# marks of Markdown, which judged answers are full of.
CLOSERS = "\"'”’»)]}*_`"
OPENERS = "\"'“‘„«([{*_`"
OPENING_QUOTES = frozenset("\"'“‘„«`")

# Abbreviations which hardly ever end a sentence. "etc.", "Inc." and "Ltd." often do and are left out;
# abbreviations with inner dots ("e.g.", "U.S.") need no list, see `is_abbreviation`.
ABBREVIATION = re.compile(
    r"approx|capt|cf|col|dr|fr|gen|gov|hon|jr|lt|messrs|mr|mrs|ms|mt|prof|rep|rev|sen|sgt|sr|st|vs|viz",
    re.IGNORECASE,
)

# Abbreviations when a number follows ("No. 5", "Jan. 5"), words or sentence ends elsewhere ("No. Never.").
NUMBER_ABBREVIATION = re.compile(
    r"art|ca|ch|eqs?|figs?|nos?|par|pp?|sec|vol|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec",
    re.IGNORECASE,
)

WORD = re.compile(r"\S+")

# "1." at the start of a line numbers a list item. Up to three digits: "1984." is a year, and an answer.
LIST_NUMBER = re.compile(r"[\W_]*\d{1,3}\.[*_]*(?=\s)")


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text in order, each stripped and not empty."""
    return tuple(sentence for line in text.splitlines() for sentence in split_line(line))


def split_line(line: str) -> Iterator[str]:
    """Yield the sentences of one line, with the white space inside them as it was."""
    words = list(WORD.finditer(line))
    if not words:
        return
    numbering = LIST_NUMBER.match(line)
    numbered_until = numbering.end() if numbering else 0
    start = words[0].start()
    for word, following in pairwise(words):
        if word.end() > numbered_until and ends_sentence(word.group(), following.group()):
            yield line[start : word.end()]
            start = following.start()
    yield line[start : words[-1].end()]


def ends_sentence(word: str, following: str) -> bool:
    """Tell whether a sentence ends between two neighbouring words."""
    stem = word.rstrip(CLOSERS)
    if not stem.endswith(TERMINATORS) or not begins_sentence(following):
        return False
    # "..." and "?." are no part of an abbreviation.
    if not stem.endswith(".") or stem[:-1].endswith(TERMINATORS):
        return True
    return not is_abbreviation(stem[:-1].lstrip(OPENERS), following)


def begins_sentence(word: str) -> bool:
    """Tell whether a word looks like the first one of a sentence."""
    bare = word.lstrip("*_")
    first = bare[:1] or word[0]
    return first.isupper() or first.isdigit() or first in OPENING_QUOTES


def is_abbreviation(stem: str, following: str) -> bool:
    """Tell whether a word, its last full stop taken off, is a common abbreviation or an initial."""
    if NUMBER_ABBREVIATION.fullmatch(stem):
        return following[0].isdigit()
    last_part = stem.rpartition(".")[2]
    if len(last_part) == 1 and last_part.isalpha():
        # "U.S", "e.g", "Ph.D", or the single initial of "J. Smith" (so "Plan B. Then" is not split).
        return last_part.isupper() or "." in stem
    return ABBREVIATION.fullmatch(stem) is not None
