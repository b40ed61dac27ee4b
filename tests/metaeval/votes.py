"""Coded votes written by hand, for the tests of meta-evaluation."""

from collections.abc import Mapping, Sequence

import numpy as np

from venire.coding.votes import CodedVotes
from venire.domain.identity import ItemId
from venire.domain.item import Subject
from venire.domain.rubric import IntervalScale, NominalScale, OrdinalScale, Scale

YES_NO = NominalScale(labels=("yes", "no"))
GRADES = OrdinalScale(labels=("poor", "fair", "good", "excellent"))
RATINGS = IntervalScale(min=0, max=10)

Row = Sequence[str | float]
"""One vote for each subject: a label or a number; "?reason" where there is none."""


def code(scale: Scale, rows: Mapping[str, Row]) -> CodedVotes:
    """Code rows of votes."""
    n = len(next(iter(rows.values())))
    reasons = sorted({str(vote)[1:] for row in rows.values() for vote in row if str(vote).startswith("?")})
    labels = () if isinstance(scale, IntervalScale) else tuple(getattr(scale, "labels", ()))
    codes, missing = np.zeros((len(rows), n)), np.zeros((len(rows), n), dtype=np.int16)
    for number, row in enumerate(rows.values()):
        for column, vote in enumerate(row):
            if str(vote).startswith("?"):
                missing[number, column] = 1 + reasons.index(str(vote)[1:])
            else:
                codes[number, column] = float(vote) if not labels else labels.index(str(vote))
    return CodedVotes(
        scale=scale,
        labels=labels,
        raters=tuple(rows),
        subjects=tuple(Subject(item_id=ItemId(f"i{number}"), responses=(0,)) for number in range(n)),
        codes=codes,
        missing=missing,
        reasons=tuple(reasons),
    )
