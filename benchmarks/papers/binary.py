"""Binary verdicts against gold: every figure of many panels at once, with intervals by resampling questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.papers.recorded import Recorded
from venire.aggregation.coded import code_decisions
from venire.aggregation.rules import apply_rule
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import Aggregation, RuleName, TiePolicy
from venire.domain.identity import CriterionId
from venire.stats.cluster_bootstrap import group_weights, percentile_interval
from venire.stats.cohen_kappa import kappa_of_tables

N_RESAMPLES = 2000
SEED = 0
LABEL = CriterionId("correct")
TIED_IS_INCORRECT = TiePolicy(kind="label", label="incorrect")


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A figure with its 95 % percentile interval over resampled groups."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """What one judge or panel says of every item."""

    name: str
    codes: NDArray[np.float64]
    """Shape (n_items,): 1 is correct."""
    present: NDArray[np.bool_]


def verdicts_of(votes: CodedVotes, panel: Sequence[str], rule: RuleName = "majority") -> Verdicts:
    """A panel's verdicts: missing votes are left out, a tied vote counts as incorrect."""
    aggregation = Aggregation(rule=rule, denominator="counted", tie=TIED_IS_INCORRECT)
    coded = code_decisions(apply_rule(votes.only(panel), aggregation), LABEL, aggregation)
    return Verdicts(name=f"{rule} of {', '.join(panel)}", codes=coded.codes[0], present=coded.present[0])


def judge_of(votes: CodedVotes, name: str) -> Verdicts:
    """A single judge's verdicts."""
    row = votes.rater(name)
    return Verdicts(name=name, codes=votes.codes[row], present=votes.present[row])


class Scores:
    """The confusion tables of many verdicts with gold, summed by group once, and what follows from them."""

    def __init__(self, verdicts: Sequence[Verdicts], recorded: Recorded, groups: Sequence[str]) -> None:
        """Sum; `groups` names the group of every item."""
        self.names = [one.name for one in verdicts]
        _, number = np.unique(np.array(groups), return_inverse=True)
        gold = recorded.gold.codes[0].astype(np.intp)
        n_groups = int(number.max()) + 1
        tables = np.zeros((n_groups, len(verdicts), 4))
        for row, one in enumerate(verdicts):
            cells = (number * 4 + one.codes.astype(np.intp) * 2 + gold)[one.present]
            tables[:, row] = np.bincount(cells, minlength=n_groups * 4).reshape(n_groups, 4)
        weights = group_weights(n_groups, N_RESAMPLES, SEED).astype(np.float64)
        flat = weights @ tables.reshape(n_groups, -1)
        self._tables = tables.sum(axis=0).reshape(-1, 2, 2)
        self._resampled = flat.reshape(N_RESAMPLES, len(verdicts), 2, 2)

    def kappa(self, name: str) -> Estimate:
        """Cohen's kappa with gold."""
        row = self.names.index(name)
        return _estimate(_kappa(self._tables[row : row + 1])[0], _kappa(self._resampled[:, row]))

    def kappa_difference(self, name: str, other: str) -> Estimate:
        """Kappa of one minus kappa of another, over the same resamples."""
        ours, theirs = self.names.index(name), self.names.index(other)
        point = _kappa(self._tables[ours : ours + 1])[0] - _kappa(self._tables[theirs : theirs + 1])[0]
        return _estimate(point, _kappa(self._resampled[:, ours]) - _kappa(self._resampled[:, theirs]))

    def row(self, name: str) -> Mapping[str, Estimate]:
        """Kappa, precision, recall, F1 and accuracy of the label correct."""
        row = self.names.index(name)
        whole, resampled = _shares(self._tables[row : row + 1]), _shares(self._resampled[:, row])
        return {"kappa": self.kappa(name)} | {key: _estimate(whole[key][0], resampled[key]) for key in whole}

    def kappas(self) -> NDArray[np.float64]:
        """The kappa of every row, without an interval."""
        return _kappa(self._tables)

    def accuracies(self) -> NDArray[np.float64]:
        """The accuracy of every row, without an interval."""
        return _shares(self._tables)["accuracy"]

    def n(self, name: str) -> int:
        """Items that have a verdict."""
        return int(self._tables[self.names.index(name)].sum())

    def matched(self, name: str, leniency: float) -> float:
        """The expected kappa of a judge made as lenient: some of its votes, drawn by lot, are turned.

        Its "incorrect" votes become "correct" (or the other way round) in the share that gives this rate of "correct".
        """
        table = self._tables[self.names.index(name)]
        rate = table[1].sum() / table.sum()
        source = 0 if leniency > rate else 1
        share = abs(leniency - rate) * table.sum() / table[source].sum()
        moved = table.copy()
        moved[1 - source] += share * table[source]
        moved[source] -= share * table[source]
        return float(_kappa(moved[None])[0])

    def leniency(self, name: str) -> float:
        """The share of items that are called correct."""
        table = self._tables[self.names.index(name)]
        return float(table[1].sum() / table.sum())


def inflation(verdicts: Verdicts, recorded: Recorded, groups: Sequence[str]) -> Mapping[str, Estimate]:
    """By system: the share that is called correct minus the share that is, over the items with a verdict."""
    _, number = np.unique(np.array(groups), return_inverse=True)
    n_groups = int(number.max()) + 1
    weights = group_weights(n_groups, N_RESAMPLES, SEED).astype(np.float64)
    result = {}
    for system in sorted({system for systems in recorded.systems for system in systems}):
        of_system = np.array([system in systems for systems in recorded.systems]) & verdicts.present
        excess = np.bincount(
            number[of_system], weights=(verdicts.codes - recorded.gold.codes[0])[of_system], minlength=n_groups
        )
        n = np.bincount(number[of_system], minlength=n_groups)
        resampled = (weights @ excess) / np.maximum(weights @ n, 1)
        result[system] = _estimate(excess.sum() / n.sum(), resampled)
    return result


def _kappa(tables: NDArray[np.float64]) -> NDArray[np.float64]:
    return kappa_of_tables(tables).values


def _shares(tables: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    right, called, is_so = tables[:, 1, 1], tables[:, 1].sum(axis=1), tables[:, :, 1].sum(axis=1)
    return {
        "precision": right / np.maximum(called, 1),
        "recall": right / np.maximum(is_so, 1),
        "f1": 2 * right / np.maximum(called + is_so, 1),
        "accuracy": (right + tables[:, 0, 0]) / np.maximum(tables.sum(axis=(1, 2)), 1),
    }


def _estimate(point: float, resampled: NDArray[np.float64]) -> Estimate:
    interval = percentile_interval(resampled, np.isfinite(resampled))
    return Estimate(value=float(point), low=interval.low, high=interval.high)
