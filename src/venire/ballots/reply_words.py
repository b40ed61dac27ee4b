"""The text rules: where in plain words a verdict may stand, and when it is too unclear to be one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from venire.ballots.comparing import LIKERT_PATTERN
from venire.ballots.field_value import RATING, TRUTH, confidence_of, outcome_of, quoted
from venire.ballots.form import Ballot, form_of, words_of
from venire.ballots.reply_scores import read_scores
from venire.ballots.vocabulary import QUOTES, vocabulary
from venire.domain.folding import fold
from venire.domain.judgment import Failure, Outcome
from venire.domain.rubric import CANNOT_ASSESS, TIE, ChoiceScale, Criterion, NominalScale

_MARKERS = "verdict|answer|judgment|judgement|label|grade|rating|score|overall|winner|preference"
_SEPARATOR = r"[\s*_`]*+(?:\bis\b)?[\s*_`]*+(?:[:=|]|[—–-](?=\s))"
_RATES = r"i(?:'d| would)? (?:rate|give|score|grade) (?:it|this|(?:this |the )?(?:response|answer))(?: as)?(?: an?)?\s"
# The runs are possessive (*+): a reply of a million blanks is read in one pass.
_LEAD = rf"[\s\[({{*_`{QUOTES}]*+"
_CLOSE = rf"\s\])}}*_`|{QUOTES}"
# After the verdict: nothing, or words that are clearly set off from it ("correct, because", "B (clearer)").
_ALONE = rf"[{_CLOSE}.,;:!…]*+"
_POINTED = rf"(?=[\s}}*_`|{QUOTES}]*+[.,;:!…)\]]){_ALONE}(?<=\s).*"
_SET_OFF = rf"{_POINTED}|[{_CLOSE}]*+(?<=\s)[(—–-].*"
_WINS = r"[*_`]*+\s(?:is (?:the )?(?:better|best)|wins)\b.*"
_NUMBER = re.sub(r"\((?!\?)", "(?:", RATING)
_TAG = re.compile(r"</?(?:answer|final_answer|verdict|result|output)>")
_CONFIDENCE = re.compile(r"[\s*_`#|-]*+confidence[\s*_`]*+[:=|][\s*_`]*+([0-9]*\.?[0-9]+)?.*")


@dataclass(frozen=True, slots=True)
class _Evidence:
    outcome: Outcome
    is_concluding: bool
    """On a verdict line, or the last words of the reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rules:
    """The patterns of one criterion, all for folded lines."""

    marker: re.Pattern[str]
    """What announces a verdict."""
    verdict: re.Pattern[str]
    """A verdict where it was announced; group 1 is its word."""
    alone: re.Pattern[str]
    """A line that is a verdict and nothing else; group 1 is its word."""
    mention: re.Pattern[str]
    """A word of the scale anywhere: two different ones in a verdict's line make it unclear."""


def read_words(
    text: str, criterion: Criterion, ballot: Ballot, shown: tuple[int, ...], judged: Sequence[str] = ()
) -> Outcome:
    """The last verdict in an agreed place: a "Verdict:" line, double brackets, or the last line standing alone.

    Words inside braces are none: a JSON object that could not be parsed may be cut in the middle of a number.
    A label in running prose is no verdict ("this is not correct"). Where verdicts conflict, the last one counts
    only if it concludes the reply; otherwise the reply is ambiguous. A line that the judged text has as well is
    only quoted, unless it is all there is.
    """
    if form_of(criterion, ballot) == "pair":
        return read_scores(text, criterion, ballot, shown)
    lines = [line for line in _lines(text) if not _CONFIDENCE.fullmatch(line)]
    if len(lines) > 1:
        known = {line for each in judged for line in _plain_lines(each)}
        lines = [line for line in lines if line not in known or not re.search(r"\W", line.strip(" .!*"))]
    evidence = list(_gather(lines, criterion, ballot, shown))
    if not evidence:
        return Failure(reason="unreadable", detail=f"no verdict on {criterion.id!r} in {quoted(text)}")
    last = evidence[-1]
    if last.is_concluding or all(item.outcome == last.outcome for item in evidence):
        return last.outcome
    return Failure(reason="ambiguous", detail=f"several verdicts on {criterion.id!r} in {quoted(text)}")


def read_confidence(text: str) -> float | None:
    """What the last "Confidence:" line says, if it is a number from 0 to 1."""
    stated = [match[1] for line in _lines(text) if (match := _CONFIDENCE.fullmatch(line))]
    return confidence_of(float(stated[-1])) if stated and stated[-1] else None


def _lines(text: str) -> list[str]:
    outside_braces = re.sub(r"\{.*\}|\{.*", " ", text, flags=re.DOTALL)
    return _plain_lines(outside_braces)


def _plain_lines(text: str) -> list[str]:
    lines = [" ".join(_TAG.sub(" ", fold(line)).split()) for line in text.splitlines()]
    return [line for line in lines if re.search(r"[^\s*_`#|~-]", line)]


