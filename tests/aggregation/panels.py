"""Short ways to seat a panel, let it vote and see what it decides."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from venire.aggregation.decide import Aggregated, aggregate
from venire.coding.labels import code_value, labels_of
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import Aggregation
from venire.domain.design import Design
from venire.domain.identity import CallId, CriterionId, ItemId, JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Failure, Judgment, Label, Outcome
from venire.domain.panel import Judge
from venire.domain.rubric import ChoiceScale, Criterion, NominalScale, OrdinalScale, Rubric, Scale, Value
from venire.domain.verdict import Verdict, VerdictOutcome

YES_NO = NominalScale(labels=("yes", "no"))
THREE = NominalScale(labels=("a", "b", "c"))
GRADES = OrdinalScale(labels=("poor", "fair", "good"))
PAIR = ChoiceScale()

Vote = Value | Outcome | None
"""A label's value, an outcome, or None for an unreadable ballot."""


def subject(item: str = "i1", *responses: int) -> Subject:
    return Subject(item_id=ItemId(item), responses=responses or (0,))


def criterion(scale: Scale, name: str = "q", weight: float = 1.0) -> Criterion:
    return Criterion(id=CriterionId(name), question="Is it right?", scale=scale, weight=weight)


def design(criteria: Sequence[Criterion], judges: Sequence[str], silent: Sequence[str] = (), **how: Any) -> Design:
    """A design of these voting judges; `silent` ones do not vote; `how` goes to Design or its Aggregation."""
    names = {"protocol", "orders"}
    compares = isinstance(criteria[0].scale, ChoiceScale)
    return Design(
        **{"protocol": "pairwise" if compares else "pointwise", **{key: how[key] for key in names & how.keys()}},
        rubric=Rubric(criteria=tuple(criteria)),
        judges=tuple(
            Judge(id=JudgeId(name), provider="scripted", model=name, votes=name not in silent)
            for name in (*judges, *silent)
        ),
        aggregation=Aggregation(**{key: value for key, value in how.items() if key not in names}),
    )


def judgment(
    judge: str, about: Subject, vote: Vote, on: str = "q", *, swapped: bool = False, sample: int = 0
) -> Judgment:
    match vote:
        case None:
            outcome: Outcome = Failure(reason="unreadable")
        case str() | int() | float():
            outcome = Label(value=vote)
        case _:
            outcome = vote
    return Judgment(
        subject=about,
        criterion_id=CriterionId(on),
        judge_id=JudgeId(judge),
        shown=about.responses[::-1] if swapped else about.responses,
        sample=sample,
        attempt=0,
        call_id=CallId("sha256:0"),
        outcome=outcome,
        step="json",
        reader_version=1,
    )


def decide(scale: Scale, votes: Sequence[Vote], **how: Any) -> Verdict:
    """What judges j0, j1 … decide on one subject."""
    about = subject("i1", 0, 1) if isinstance(scale, ChoiceScale) else subject()
    names = [f"j{number}" for number in range(len(votes))]
    judgments = [judgment(name, about, vote) for name, vote in zip(names, votes, strict=True)]
    (verdict,) = aggregate(judgments, [about], design([criterion(scale)], names, **how)).verdicts
    return verdict


def outcome(scale: Scale, votes: Sequence[Vote], **how: Any) -> VerdictOutcome:
    return decide(scale, votes, **how).outcome


def by_subject(aggregated: Aggregated) -> Mapping[tuple[Subject, CriterionId], Verdict]:
    return {(verdict.subject, verdict.criterion_id): verdict for verdict in aggregated.verdicts}


def coded(scale: Scale, rows: Sequence[Sequence[Value | None]], *, garbage: float = 0.0) -> CodedVotes:
    """Votes of rows of judges on columns of subjects; `garbage` fills the codes of missing votes."""
    responses = (0, 1) if isinstance(scale, ChoiceScale) else (0,)
    subjects = tuple(subject(f"i{column}", *responses) for column in range(len(rows[0])))
    codes = [
        [
            garbage if value is None else code_value(scale, value, about)
            for value, about in zip(row, subjects, strict=True)
        ]
        for row in rows
    ]
    return CodedVotes(
        scale=scale,
        labels=labels_of(scale, len(responses)),
        raters=tuple(f"j{row}" for row in range(len(rows))),
        subjects=subjects,
        codes=np.array(codes, dtype=np.float64),
        missing=np.array([[int(value is None) for value in row] for row in rows], dtype=np.int16),
        reasons=("unreadable",),
    )
