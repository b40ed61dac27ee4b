"""One JSON object of a reply to the outcomes of all criteria: nothing missing, nothing twice, nothing contradictory."""

from collections import Counter
from collections.abc import Mapping, Sequence

from venire.ballots.field_value import outcome_of
from venire.ballots.form import Ballot, fields_of
from venire.ballots.reply_json import VERDICT_NAMES, FoundObject
from venire.domain.fitting import has_two_labels
from venire.domain.folding import fold
from venire.domain.identity import Json
from venire.domain.judgment import Failure, Label, Outcome
from venire.domain.rubric import Criterion, IntervalScale, NominalScale


def read_object(found: FoundObject, ballot: Ballot, shown: tuple[int, ...]) -> list[Outcome]:
    """One outcome for each criterion, in the rubric's order."""
    listed = found.listed_verdicts()
    if listed is not None and len(ballot.rubric.criteria) > 1:
        return _from_list(listed, ballot, shown)
    outcomes = [_outcome(found, criterion, ballot, shown) for criterion in ballot.rubric.criteria]
    if ballot.form.threshold is not None:
        return _tied(found, outcomes, ballot, ballot.form.threshold)
    return outcomes


def _outcome(found: FoundObject, criterion: Criterion, ballot: Ballot, shown: tuple[int, ...]) -> Outcome:
    names = [fold(name) for name in fields_of(criterion, ballot)]
    repeated = [name for name in names if name in found.repeated]
    if repeated:
        return Failure(reason="incomplete_set", detail=f"{repeated[0]!r} is given more than once")
    missing = [name for name in names if found.fields.get(name) is None]
    if missing:
        return Failure(reason="incomplete_set", detail=f"{missing[0]!r} is missing from the ballot")
    return outcome_of([found.fields[name] for name in names], criterion, ballot, shown)


def _from_list(entries: Sequence[Mapping[str, Json]], ballot: Ballot, shown: tuple[int, ...]) -> list[Outcome]:
    """Verdicts as a list of {id, verdict}: every criterion once, and none that was not asked about."""
    names = [fold(str(entry["id"])) for entry in entries]
    wanted = [fold(criterion.id) for criterion in ballot.rubric.criteria]
    wrong = [f"{name!r} is given {n} times" for name, n in Counter(names).items() if n > 1]
    wrong += [f"{name!r} is missing" for name in wanted if name not in names]
    wrong += [f"{name!r} was not asked about" for name in names if name not in wanted]
    if wrong:
        failure = Failure(reason="incomplete_set", detail="; ".join(dict.fromkeys(wrong)))
        return [failure for _ in wanted]
    said = {name: _verdict_in(entry) for name, entry in zip(names, entries, strict=True)}
    return [
        outcome_of([said[name]], criterion, ballot, shown)
        for name, criterion in zip(wanted, ballot.rubric.criteria, strict=True)
    ]


def _verdict_in(entry: Mapping[str, Json]) -> Json:
    return next(entry[name] for name in VERDICT_NAMES if name in entry)


def _tied(found: FoundObject, outcomes: list[Outcome], ballot: Ballot, threshold: float) -> list[Outcome]:
    """Hold every yes or no to the one rating: derived where it is missing, a failure where it contradicts."""
    criteria = ballot.rubric.criteria
    rating = next(
        outcome
        for criterion, outcome in zip(criteria, outcomes, strict=True)
        if isinstance(criterion.scale, IntervalScale)
    )
    if not isinstance(rating, Label):
        return outcomes
    tied: list[Outcome] = []
    for criterion, outcome in zip(criteria, outcomes, strict=True):
        scale = criterion.scale
        if not (has_two_labels(scale) and isinstance(scale, NominalScale)):
            tied.append(outcome)
            continue
        is_over = float(rating.value) >= threshold
        derived = next(label for label in scale.labels if (label == scale.positive) is is_over)
        if found.fields.get(fold(criterion.id)) is None and fold(criterion.id) not in found.repeated:
            tied.append(Label(value=derived))
        elif isinstance(outcome, Label) and outcome.value != derived:
            detail = f"{criterion.id} is {outcome.value!r}, but by the rating {rating.value!r} it would be {derived!r}"
            return [Failure(reason="contradictory", detail=detail) for _ in criteria]
        else:
            tied.append(outcome)
    return tied
