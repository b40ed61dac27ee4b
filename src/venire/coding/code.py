"""Coding: judgments, verdicts and gold labels become arrays over the same subjects."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from venire.coding.draws import code_draws, code_outcomes
from venire.coding.labels import code_value, labels_of, value_of
from venire.coding.votes import CodedDraws, CodedVotes
from venire.domain.annotation import GIVEN, Annotation, Gold
from venire.domain.item import Subject
from venire.domain.rubric import Criterion, IntervalScale, Value
from venire.domain.verdict import Decided, Shared, Verdict

__all__ = [
    "CodedDraws",
    "CodedVotes",
    "code_draws",
    "code_gold",
    "code_outcomes",
    "code_people",
    "code_value",
    "code_verdicts",
    "labels_of",
    "stack",
    "value_of",
]

NO_GOLD = "no gold"
NO_LABEL = "no label"
NO_VERDICT = "no verdict"
UNDECIDED = "undecided"
SHARED = "shared"


def code_gold(
    golds: Iterable[Gold], subjects: Sequence[Subject], criterion: Criterion, name: str = "gold"
) -> CodedVotes:
    """Code gold labels as one rater; a subject without gold is missing for the reason "no gold".

    Golds of other criteria and subjects are passed over.

    Raises:
        ValueError: a gold label is off the scale, or one subject has two that differ.
    """
    values: dict[Subject, Value] = {}
    for gold in golds:
        if gold.criterion_id == criterion.id:
            _keep_one(values, gold.subject, gold.value)
    codes, known = _code_values(values, subjects, criterion)
    missing = np.where(known, 0, 1).astype(np.int16)
    return _one_rater(name, criterion, subjects, codes, missing=missing, reasons=(NO_GOLD,))


def code_people(
    annotations: Iterable[Annotation], subjects: Sequence[Subject], criterion: Criterion
) -> CodedVotes | None:
    """Code what people said, one rater for each annotator by name; labels given without a name are left out.

    Returns:
        None where nobody said anything about these subjects.

    Raises:
        ValueError: a label is off the scale, or one annotator gave one subject two.
    """
    by_name: dict[str, dict[Subject, Value]] = {}
    known = set(subjects)
    for one in annotations:
        if one.criterion_id == criterion.id and one.annotator != GIVEN and one.subject in known:
            _keep_one(by_name.setdefault(one.annotator, {}), one.subject, one.value)
    rows = []
    for name in sorted(by_name):
        codes, is_there = _code_values(by_name[name], subjects, criterion)
        missing = np.where(is_there, 0, 1).astype(np.int16)
        rows.append(_one_rater(name, criterion, subjects, codes, missing=missing, reasons=(NO_LABEL,)))
    return stack(*rows) if rows else None


def code_verdicts(
    verdicts: Iterable[Verdict], subjects: Sequence[Subject], criterion: Criterion, name: str = "panel"
) -> CodedVotes:
    """Code what a panel decided as one rater; undecided and shared verdicts are missing for that reason.

    Verdicts on other criteria (also the combination of all) and on other subjects are passed over.

    Raises:
        ValueError: a verdict is off the scale, or one subject has two that differ.
    """
    reasons = (NO_VERDICT, SHARED, UNDECIDED)
    values: dict[Subject, Value] = {}
    why: dict[Subject, str] = {}
    for verdict in verdicts:
        if verdict.criterion_id != criterion.id:
            continue
        match verdict.outcome:
            case Decided(value=value):
                _keep_one(values, verdict.subject, value)
            case Shared():
                why[verdict.subject] = SHARED
            case _:
                why[verdict.subject] = UNDECIDED
    codes, known = _code_values(values, subjects, criterion)
    absent = [1 + reasons.index(why.get(subject, NO_VERDICT)) for subject in subjects]
    missing = np.where(known, 0, np.array(absent, dtype=np.int16)).astype(np.int16)
    return _one_rater(name, criterion, subjects, codes, missing=missing, reasons=reasons)


def stack(*votes: CodedVotes) -> CodedVotes:
    """Join raters who voted on the same subjects and scale, such as judges, panel and gold.

    Raises:
        ValueError: nothing to join; scales or subjects differ; or two raters have one name.
    """
    if not votes:
        raise ValueError("stack() was given no votes; it needs at least one")
    first = votes[0]
    for other in votes[1:]:
        if (other.scale, other.labels, other.subjects) != (first.scale, first.labels, first.subjects):
            raise ValueError(
                f"Raters {first.raters!r} and {other.raters!r} voted on different subjects or scales; "
                "code both with the same subjects and criterion"
            )
    raters = tuple(rater for part in votes for rater in part.raters)
    if len(set(raters)) < len(raters):
        raise ValueError(f"raters {raters!r} repeat one another; give each its own name")
    reasons = tuple(sorted({reason for part in votes for reason in part.reasons}))
    return replace(
        first,
        raters=raters,
        codes=np.concatenate([part.codes for part in votes]),
        missing=np.concatenate([_renumber(part.missing, part.reasons, reasons) for part in votes]),
        reasons=reasons,
    )


def _renumber(missing: NDArray[np.int16], old: tuple[str, ...], new: tuple[str, ...]) -> NDArray[np.int16]:
    """Missing codes under another list of reasons that holds all of the old ones."""
    return np.array([0, *(1 + new.index(reason) for reason in old)], dtype=np.int16)[missing]


def _keep_one(values: dict[Subject, Value], subject: Subject, value: Value) -> None:
    if values.setdefault(subject, value) != value:
        raise ValueError(
            f"Item {subject.item_id!r} has two labels, {values[subject]!r} and {value!r}; "
            "one rater has one label for a subject. Settle them before coding."
        )


def _code_values(
    values: Mapping[Subject, Value], subjects: Sequence[Subject], criterion: Criterion
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    n_responses = max((len(subject.responses) for subject in subjects), default=0)
    codes, known = np.zeros(len(subjects)), np.zeros(len(subjects), dtype=np.bool_)
    scale = criterion.scale
    if isinstance(scale, IntervalScale) and scale.integer:
        scale = replace(scale, integer=False)  # the mean of whole numbers need not be whole
    for column, subject in enumerate(subjects):
        value = values.get(subject)
        if value is not None:
            codes[column] = code_value(scale, value, subject, n_responses)
            known[column] = True
    return codes, known


def _one_rater(
    name: str,
    criterion: Criterion,
    subjects: Sequence[Subject],
    codes: NDArray[np.float64],
    *,
    missing: NDArray[np.int16],
    reasons: tuple[str, ...],
) -> CodedVotes:
    n_responses = max((len(subject.responses) for subject in subjects), default=0)
    return CodedVotes(
        scale=criterion.scale,
        labels=labels_of(criterion.scale, n_responses),
        raters=(name,),
        subjects=tuple(subjects),
        codes=codes[None, :],
        missing=missing[None, :],
        reasons=reasons,
    )
