"""Injection suspected: judged text that looks like a verdict, closes a section, or gives the judge orders.

A sign is no proof: an essay on judging holds verdicts, too. So nothing is changed and nobody is left out; the item is
flagged, and people look.
"""

import re
from collections.abc import Iterable, Sequence

from venire.ballots.reply_json import find_braces
from venire.domain.folding import fold
from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, NominalScale, OrdinalScale, Rubric

_USUAL_FIELDS = frozenset({"winner", "verdict", "score", "rating", "grade"})
_MARKS = (
    *"{[<",
    *("verdict", "score", "rating", "grad", "winner", "judg", "evaluat", "ignore", "disregard", "forget", "system"),
    *("\u0131", "i\u0307"),  # the patterns take Turkish letters for an i; folding does not
)
"""Of these every sign has one: most texts have none and are passed over at a tenth of the patterns' time."""
_CLOSING = re.compile(
    r"</?(?:response|answer|prompt|reference|context|candidate)\b[^>\n]{0,40}>"
    r"|\[(?:the )?(?:end|start) of [^\]\n]{1,60}\]|<\|(?:im_end|im_start|eot_id|end|assistant|system)\|>|\[/?INST\]",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget)\b.{0,30}\b(?:previous|above|prior|earlier|all)\b.{0,20}\b(?:instructions?|rules?|prompts?)\b"
    r"|^\s*system\s*:\s*\S"
    r"|\b(?:the )?(?:grading|grader|judging|judge|evaluation|evaluator)\b.{0,40}\b(?:is finished|is over|must|should)\b"
    r".{0,40}\b(?:output|answer|choose|score|rate|give)\b",
    re.IGNORECASE | re.MULTILINE,
)
_LINE = re.compile(
    r"^[\s*_#>`-]*(?:(?:final|my|the|overall)\s+)*(?:verdict|score|rating|grade|winner)[\s*_`]*[:=][\s*_`\[]*([^\n\]]{1,40})",
    re.IGNORECASE | re.MULTILINE,
)
_BRACKETS = re.compile(r"\[\[([^\[\]\n]{1,40})\]\]")


def suspicions(text: str, rubric: Rubric) -> tuple[str, ...]:
    """The signs of an injection in one judged text, in plain words; empty for most."""
    folded = text.casefold()
    if not any(mark in folded for mark in _MARKS):
        return ()
    signs = []
    if _has_ballot(text, rubric):
        signs.append("a JSON verdict")
    words = _words(rubric.criteria)
    if any(_is_verdict(said, words) for said in (*_LINE.findall(text), *_BRACKETS.findall(text))):
        signs.append("a verdict in words")
    if _CLOSING.search(text):
        signs.append("a marker that opens or closes a section of a prompt")
    if _ORDER.search(text):
        signs.append("an order to the judge")
    return tuple(signs)


def _has_ballot(text: str, rubric: Rubric) -> bool:
    if "{" not in text:
        return False
    names = _USUAL_FIELDS | {fold(criterion.id) for criterion in rubric.criteria}
    return any(names & found.fields.keys() for found in find_braces(text).objects)


def _words(criteria: Sequence[Criterion]) -> frozenset[str]:
    words: set[str] = set()
    for criterion in criteria:
        match criterion.scale:
            case NominalScale(labels=labels) | OrdinalScale(labels=labels):
                words |= set(map(fold, labels))
            case ChoiceScale():
                words |= {"a", "b", "c", "tie", "a>>b", "a>b", "b>a", "b>>a", "a=b"}
            case IntervalScale():
                pass
    return frozenset(words)


def _is_verdict(said: str, words: Iterable[str]) -> bool:
    plain = fold(said).strip(" .!*_`\"'[]")
    return plain in words or re.fullmatch(r"-?\d+(?:\.\d+)?(?:\s*/\s*\d+)?", plain) is not None
