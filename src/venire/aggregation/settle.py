"""Settling: quorum and tie policy, the same for every rule, and the support behind each outcome."""

from dataclasses import dataclass

import numpy as np

from venire.aggregation.result import RuleResult
from venire.aggregation.tally import n_votes, tally
from venire.coding.labels import value_of
from venire.domain.aggregation import Aggregation, TiePolicy
from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId, seeded_index
from venire.domain.item import Subject
from venire.domain.rubric import IntervalScale, Value
from venire.domain.verdict import Decided, Shared, Undecided, VerdictOutcome

VOTES_TIED = "votes tied"

_NO_DECISION = Undefined("no decision")
_MEAN = Undefined("a mean of numbers is held by no vote")
_NO_VOTE = Undefined("no vote counted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The outcome on every subject, in the subjects' order, with the votes behind it."""

    outcomes: tuple[VerdictOutcome, ...]
    support: tuple[float | Undefined, ...]
    spread: tuple[float | Undefined, ...]


def settle(result: RuleResult, criterion_id: CriterionId, aggregation: Aggregation) -> Settled:
    """Apply quorum, then the rule, then the tie policy.

    Support is the share of the denominator that holds the decision; where a tie is shared, that each value holds.
    Spread is the chance that two counted votes drawn with replacement differ (Gini-Simpson index, 1 − Σ p²:
    Simpson 1949, doi:10.1038/163688a0), or the population standard deviation of numbers.
    """
    outcomes: list[VerdictOutcome] = []
    held_codes = result.codes.copy()
    n_counted = n_votes(result.votes, "counted").tolist()
    codes, decided = result.codes.tolist(), result.decided.tolist()
    values = _Values(result)
    for column, subject in enumerate(result.votes.subjects):
        outcome: VerdictOutcome
        if n_counted[column] < aggregation.quorum:
            outcome = Undecided(
                reason=f"quorum: {n_counted[column]} of {len(result.votes.raters)} votes, {aggregation.quorum} needed"
            )
        elif decided[column]:
            outcome = Decided(value=values.of(codes[column], subject))
        elif column in result.tied:
            tied = result.tied[column]
            outcome, held_codes[column] = _break_tie(tied, values, subject, criterion_id, aggregation.tie)
        else:
            outcome = Undecided(reason=result.otherwise)
        outcomes.append(outcome)
    return Settled(
        outcomes=tuple(outcomes),
        support=_support(result, outcomes, held_codes.tolist(), aggregation),
        spread=_spread(result),
    )


class _Values:
    """Codes back to values; a mean of numbers stays a decimal number, also where it happens to be whole."""

    def __init__(self, result: RuleResult) -> None:
        self._votes = result.votes
        self._n_positions = result.votes.n_positions
        self._is_mean = result.is_mean_of_numbers

    def of(self, code: float, subject: Subject) -> Value:
        """The value that this code stands for."""
        return code if self._is_mean else value_of(self._votes.scale, code, subject, self._n_positions)

    def code_of(self, label: str) -> float:
        """The code of a label of the scale."""
        return float(self._votes.labels.index(label))


def _break_tie(
    tied: tuple[float, ...], values: _Values, subject: Subject, criterion_id: CriterionId, policy: TiePolicy
) -> tuple[VerdictOutcome, float]:
    """The outcome of an exact tie, and a code whose holders are its support."""
    if policy.kind == "label" and policy.label is not None:
        return Decided(value=policy.label), values.code_of(policy.label)
    if policy.kind == "fractional":
        return Shared(values=tuple(values.of(code, subject) for code in tied)), tied[0]
    if policy.kind == "random":
        # Drawn from the subject, not from a stream: other subjects and their order change nothing.
        key = (policy.seed, subject.item_id, list(subject.responses), criterion_id)
        drawn = tied[seeded_index(len(tied), *key)]
        return Decided(value=values.of(drawn, subject)), drawn
    return Undecided(reason=VOTES_TIED), tied[0]


def _support(
    result: RuleResult, outcomes: list[VerdictOutcome], held_codes: list[float], aggregation: Aggregation
) -> tuple[float | Undefined, ...]:
    votes = result.votes
    holders = np.count_nonzero((votes.codes == np.array(held_codes)) & votes.present, axis=0)
    shares = (holders / np.maximum(n_votes(votes, aggregation.denominator), 1)).tolist()
    return tuple(
        _NO_DECISION if isinstance(outcome, Undecided) else _MEAN if result.is_mean_of_numbers else share
        for outcome, share in zip(outcomes, shares, strict=True)
    )


def _spread(result: RuleResult) -> tuple[float | Undefined, ...]:
    votes, present = result.votes, result.votes.present
    n = n_votes(votes, "counted")
    divisor = np.maximum(n, 1)
    if isinstance(votes.scale, IntervalScale):
        # Measured from the lowest vote, so that equal votes have a spread of exactly 0.
        lowest = np.where(present, votes.codes, np.inf).min(axis=0, initial=np.inf)
        centred = np.where(present, votes.codes - lowest, 0.0)
        # Sorted before adding, so that the last bit does not depend on the order of judges.
        mean = np.sort(centred, axis=0).sum(axis=0) / divisor
        squares = np.sort(np.where(present, (centred - mean) ** 2, 0.0), axis=0).sum(axis=0)
        values = np.sqrt(squares / divisor)
    else:
        # Σ over voters of "how many agree with me" is Σ over labels of count².
        values = 1.0 - tally(votes.codes, present).holders.sum(axis=0) / divisor**2
    return tuple(value if count else _NO_VOTE for value, count in zip(values.tolist(), n.tolist(), strict=True))
