"""The best of n: which of an item's responses has the highest score, where each was scored alone."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from venire.domain.best_of import BestOf, no_score, tied
from venire.domain.identity import BEST_OF_N, ItemId, seeded_index
from venire.domain.item import Subject
from venire.domain.verdict import Decided, Shared, Undecided, VerdictOutcome

EQUAL = 1e-9
"""Scores that differ by no more, as a share of the scale, tie: a mean of 0.1, 0.2 and 0.3 need not be 0.2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """An item with several responses, and where their scores stand."""

    subject: Subject
    """All of the item's responses."""
    columns: tuple[int, ...]
    """Of each response, in the item's order."""


def contests_of(subjects: Sequence[Subject]) -> tuple[Contest, ...]:
    """Every item of which two responses or more are subjects, in the order in which the items come."""
    found: dict[ItemId, list[tuple[int, int]]] = {}
    for column, subject in enumerate(subjects):
        found.setdefault(subject.item_id, []).append((subject.responses[0], column))
    return tuple(
        Contest(
            subject=Subject(item_id=item_id, responses=tuple(sorted(response for response, _ in places))),
            columns=tuple(column for _, column in sorted(places)),
        )
        for item_id, places in found.items()
        if len(places) > 1
    )


def choose_best(
    contest: Contest, scores: Mapping[int, float | Undecided], width: float, best_of: BestOf
) -> VerdictOutcome:
    """Choose the response with the highest score.

    Args:
        scores: by response, or why it has none: then nothing is chosen, since that response might have been the best.
        width: of the scale of the scores; those closer than a billionth of it tie.
        best_of: what becomes of a tie at the top.
    """
    known: dict[int, float] = {}
    for response, score in scores.items():
        if isinstance(score, Undecided):
            return Undecided(reason=no_score(response))
        known[response] = score
    top = max(known.values())
    leaders = [response for response, score in known.items() if score >= top - EQUAL * width]
    return settle_best(contest.subject, leaders, best_of)


def settle_best(subject: Subject, leaders: Sequence[int], best_of: BestOf) -> VerdictOutcome:
    """The one response that leads, or what the tie rule makes of several."""
    if len(leaders) == 1:
        return Decided(value=leaders[0])
    match best_of.tie:
        case "fractional":
            return Shared(values=tuple(leaders))
        case "random":
            return Decided(value=leaders[seeded_index(len(leaders), best_of.seed, subject.item_id, BEST_OF_N)])
        case "strict":
            return Undecided(reason=tied(len(leaders)))


def score_of(outcome: VerdictOutcome) -> float | Undecided:
    """The number that was decided; of several that share a tie, their mean."""
    match outcome:
        case Decided(value=value):
            return float(value)
        case Shared(values=values):
            return math.fsum(map(float, values)) / len(values)
        case _:
            return outcome
