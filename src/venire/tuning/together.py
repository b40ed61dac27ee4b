"""Together: which judges err together, how many independent votes they are worth, and what independence would give."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes
from venire.domain.finding import Undefined
from venire.domain.health import PairHealth
from venire.domain.identity import JudgeId
from venire.errors import UndefinedStatistic
from venire.stats.condorcet import condorcet_ideal
from venire.stats.effective_votes import effective_votes
from venire.stats.pearson_correlations import pearson_correlations
from venire.stats.phi_correlation import PhiCorrelations, phi_correlations

NO_GOLD = Undefined("there is no gold")
Decide = Callable[[Sequence[JudgeId]], CodedVotes]
"""What these judges alone decide, as one rater."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """How judges hang together."""

    pairs: tuple[PairHealth, ...]
    n_effective: float | Undefined
    mean_correlation: float | Undefined
    ideal: float | Undefined


def measure_together(
    votes: CodedVotes,
    gold: CodedVotes | None,
    kept: NDArray[np.bool_],
    families: Sequence[str | None],
    decide: Decide,
) -> Together:
    """Measure every pair of judges on some subjects, and the panel's effective votes and ideal.

    With gold: correlations of errors (labels: phi of error indicators; numbers: Pearson of vote minus gold). Without:
    of disagreement with what the others decide without the two, a proxy.

    Args:
        votes: of the voting judges.
        kept: shape (n_subjects,).
        families: of the judges, in their order.
        decide: for the proxy.
    """
    present = votes.present & kept
    errors = _errors(votes, gold, present) if gold is not None else None
    names = [JudgeId(rater) for rater in votes.raters]
    pairs = []
    values = np.eye(len(names))
    defined = np.ones(values.shape, dtype=np.bool_)
    for first in range(len(names)):
        for second in range(first + 1, len(names)):
            both = present[first] & present[second]
            if errors is not None:
                found = errors.values[first, second] if errors.defined[first, second] else None
            else:
                found = _proxy(votes, kept, (first, second), names, decide)
            values[first, second] = values[second, first] = found or 0.0
            defined[first, second] = defined[second, first] = found is not None
            pairs.append(
                PairHealth(
                    first=names[first],
                    second=names[second],
                    agreement=_agreement(votes, first, second, both),
                    error_correlation=float(found)
                    if found is not None
                    else Undefined("one of the two never errs, or always"),
                    n=int(both.sum()),
                    same_family=families[first] is not None and families[first] == families[second],
                )
            )
    matrix = PhiCorrelations(values=values, defined=defined, n_shared=np.zeros(values.shape, dtype=np.intp))
    try:
        effective = effective_votes(matrix)
        n_effective: float | Undefined = effective.n_effective
        mean: float | Undefined = effective.mean_correlation
    except UndefinedStatistic as reason:
        n_effective = mean = Undefined(_named(str(reason), names))
    return Together(
        pairs=tuple(pairs), n_effective=n_effective, mean_correlation=mean, ideal=_ideal(votes, gold, present)
    )


def _errors(votes: CodedVotes, gold: CodedVotes, present: NDArray[np.bool_]) -> PhiCorrelations:
    both = present & gold.present[0]
    if votes.labels:
        return phi_correlations(votes.codes != gold.codes[0], both)
    return pearson_correlations(votes.codes - gold.codes[0], both)


def _agreement(votes: CodedVotes, first: int, second: int, both: NDArray[np.bool_]) -> float | Undefined:
    if not both.any():
        return Undefined("they share no subject")
    if votes.labels:
        return float((votes.codes[first] == votes.codes[second])[both].mean())
    found = pearson_correlations(votes.codes[[first, second]], np.stack([both, both]))
    return (
        float(found.values[0, 1]) if found.defined[0, 1] else Undefined("one of the two always gives the same number")
    )


def _proxy(
    votes: CodedVotes, kept: NDArray[np.bool_], pair: tuple[int, int], names: Sequence[JudgeId], decide: Decide
) -> float | None:
    """Correlation of the two judges' disagreement with what the others decide."""
    others = [name for row, name in enumerate(names) if row not in pair]
    if not others:
        return None
    panel = decide(others)
    seen = votes.present[list(pair)] & panel.present[0] & kept
    codes = votes.codes[list(pair)]
    found = (
        phi_correlations(codes != panel.codes[0], seen)
        if votes.labels
        else pearson_correlations(codes - panel.codes[0], seen)
    )
    return float(found.values[0, 1]) if found.defined[0, 1] else None


def _ideal(votes: CodedVotes, gold: CodedVotes | None, present: NDArray[np.bool_]) -> float | Undefined:
    """What a majority of as accurate but independent judges would reach, label by label."""
    if gold is None:
        return NO_GOLD
    if not votes.labels:
        return Undefined("numbers are not right or wrong")
    both = present & gold.present[0]
    truth = gold.codes[0]
    shares, prevalence = [], []
    for label in range(len(votes.labels)):
        of_label = both & (truth == label)
        n = of_label.sum(axis=1)
        if not n.any():
            continue
        if not n.all():
            return Undefined(f"a judge has no vote where gold is {votes.labels[label]!r}")
        shares.append(((votes.codes == label) & of_label).sum(axis=1) / n)
        prevalence.append(float((gold.present[0] & (truth == label) & present.any(axis=0)).sum()))
    if not shares:
        return Undefined("no subject has a vote and gold")
    weights = np.array(prevalence) / sum(prevalence)
    return condorcet_ideal(np.stack(shares, axis=1), weights).accuracy


def _named(reason: str, names: Sequence[JudgeId]) -> str:
    """Numbers of voters in a reason become the judges' names."""
    import re

    return re.sub(r"voters (\d+) and (\d+)", lambda m: f"{names[int(m[1])]} and {names[int(m[2])]}", reason)
