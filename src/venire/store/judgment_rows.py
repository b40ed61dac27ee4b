"""Judgments to rows of the store and back."""

from functools import lru_cache
from typing import Any

from sqlalchemy import Row

from venire.domain.identity import CallId, CriterionId, DesignId, ItemId, Json, JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Abstention, Distribution, Failure, Judgment, Label, LabelProbability, Outcome
from venire.store.cells import Cells, pack_indices, pack_json, pack_text, unpack_indices, unpack_json, unpack_text


def judgment_row(design_id: DesignId, judgment: Judgment) -> Cells:
    """The row of a judgment."""
    return {
        "design_id": pack_text(design_id),
        "item_id": pack_text(judgment.subject.item_id),
        "responses": pack_indices(judgment.subject.responses),
        "criterion_id": pack_text(judgment.criterion_id),
        "judge_id": pack_text(judgment.judge_id),
        "shown": pack_indices(judgment.shown),
        "sample": judgment.sample,
        "attempt": judgment.attempt,
        "call_id": pack_text(judgment.call_id),
        "step": judgment.step,
        "reader_version": judgment.reader_version,
        "value": None,
        "confidence": None,
        "reason": None,
        "detail": None,
        "preference": None,
        "distribution": None,
    } | _outcome_cells(judgment.outcome)


def _outcome_cells(outcome: Outcome) -> Cells:
    # A label's value is JSON, which tells 1, 1.0 and "1" apart.
    match outcome:
        case Label(value=value, confidence=confidence):
            return {
                "kind": "label",
                "value": pack_json(value),
                "confidence": confidence,
                "preference": outcome.preference,
                "distribution": _pack_distribution(outcome.distribution),
            }
        case Abstention(reason=reason):
            return {"kind": "abstention", "reason": pack_text(reason)}
        case Failure(reason=failure, detail=detail):
            return {"kind": "failure", "reason": failure, "detail": pack_text(detail)}


def _pack_distribution(distribution: Distribution | None) -> str | bytes | None:
    if distribution is None:
        return None
    labels: list[Json] = [[label.value, label.probability] for label in distribution.labels]
    return pack_json({"labels": labels, "coverage": distribution.coverage})


def _read_distribution(cell: str | bytes | None) -> Distribution | None:
    if cell is None:
        return None
    content = unpack_json(cell)
    labels = tuple(LabelProbability(value=value, probability=share) for value, share in content["labels"])
    return Distribution(labels=labels, coverage=content["coverage"])


def read_judgment(row: Row[Any]) -> Judgment:
    """The judgment in a row of `judgments`."""
    return Judgment(
        subject=_subject(row.item_id, row.responses),
        criterion_id=CriterionId(unpack_text(row.criterion_id)),
        judge_id=JudgeId(unpack_text(row.judge_id)),
        shown=unpack_indices(row.shown),
        sample=row.sample,
        attempt=row.attempt,
        call_id=CallId(unpack_text(row.call_id)),
        outcome=_read_outcome(row),
        step=row.step,
        reader_version=row.reader_version,
    )


# Rows come by the million and say few things: what is the same in many of them is made once.
@lru_cache(maxsize=1024)
def _subject(item_id: str | bytes, responses: str) -> Subject:
    return Subject(item_id=ItemId(unpack_text(item_id)), responses=unpack_indices(responses))


@lru_cache(maxsize=4096)
def _plain_label(value: str | bytes) -> Label:
    return Label(value=unpack_json(value))


def _read_outcome(row: Row[Any]) -> Outcome:
    match row.kind:
        case "label":
            if row.confidence is None and row.preference is None and row.distribution is None:
                return _plain_label(row.value)
            return Label(
                value=unpack_json(row.value),
                confidence=row.confidence,
                preference=row.preference,
                distribution=_read_distribution(row.distribution),
            )
        case "abstention":
            return Abstention(reason=unpack_text(row.reason))
        case "failure":
            return Failure(reason=row.reason, detail=unpack_text(row.detail))
        case kind:
            raise ValueError(f"a judgment of kind {kind!r}; expected label, abstention or failure")
