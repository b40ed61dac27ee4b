"""Reading a ballot: from a raw choice to one outcome for each criterion. It never raises and never guesses."""

import re
from dataclasses import dataclass, replace

from venire.ballots.field_value import confidence_of, outcome_of
from venire.ballots.form import Ballot
from venire.ballots.reply_json import Braces, FoundObject, find_braces
from venire.ballots.reply_text import without_reasoning
from venire.ballots.reply_words import read_confidence, read_words
from venire.domain.call import Choice
from venire.domain.folding import fold, fold_width, without_invisible
from venire.domain.identity import CriterionId
from venire.domain.judgment import Failure, FailureReason, Label, Outcome, Step

READER_VERSION = 1
"""Raised whenever the same reply may be read otherwise; every judgment carries it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was read for one criterion, and how."""

    criterion_id: CriterionId
    outcome: Outcome
    step: Step


def read_ballot(ballot: Ballot, choice: Choice, shown: tuple[int, ...]) -> tuple[Reading, ...]:
    """One reading for each criterion, in the rubric's order.

    Args:
        ballot: what was asked.
        choice: what came back.
        shown: the response indices in the order shown.
    """
    stopped = _stopped_early(choice)
    if stopped is not None:
        return _all_fail(ballot, stopped)
    clean = without_invisible(choice.text).strip()
    whole = find_braces(clean).objects
    if len(whole) == 1 and whole[0].is_whole:  # before reasoning is looked for: a field may speak of <think> tags
        return _from_object(whole[0], ballot, shown)
    text = without_reasoning(clean)
    if not text:
        return _all_fail(ballot, _empty(choice))
    braces = find_braces(text)
    if not braces.objects:
        braces = find_braces(fold_width(text))
    if any(_is_ballot(found, ballot) for found in braces.objects):
        return _from_braces(text, braces, ballot, shown)
    if choice.finish_reason == "length":
        return _all_fail(ballot, Failure(reason="truncated", detail="cut at the token limit before the verdict"))
    if len(ballot.rubric.criteria) > 1:
        return _all_fail(ballot, Failure(reason="unreadable", detail="no JSON object with the rubric's criteria"))
    return (_from_words(text, ballot, shown),)


def failed_readings(ballot: Ballot, reason: FailureReason, detail: str) -> tuple[Reading, ...]:
    """The readings of a call that brought no completion at all."""
    return _all_fail(ballot, Failure(reason=reason, detail=detail))


def _from_braces(text: str, braces: Braces, ballot: Ballot, shown: tuple[int, ...]) -> tuple[Reading, ...]:
    found = [each for each in braces.objects if _is_ballot(each, ballot)]
    last = found[-1]
    readings = _from_object(last, ballot, shown)
    rivals = [each for each in found if _from_object(each, ballot, shown) != readings]
    concludes = last.has_own_lines and last.is_last and not any(rival.has_own_lines for rival in rivals)
    if rivals and not concludes:
        return _all_fail(ballot, Failure(reason="ambiguous", detail=f"{len(found)} JSON objects that disagree"))
    if not braces.are_paired or any(_speaks_of_a_criterion(other, ballot) for other in braces.others):
        return _all_fail(ballot, Failure(reason="ambiguous", detail="a JSON object beside others that are broken"))
    if len(readings) == 1:
        words = read_words(text, ballot.rubric.criteria[0], ballot, shown)
        if isinstance(words, Label) and words.value != _value(readings[0].outcome):
            return _all_fail(ballot, Failure(reason="ambiguous", detail="a JSON object and words that disagree"))
    return readings


def _from_object(found: FoundObject, ballot: Ballot, shown: tuple[int, ...]) -> tuple[Reading, ...]:
    step: Step = "json" if found.is_whole else "embedded_json"
    confidence = confidence_of(found.fields.get("confidence"))
    return tuple(
        Reading(
            criterion_id=criterion.id,
            outcome=_with_confidence(_field_outcome(found, criterion.id, ballot, shown), confidence, ballot),
            step=step,
        )
        for criterion in ballot.rubric.criteria
    )


def _from_words(text: str, ballot: Ballot, shown: tuple[int, ...]) -> Reading:
    (criterion,) = ballot.rubric.criteria
    outcome = read_words(text, criterion, ballot, shown)
    step: Step = "none" if isinstance(outcome, Failure) else "text"
    outcome = _with_confidence(outcome, read_confidence(text), ballot)
    return Reading(criterion_id=criterion.id, outcome=outcome, step=step)


def _field_outcome(found: FoundObject, criterion_id: CriterionId, ballot: Ballot, shown: tuple[int, ...]) -> Outcome:
    name = fold(criterion_id)
    if name in found.repeated:
        return Failure(reason="incomplete_set", detail=f"{criterion_id!r} is given more than once")
    value = found.fields.get(name)
    if value is None:
        return Failure(reason="incomplete_set", detail=f"{criterion_id!r} is missing from the ballot")
    return outcome_of(value, ballot.rubric.criterion(criterion_id), ballot, shown)


def _with_confidence(outcome: Outcome, confidence: float | None, ballot: Ballot) -> Outcome:
    if isinstance(outcome, Label) and "confidence" in ballot.form.fields:
        return replace(outcome, confidence=confidence)
    return outcome


def _value(outcome: Outcome) -> object:
    return outcome.value if isinstance(outcome, Label) else None


def _is_ballot(found: FoundObject, ballot: Ballot) -> bool:
    # A reply that is one JSON object was meant as the ballot, whatever it leaves out.
    return found.is_whole or any(fold(criterion.id) in found.fields for criterion in ballot.rubric.criteria)


def _speaks_of_a_criterion(text: str, ballot: Ballot) -> bool:
    names = "|".join(re.escape(fold(criterion.id)) for criterion in ballot.rubric.criteria)
    return re.search(rf"(?<![\w-])(?:{names})(?![\w-])", fold(text)) is not None


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
