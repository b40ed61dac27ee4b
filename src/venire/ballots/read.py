"""Reading a ballot: from a raw choice to one outcome for each criterion. It never raises and never guesses."""

from dataclasses import dataclass, replace

from venire.ballots.field_value import confidence_of, outcome_of
from venire.ballots.form import Ballot
from venire.ballots.reply_json import FoundObject, find_objects
from venire.ballots.reply_text import visible_text
from venire.ballots.reply_words import read_words
from venire.domain.call import Choice
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
    text = visible_text(choice.text)
    if not text:
        return _all_fail(ballot, _empty(choice))
    named = [found for found in find_objects(text) if _names_a_criterion(found, ballot)]
    if named:
        return _from_objects(named, ballot, shown)
    if choice.finish_reason == "length":
        return _all_fail(ballot, Failure(reason="truncated", detail="cut at the token limit before the verdict"))
    if len(ballot.rubric.criteria) > 1:
        return _all_fail(ballot, Failure(reason="unreadable", detail="no JSON object with the rubric's criteria"))
    criterion = ballot.rubric.criteria[0]
    outcome = read_words(text, criterion, ballot, shown)
    step: Step = "none" if isinstance(outcome, Failure) else "text"
    return (Reading(criterion_id=criterion.id, outcome=outcome, step=step),)


def failed_readings(ballot: Ballot, reason: FailureReason, detail: str) -> tuple[Reading, ...]:
    """The readings of a call that brought no completion at all."""
    return _all_fail(ballot, Failure(reason=reason, detail=detail))


def _from_objects(named: list[FoundObject], ballot: Ballot, shown: tuple[int, ...]) -> tuple[Reading, ...]:
    last = named[-1]
    verdicts = [{c.id: found.fields.get(c.id) for c in ballot.rubric.criteria} for found in named]
    if any(verdict != verdicts[-1] for verdict in verdicts) and not last.stands_alone:
        return _all_fail(ballot, Failure(reason="ambiguous", detail=f"{len(named)} JSON objects with other verdicts"))
    step: Step = "json" if last.is_whole else "embedded_json"
    confidence = confidence_of(last.fields.get("confidence")) if "confidence" in ballot.form.fields else None
    readings = []
    for criterion in ballot.rubric.criteria:
        outcome = _field_outcome(last, criterion.id, ballot, shown)
        if isinstance(outcome, Label) and confidence is not None:
            outcome = replace(outcome, confidence=confidence)
        readings.append(Reading(criterion_id=criterion.id, outcome=outcome, step=step))
    return tuple(readings)


def _field_outcome(found: FoundObject, criterion_id: CriterionId, ballot: Ballot, shown: tuple[int, ...]) -> Outcome:
    if criterion_id in found.repeated:
        return Failure(reason="incomplete_set", detail=f"{criterion_id!r} is given more than once")
    value = found.fields.get(criterion_id)
    if value is None:
        return Failure(reason="incomplete_set", detail=f"{criterion_id!r} is missing from the ballot")
    return outcome_of(value, ballot.rubric.criterion(criterion_id), ballot, shown)


def _names_a_criterion(found: FoundObject, ballot: Ballot) -> bool:
    # A reply that is one JSON object was meant as the ballot, whatever it leaves out.
    return found.is_whole or any(criterion.id in found.fields for criterion in ballot.rubric.criteria)


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
    return Failure(reason="unreadable", detail="the reply is empty")


def _all_fail(ballot: Ballot, failure: Failure) -> tuple[Reading, ...]:
    return tuple(
        Reading(criterion_id=criterion.id, outcome=failure, step="none") for criterion in ballot.rubric.criteria
    )