def _gather(lines: list[str], criterion: Criterion, ballot: Ballot, shown: tuple[int, ...]) -> Iterator[_Evidence]:
    rules = _rules_for(criterion, ballot)

    def read(word: str) -> Outcome:
        if word == "c" and _has_bracketed_tie(criterion, ballot):
            word = TIE
        return outcome_of([word], criterion, ballot, shown)

    def said(line: str) -> set[Outcome]:
        return {read(match[0]) for match in rules.mention.finditer(line)}

    for number, line in enumerate(lines):
        is_last = number == len(lines) - 1
        if (marker := _marker_of(line, rules, is_last=is_last)) is not None:
            rest = line[marker.end() :]
            if not rest.strip("*_`") and not is_last:
                rest = lines[number + 1]
            if verdict := rules.verdict.fullmatch(rest):
                outcome = read(verdict[1])
                yield _Evidence(outcome if said(rest) <= {outcome} else _several(line), is_concluding=True)
            elif rest.strip("*_`") and marker.lastgroup != "answer":
                yield _Evidence(_unclear(line), is_concluding=True)
        elif is_last and (alone := rules.alone.fullmatch(line)):
            yield _Evidence(read(alone[1]), is_concluding=True)
        elif is_last and len(said(line)) > 1 and not re.search(r"\w", rules.mention.sub("", line)):
            yield _Evidence(_several(line), is_concluding=True)
        else:
            for match in re.finditer(r"\[\[([^\[\]]+)\]\]", line):
                is_end = is_last and not line[match.end() :].strip(" .!*")
                yield _Evidence(read(match[1]), is_concluding=is_end)


def _marker_of(line: str, rules: _Rules, *, is_last: bool) -> re.Match[str] | None:
    # A marker opens its line or, at the very end, a sentence; but nothing that may be quoted from the item.
    markers = list(rules.marker.finditer(line))
    if not markers:
        return None
    first, last = markers[0], markers[-1]
    if not line[: first.start()].strip(" *_`#|•.)-0123456789"):
        return first
    before = line[: last.start()]
    opens_sentence = before.rstrip(" *_`").endswith((".", "!", "?")) and before[-1] in " *_`"
    may_be_quoted = any(char in before for char in f"{QUOTES}>")
    return last if is_last and opens_sentence and not may_be_quoted else None


def _several(line: str) -> Outcome:
    return Failure(reason="ambiguous", detail=f"several labels in one place: {quoted(line)}")


def _unclear(line: str) -> Outcome:
    return Failure(reason="unreadable", detail=f"a verdict is announced but none stands there: {quoted(line)}")


def _rules_for(criterion: Criterion, ballot: Ballot) -> _Rules:
    form = form_of(criterion, ballot)
    known = vocabulary((*_spoken(criterion, ballot), CANNOT_ASSESS))
    is_rating = form in ("rating", "preference")
    words = f"{_NUMBER}|{CANNOT_ASSESS}" if is_rating else known.pattern
    if form == "likert":
        words = f"{LIKERT_PATTERN}|{CANNOT_ASSESS}"
    elif _has_bracketed_tie(criterion, ballot):
        words += r"|(?<=\[\[)c(?=\]\])"
    lead, alone, verdict = _LEAD, _ALONE, f"{_ALONE}|{_SET_OFF}"
    if known.is_exact and not is_rating and form != "likert":
        lead, alone, verdict = r"\s*", r"\s*", r"\s*"
    elif form == "label" and isinstance(criterion.scale, ChoiceScale):
        lead, verdict = rf"{lead}(?:(?:response|assistant|answer|option)\s)?{lead}", f"{verdict}|{_WINS}"
    elif not is_rating:
        lead = rf"[;:.,…]*{lead}"
    names = f"(?P<answer>answer)|{_MARKERS}|{re.escape(fold(criterion.id))}"
    if "answer" in ballot.form.fields:
        # The judge was asked for its own answer to the prompt: that line is no verdict.
        names = names.replace("(?P<answer>answer)|", "").replace("|answer|", "|")
    announced = rf"""(?<![\w-])(?:(?:my|the|final|overall) ){{0,3}}["*_`]{{0,3}}(?:{names})"?{_SEPARATOR}[\s*_`]*"""
    return _Rules(
        marker=re.compile(rf"{announced}|\b{_RATES}" if is_rating else announced),
        verdict=re.compile(rf"{lead}({words})(?:{verdict})"),
        alone=re.compile(rf"{lead}({words}){alone}"),
        mention=_mention_pattern(words, is_rating=is_rating),
    )


def _spoken(criterion: Criterion, ballot: Ballot) -> tuple[str, ...]:
    """The words by which a verdict may be said: of a boolean also those of the scale."""
    words = words_of(criterion, ballot) or ()
    if form_of(criterion, ballot) == "boolean" and isinstance(criterion.scale, NominalScale):
        words = tuple(dict.fromkeys([*TRUTH, *map(fold, criterion.scale.labels)]))
    return words


def _has_bracketed_tie(criterion: Criterion, ballot: Ballot) -> bool:
    # Where two responses are compared, [[C]] has meant a tie since MT-Bench (Zheng et al., 2023, arXiv:2306.05685).
    scale = criterion.scale
    return (
        isinstance(scale, ChoiceScale) and scale.tie and ballot.n_shown == 2 and form_of(criterion, ballot) == "label"
    )


def _mention_pattern(words: str, *, is_rating: bool) -> re.Pattern[str]:
    if is_rating:
        return re.compile(rf"(?<![\w.,])(?:{words})(?![\w%]|[.,]\d)")
    # "a" before a word that is no verb is the article, not response A; so is "i" the pronoun.
    article = r"(?![ai]\s(?!is\b|was\b|wins\b|and\b|or\b)\w)"
    return re.compile(rf"(?<![\w-]){article}(?:{words})(?![\w-])")
