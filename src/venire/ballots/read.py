"""Reading a ballot: from a raw choice to one outcome for each criterion. It never raises and never guesses."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from venire.ballots.field_value import confidence_of
from venire.ballots.form import Ballot, fields_of
from venire.ballots.probabilities import distribution_of
from venire.ballots.reply_json import Braces, FoundObject, find_braces, whole_object
from venire.ballots.reply_object import read_object
from venire.ballots.reply_repair import mend
from venire.ballots.reply_text import without_reasoning
from venire.ballots.reply_words import read_confidence, read_words
from venire.domain.call import Choice
from venire.domain.folding import fold, fold_width, without_invisible
from venire.domain.identity import CriterionId
from venire.domain.judgment import Failure, FailureReason, Label, Outcome, Step

READER_VERSION = 2
"""Raised whenever the same reply may be read otherwise; every judgment carries it."""

_TRUNCATED = Failure(reason="truncated", detail="cut at the token limit before the verdict")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was read for one criterion, and how."""

    criterion_id: CriterionId
    outcome: Outcome
    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What a reply is read against."""

    ballot: Ballot
    shown: tuple[int, ...]
    judged: tuple[str, ...]


def read_ballot(
    ballot: Ballot, choice: Choice, shown: tuple[int, ...], judged: Sequence[str] = ()
) -> tuple[Reading, ...]:
    """One reading for each criterion, in the rubric's order.

    Args:
        ballot: what was asked.
        choice: what came back.
        shown: the response indices in the order shown.
        judged: the texts that were judged: what a reply only quotes from them is no verdict.
    """
    stopped = _stopped_early(choice)
    if stopped is not None:
        return _all_fail(ballot, stopped)
    asked = _Asked(ballot=ballot, shown=shown, judged=tuple(judged))
    readings = _read(choice, asked)
    if choice.tokens and ballot.form.probabilities != "off":
        return tuple(_with_distribution(reading, choice, asked) for reading in readings)
    return readings


def failed_readings(ballot: Ballot, reason: FailureReason, detail: str) -> tuple[Reading, ...]:
    """The readings of a call that brought no completion at all."""
    return _all_fail(ballot, Failure(reason=reason, detail=detail))


def _read(choice: Choice, asked: _Asked) -> tuple[Reading, ...]:
    clean = without_invisible(choice.text).strip()
    whole = whole_object(clean)
    if whole is not None:  # before reasoning is looked for: a field may speak of <think> tags
        return _from_object(whole, "native" if choice.finish_reason == "tool_calls" else "json", asked)
    text = without_reasoning(clean)
    if not text:
        return _all_fail(asked.ballot, _empty(choice))
    braces = find_braces(text)
    if not braces.objects:
        braces = find_braces(fold_width(text))
    if any(_is_ballot(found, asked) for found in braces.objects):
        return _from_braces(text, braces, asked)
    mended = _from_damaged(text, braces, choice, asked)
    if mended is not None:
        return mended
    if choice.finish_reason == "length":
        return _all_fail(asked.ballot, _TRUNCATED)
    if len(asked.ballot.rubric.criteria) > 1:
        return _all_fail(asked.ballot, Failure(reason="unreadable", detail="no JSON object with the rubric's criteria"))
    return (_from_words(text, asked),)


def _from_braces(text: str, braces: Braces, asked: _Asked) -> tuple[Reading, ...]:
    ballots = [each for each in braces.objects if _is_ballot(each, asked)]
    found = [each for each in ballots if each.is_alone or not _is_quoted(each.text, asked)]
    if not found:
        return _all_fail(
            asked.ballot, Failure(reason="ambiguous", detail="the only JSON verdict stands in the judged text as well")
        )
    last = found[-1]
    readings = _from_object(last, "embedded_json", asked)
    rivals = [each for each in found if _from_object(each, "embedded_json", asked) != readings]
    concludes = last.has_own_lines and last.is_last and not any(rival.has_own_lines for rival in rivals)
    if rivals and not concludes:
        return _all_fail(asked.ballot, Failure(reason="ambiguous", detail=f"{len(found)} JSON objects that disagree"))
    if not braces.are_paired or any(_speaks_of_a_criterion(other, asked) for other in braces.others):
        return _all_fail(
            asked.ballot, Failure(reason="ambiguous", detail="a JSON object beside others that are broken")
        )
    return _unless_words_disagree(text, readings, asked)


def _from_damaged(text: str, braces: Braces, choice: Choice, asked: _Asked) -> tuple[Reading, ...] | None:
    """The readings of the one damaged ballot in a reply; None where there is none, or more than one."""
    names = [fold(name) for criterion in asked.ballot.rubric.criteria for name in fields_of(criterion, asked.ballot)]
    damaged = [other for other in braces.others if _speaks_of_a_criterion(other, asked)]
    if len(damaged) != 1 or _is_quoted(damaged[0], asked):
        return None
    mended = mend(damaged[0], names)
    if mended is None or not mended.fields.keys() & set(names):
        return None
    is_cut = choice.finish_reason == "length"
    found = FoundObject.of(mended.fields)
    readings = _from_object(found, "truncated_json" if is_cut else "repaired_json", asked)
    if is_cut or mended.doubtful:
        lost = _TRUNCATED if is_cut else Failure(reason="unreadable", detail="a damaged value in a damaged JSON object")
        readings = tuple(
            replace(reading, outcome=lost, step="none") if _is_missing(reading) else reading for reading in readings
        )
    return _unless_words_disagree(text, readings, asked)


def _unless_words_disagree(text: str, readings: tuple[Reading, ...], asked: _Asked) -> tuple[Reading, ...]:
    if len(readings) == 1:
        words = read_words(text, asked.ballot.rubric.criteria[0], asked.ballot, asked.shown, asked.judged)
        if isinstance(words, Label) and words.value != _value(readings[0].outcome):
            return _all_fail(asked.ballot, Failure(reason="ambiguous", detail="a JSON object and words that disagree"))
    return readings


def _from_object(found: FoundObject, step: Step, asked: _Asked) -> tuple[Reading, ...]:
    confidence = confidence_of(found.fields.get("confidence"))
    outcomes = read_object(found, asked.ballot, asked.shown)
    return tuple(
        Reading(criterion_id=criterion.id, outcome=_with_confidence(outcome, confidence, asked.ballot), step=step)
        for criterion, outcome in zip(asked.ballot.rubric.criteria, outcomes, strict=True)
    )


def _from_words(text: str, asked: _Asked) -> Reading:
    (criterion,) = asked.ballot.rubric.criteria
    outcome = read_words(text, criterion, asked.ballot, asked.shown, asked.judged)
    step: Step = "none" if isinstance(outcome, Failure) else "text"
    outcome = _with_confidence(outcome, read_confidence(text), asked.ballot)
    return Reading(criterion_id=criterion.id, outcome=outcome, step=step)


def _with_confidence(outcome: Outcome, confidence: float | None, ballot: Ballot) -> Outcome:
    if isinstance(outcome, Label) and "confidence" in ballot.form.fields:
        return replace(outcome, confidence=confidence)
    return outcome


def _with_distribution(reading: Reading, choice: Choice, asked: _Asked) -> Reading:
    if not isinstance(reading.outcome, Label):
        return reading
    criterion = asked.ballot.rubric.criterion(reading.criterion_id)
    found = distribution_of(reading.outcome, choice, criterion, asked.ballot, asked.shown)
    return replace(reading, outcome=replace(reading.outcome, distribution=found))


def _value(outcome: Outcome) -> object:
    return outcome.value if isinstance(outcome, Label) else None


def _is_missing(reading: Reading) -> bool:
    return isinstance(reading.outcome, Failure) and reading.outcome.reason == "incomplete_set"


def _is_ballot(found: FoundObject, asked: _Asked) -> bool:
    # A reply that is one JSON object was meant as the ballot, whatever it leaves out.
    return found.is_whole or found.holds_verdicts(
        [fold(name) for criterion in asked.ballot.rubric.criteria for name in fields_of(criterion, asked.ballot)]
    )


def _is_quoted(text: str, asked: _Asked) -> bool:
    return any(text in judged for judged in asked.judged)


def _speaks_of_a_criterion(text: str, asked: _Asked) -> bool:
    names = [name for criterion in asked.ballot.rubric.criteria for name in fields_of(criterion, asked.ballot)]
    pattern = "|".join(re.escape(fold(name)) for name in names)
    return re.search(rf"(?<![\w-])(?:{pattern})(?![\w-])", fold(text)) is not None


def _stopped_early(choice: Choice) -> Failure | None:
    if choice.finish_reason == "content_filter":
        return Failure(reason="filtered", detail="the provider's content filter withheld the reply")
    if choice.finish_reason == "refusal":
        return Failure(reason="refused", detail=choice.text[:200])
    return None


def _empty(choice: Choice) -> Failure:
    if choice.finish_reason == "length" and (choice.reasoning or choice.text):
        return Failure(reason="empty_after_reasoning", detail="the token limit was spent on reasoning")
    if choice.finish_reason == "length":
        return Failure(reason="truncated", detail="cut at the token limit before the first word")
    return Failure(
        reason="unreadable",
        detail="the reply holds no words beside its reasoning" if choice.text.strip() else "the reply is empty",
    )


def _all_fail(ballot: Ballot, failure: Failure) -> tuple[Reading, ...]:
    return tuple(
        Reading(criterion_id=criterion.id, outcome=failure, step="none") for criterion in ballot.rubric.criteria
    )
