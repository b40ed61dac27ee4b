"""Two scores in plain words: the lines "Score A: …" and "Score B: …" of a pair."""

import re

from venire.ballots.field_value import RATING, outcome_of, quoted
from venire.ballots.form import Ballot, letters
from venire.domain.folding import fold
from venire.domain.judgment import Failure, Outcome
from venire.domain.rubric import CANNOT_ASSESS, Criterion

_NUMBER = re.sub(r"\((?!\?)", "(?:", RATING)
_GAP = r"[\s*_`\"']*+"
_SCORE = re.compile(
    rf"(?:^|[,;|]|\band\b){_GAP}(?:the )?score{_GAP}(?:(?:of|for)\s+)?(?:(?:response|assistant)\s+)?([ab])"
    rf"{_GAP}[:=]{_GAP}({_NUMBER}|{CANNOT_ASSESS})(?![\w.]*[\w%])"
)


def read_scores(text: str, criterion: Criterion, ballot: Ballot, shown: tuple[int, ...]) -> Outcome:
    """The scores of both responses; of several for one response the last lines count, if they stand together."""
    found = [(match[1].upper(), match[2]) for line in _lines(text) for match in _SCORE.finditer(line)]
    last: dict[str, str] = dict(found)
    if set(last) != set(letters(2)):
        missing = ", ".join(letter for letter in letters(2) if letter not in last)
        return Failure(reason="unreadable", detail=f"no score of {missing} on {criterion.id!r} in {quoted(text)}")
    if {letter for letter, _ in found[-2:]} != set(letters(2)):
        return Failure(reason="ambiguous", detail=f"several scores on {criterion.id!r} in {quoted(text)}")
    return outcome_of([last["A"], last["B"]], criterion, ballot, shown)


def _lines(text: str) -> list[str]:
    outside_braces = re.sub(r"\{.*\}|\{.*", " ", text, flags=re.DOTALL)
    return [fold(line).lstrip("-#>*_| ") for line in outside_braces.splitlines()]
