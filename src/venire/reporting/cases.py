"""Cases: the subjects worth reading, with their words: where the panel is wrong, and where judges differ most."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from venire.coding.votes import CodedVotes
from venire.domain.annotation import Gold
from venire.domain.finding import Undefined
from venire.domain.identity import ItemId
from venire.domain.item import Item, Subject, conversation_text
from venire.domain.rubric import IntervalScale, Value
from venire.domain.verdict import Decided, Verdict
from venire.reporting.disagreements import tell_disagreement
from venire.reporting.report import Disagreement

CaseKind = Literal["wrong", "split"]
MOST = 500
_MOST_BYTES = 2_500_000
"""Of all texts together; with the plots' own script a page stays under 5 MB."""
FAR = 0.25
"""Of numbers as a share of the scale: a decision so far from gold is taken for wrong."""
_LONGEST, _SHORTEST = 6_000, 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One subject with its words; long ones are cut, and say by how much."""

    kind: CaseKind
    """wrong: the panel decided otherwise than gold; split: its judges differ."""
    told: Disagreement
    category: str | None
    prompt: str
    context: str | None
    references: tuple[str, ...]
    responses: tuple[str | None, ...]
    """Those that the subject is about; None: no text."""


def find_cases(
    verdicts: Sequence[Verdict],
    votes: CodedVotes,
    golds: Sequence[Gold],
    outlines: Mapping[ItemId, Item],
    find_item: Callable[[ItemId], Item | None],
) -> tuple[Case, ...]:
    """At most 500 cases of one criterion.

    Where the panel is wrong comes first, and of these where it was surest; then where the votes spread most.

    Args:
        verdicts, votes: of the criterion.
        find_item: an item with its words.
    """
    labels = _labels(verdicts, golds)
    ranked = _rank(verdicts, votes, labels)
    columns = {subject: column for column, subject in enumerate(votes.subjects)}
    cases = []
    for kind, verdict in ranked[:MOST]:
        item = find_item(verdict.subject.item_id)
        if item is not None:
            told = tell_disagreement(verdict, votes, columns[verdict.subject], labels, outlines)
            cases.append(_case(kind, told, item))
    return _cut(cases)


def count_cases(verdicts: Sequence[Verdict], votes: CodedVotes, golds: Sequence[Gold]) -> int:
    """How many subjects would be cases were there room for all."""
    return len(_rank(verdicts, votes, _labels(verdicts, golds)))


def _labels(verdicts: Sequence[Verdict], golds: Sequence[Gold]) -> dict[Subject, Value]:
    return {gold.subject: gold.value for gold in golds if verdicts and gold.criterion_id == verdicts[0].criterion_id}


def _rank(
    verdicts: Sequence[Verdict], votes: CodedVotes, labels: Mapping[Subject, Value]
) -> list[tuple[CaseKind, Verdict]]:
    ranked: list[tuple[int, float, Subject, CaseKind, Verdict]] = []
    for verdict in verdicts:
        spread = 0.0 if isinstance(verdict.spread, Undefined) else verdict.spread
        if _is_wrong(verdict, labels.get(verdict.subject), votes):
            ranked.append((0, spread, verdict.subject, "wrong", verdict))
        elif spread > 0:
            ranked.append((1, -spread, verdict.subject, "split", verdict))
    ranked.sort(key=lambda one: one[:3])
    return [(kind, verdict) for _, _, _, kind, verdict in ranked]


def _is_wrong(verdict: Verdict, gold: Value | None, votes: CodedVotes) -> bool:
    if gold is None or not isinstance(verdict.outcome, Decided):
        return False
    if votes.labels:
        return bool(verdict.outcome.value != gold)
    width = votes.scale.max - votes.scale.min if isinstance(votes.scale, IntervalScale) else 1.0
    return abs(float(verdict.outcome.value) - float(gold)) > FAR * width


def _case(kind: CaseKind, told: Disagreement, item: Item) -> Case:
    return Case(
        kind=kind,
        told=told,
        category=item.category,
        prompt=conversation_text(item.prompt),
        context=item.context,
        references=item.reference,
        responses=tuple(item.responses[index].text for index in told.responses),
    )


def _cut(cases: Sequence[Case]) -> tuple[Case, ...]:
    """Cut every text at one length, such that all of them fit."""
    sizes = np.array([len(text.encode("utf-8", "replace")) for case in cases for text in _texts(case)] or [0])
    longest = _LONGEST
    while longest > _SHORTEST and np.minimum(sizes, 2 * longest).sum() > _MOST_BYTES:
        longest //= 2
    return tuple(
        replace(
            case,
            prompt=_shorter(case.prompt, longest),
            context=None if case.context is None else _shorter(case.context, longest),
            references=tuple(_shorter(text, longest) for text in case.references),
            responses=tuple(None if text is None else _shorter(text, longest) for text in case.responses),
        )
        for case in cases
    )


def _texts(case: Case) -> list[str]:
    others = [case.context, *case.responses]
    return [case.prompt, *case.references, *(text for text in others if text is not None)]


def _shorter(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]} […{len(text) - longest:,} more characters]"
