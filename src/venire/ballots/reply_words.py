"""The text rules: where in plain words a verdict may stand, and when it is too unclear to be one."""

import re
from dataclasses import dataclass

from venire.ballots.field_value import outcome_of
from venire.ballots.form import Ballot, words_of
from venire.ballots.reply_text import plain_line
from venire.domain.judgment import Failure, Outcome
from venire.domain.rubric import CANNOT_ASSESS, Criterion, IntervalScale

_MARKERS = ("verdict", "answer", "judgment", "judgement", "label", "grade", "rating", "score", "winner", "preference")
_NUMBER = r"[-+]?\d+(?:\.\d+)?(?:\s*(?:/|out of)\s*[-+]?\d+(?:\.\d+)?)?"


@dataclass(frozen=True, slots=True)
class _Evidence:
    outcome: Outcome
    is_concluding: bool
    """On a verdict line, or the last words of the reply."""


def read_words(text: str, criterion: Criterion, ballot: Ballot, shown: tuple[int, ...]) -> Outcome:
    """The last verdict in an agreed place: a "Verdict:" line, double brackets, or the last line standing alone.

    Words inside braces are none: a JSON object that could not be parsed may be cut in the middle of a number.
    A label in running prose is no verdict ("this is not correct"). Where verdicts conflict, the last one counts
    only if it concludes the reply; otherwise the reply is ambiguous.
    """
    outside_json = re.sub(r"\{.*(?:\}|\Z)", " ", text, flags=re.DOTALL)
    evidence = _gather(outside_json, criterion, ballot, shown)
    if not evidence:
        return Failure(reason="unreadable", detail=f"no verdict on {criterion.id!r} in {_quoted(text)}")
    last = evidence[-1]
    if last.is_concluding or all(item.outcome == last.outcome for item in evidence):
        return last.outcome
    return Failure(reason="ambiguous", detail=f"several verdicts on {criterion.id!r} in {_quoted(text)}")


def _gather(text: str, criterion: Criterion, ballot: Ballot, shown: tuple[int, ...]) -> list[_Evidence]:
    token = _token_pattern(criterion, ballot)
    names = "|".join([*_MARKERS, re.escape(criterion.id.casefold())])
    marker = re.compile(rf"(?<![\w-])(?:{names})\b[\s\"'*_]*(?:is\b)?\s*[:=—–-]\s*", re.IGNORECASE)
    lines = [plain_line(line) for line in text.splitlines() if plain_line(line)]
    evidence: list[_Evidence] = []
    for number, line in enumerate(lines):
        is_last = number == len(lines) - 1
        marked = [match for match in marker.finditer(line) if _opens_the_line(line[: match.start()])]
        if marked:
            rest = line[marked[-1].end() :]
            found = _tokens(token, rest)
            if found:
                agreed = len({word.casefold() for word in found}) == 1
                outcome = outcome_of(found[0], criterion, ballot, shown) if agreed else _several(found)
                evidence.append(_Evidence(outcome, is_concluding=True))
            continue
        for match in re.finditer(r"\[\[\s*([^\[\]]+?)\s*\]\]", line):
            ends = is_last and not line[match.end() :].strip(" .!*")
            evidence.append(_Evidence(outcome_of(match[1], criterion, ballot, shown), is_concluding=ends))
        if is_last and re.fullmatch(rf"\W*(?:{token.pattern})\W*", line, re.IGNORECASE):
            word = _tokens(token, line)[0]
            evidence.append(_Evidence(outcome_of(word, criterion, ballot, shown), is_concluding=True))
        elif is_last and not evidence:
            evidence.extend(_bare_words(line, token))
    return evidence


def _opens_the_line(before: str) -> bool:
    return re.fullmatch(r"\W*(?:(?:my|the|final|overall)\W+)*", before, re.IGNORECASE) is not None


def _bare_words(line: str, token: re.Pattern[str]) -> list[_Evidence]:
    # "relevant ... irrelevant": nothing but labels, and they differ.
    found = _tokens(token, line)
    if len(found) > 1 and not re.sub(token.pattern, "", line, flags=re.IGNORECASE).strip(" .,;:!?/|-"):
        return [_Evidence(_several(found), is_concluding=True)]
    return []


def _several(found: list[str]) -> Outcome:
    return Failure(reason="ambiguous", detail=f"several labels in one place: {found!r}")


def _tokens(token: re.Pattern[str], text: str) -> list[str]:
    return [match[0] for match in token.finditer(text)]


def _token_pattern(criterion: Criterion, ballot: Ballot) -> re.Pattern[str]:
    if isinstance(criterion.scale, IntervalScale):
        return re.compile(rf"(?<![\w.])(?:{_NUMBER}|{CANNOT_ASSESS})(?![\w])", re.IGNORECASE)
    words = sorted([*(words_of(criterion, ballot) or ()), CANNOT_ASSESS], key=len, reverse=True)
    return re.compile(r"(?<![\w-])(?:" + "|".join(re.escape(word) for word in words) + r")(?![\w-])", re.IGNORECASE)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:60]}…{text[-18:]}")
