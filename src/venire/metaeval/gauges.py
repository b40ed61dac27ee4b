"""Gauges: the figures of a run that can be held to a requirement, or to the same figure of another run."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedDraws, CodedVotes
from venire.domain.finding import Finding, Undefined
from venire.domain.judgment import FailureReason
from venire.domain.measures import PANEL
from venire.domain.rubric import TIE, NominalScale, OrdinalScale
from venire.metaeval.intervals import N_RESAMPLES, Resampled, interval_of
from venire.stats.cluster_bootstrap import resampled_sums
from venire.stats.cohen_kappa import Weights, kappa_of_tables

LOWER_IS_BETTER = frozenset({"mean_absolute_error", "undecided", "failures", "unasked"})
NOT_ASKED = "not_asked"
_FAILURES = frozenset(get_args(FailureReason))


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """One figure as what every subject adds to it."""

    name: str
    about: str
    """The panel, a judge, or a system."""
    amounts: NDArray[np.float64]
    """Shape (n_subjects,): what is summed; of a kappa the cell of the table of n_labels × n_labels."""
    numbers: NDArray[np.float64]
    """Shape (n_subjects,): how much the subject counts for; 0 where it does not count."""
    why_not: str
    """Why a subject does not count."""
    provenance: str
    n_labels: int = 0
    """Of a kappa; 0: the figure is the sum of amounts over that of numbers."""
    weights: Weights = "nominal"

    def at(self, columns: NDArray[np.intp]) -> "Gauge":
        """The same over some subjects, in this order."""
        return Gauge(
            name=self.name,
            about=self.about,
            amounts=self.amounts[columns],
            numbers=self.numbers[columns],
            why_not=self.why_not,
            provenance=self.provenance,
            n_labels=self.n_labels,
            weights=self.weights,
        )

    def sums(self, groups: NDArray[np.intp], n_groups: int, counted: NDArray[np.bool_]) -> NDArray[np.float64]:
        """What every group adds: shape (n_groups, n_cells)."""
        group, amounts, numbers = groups[counted], self.amounts[counted], self.numbers[counted]
        if self.n_labels:
            n_cells = self.n_labels**2
            cells = group * n_cells + amounts.astype(np.intp)
            table = np.bincount(cells, weights=numbers, minlength=n_groups * n_cells).astype(np.float64)
            return table.reshape(n_groups, n_cells)
        parts = [np.bincount(group, weights=one, minlength=n_groups) for one in (amounts * (numbers > 0), numbers)]
        return np.stack(parts, axis=1)

    def figures(self, sums: NDArray[np.float64]) -> Resampled:
        """The figure of every row of sums, shape (n_rows, n_cells)."""
        if self.n_labels:
            tables = kappa_of_tables(sums.reshape(-1, self.n_labels, self.n_labels), self.weights)
            return Resampled(values=tables.values, defined=tables.defined)
        defined = sums[:, 1] > 0
        return Resampled(
            values=np.divide(sums[:, 0], sums[:, 1], out=np.zeros(len(sums)), where=defined), defined=defined
        )


def gauges_of(
    *,
    votes: CodedVotes,
    draws: CodedDraws,
    panel: CodedVotes,
    gold: CodedVotes | None,
    voting: Sequence[str],
    asked: Set[str],
    systems: Sequence[tuple[str | None, ...]],
) -> Sequence[Gauge]:
    """Every gauge of one criterion.

    Args:
        votes, draws: of all judges.
        panel, gold: one rater each, over the same subjects.
        voting: the judges whose failures count for the panel.
        asked: the judges that were asked here; of what was recorded elsewhere nobody knows what was planned.
        systems: by subject, who wrote its responses; None where nobody knows.
    """
    found = [_undecided(panel), *_failures(draws, voting), *_unasked(draws, [name for name in voting if name in asked])]
    if gold is not None:
        raters = [(PANEL, panel.codes[0], panel.present[0])]
        raters += [(name, votes.codes[row], votes.present[row]) for row, name in enumerate(votes.raters)]
        for name, codes, present in raters:
            found += _against_gold(name, codes, present, gold)
    return [*found, *_outcomes(panel, systems)]


def measure_gauge(gauge: Gauge, groups: NDArray[np.intp], *, seed: int) -> Finding:
    """The figure with its interval.

    Args:
        groups: shape (n_subjects,): the number of each subject's group.
    """
    counted = gauge.numbers > 0
    names, numbers = np.unique(groups[counted], return_inverse=True)
    own = np.zeros(len(groups), dtype=np.intp)
    own[counted] = numbers
    sums = gauge.sums(own, len(names), counted)
    point = value_of(gauge, sums.sum(axis=0))
    resampled = resampled_sums(sums, N_RESAMPLES, seed) if len(names) > 1 else np.zeros((0, sums.shape[1]))
    n = int(counted.sum())
    return Finding(
        name=gauge.name,
        about=gauge.about,
        value=point,
        interval=interval_of(
            point, gauge.figures(resampled), n_groups=len(names), seed=seed, is_share=is_share(gauge.name)
        ),
        n=n,
        n_groups=len(names),
        missing=((gauge.why_not, len(counted) - n),) if n < len(counted) else (),
        provenance=gauge.provenance,
    )


def value_of(gauge: Gauge, sums: NDArray[np.float64]) -> float | Undefined:
    """The figure of one row of sums."""
    figures = gauge.figures(sums[None, :])
    if figures.defined[0]:
        return float(figures.values[0])
    if not sums.any():
        return Undefined(f"no subject counts: each is left out as {gauge.why_not!r}")
    return Undefined(f"{gauge.name}: both gave one and the same label throughout")


def is_share(name: str) -> bool:
    """Whether the figure is a share of subjects."""
    return name not in {"kappa", "mean", "mean_absolute_error", "mean_position"}


def _undecided(panel: CodedVotes) -> Gauge:
    return Gauge(
        name="undecided",
        about=PANEL,
        amounts=(~panel.present[0]).astype(np.float64),
        numbers=np.ones(len(panel.subjects)),
        why_not="",
        provenance="share of subjects without a decision",
    )


def _failures(draws: CodedDraws, voting: Sequence[str]) -> list[Gauge]:
    failed = _missing_for(draws, _FAILURES)
    is_asked = ~_missing_for(draws, frozenset({NOT_ASKED}))
    rows: Mapping[str, list[int]] = {
        PANEL: [draws.raters.index(name) for name in voting],
        **{name: [row] for row, name in enumerate(draws.raters)},
    }
    return [
        Gauge(
            name="failures",
            about=about,
            amounts=failed[own].sum(axis=(0, 2)).astype(np.float64),
            numbers=is_asked[own].sum(axis=(0, 2)).astype(np.float64),
            why_not="not asked",
            provenance="share of judgments asked for that are failures; abstentions are not",
        )
        for about, own in rows.items()
    ]


def _unasked(draws: CodedDraws, asked: Sequence[str]) -> list[Gauge]:
    own = [draws.raters.index(name) for name in asked]
    if not own:
        return []
    is_open = _missing_for(draws, frozenset({NOT_ASKED}))[own]
    # A draw that nobody has on any subject was not planned.
    planned = np.broadcast_to(np.any(~is_open, axis=1, keepdims=True), is_open.shape)
    return [
        Gauge(
            name="unasked",
            about=PANEL,
            amounts=(is_open & planned).sum(axis=(0, 2)).astype(np.float64),
            numbers=planned.sum(axis=(0, 2)).astype(np.float64),
            why_not="nothing planned",
            provenance="share of draws that other subjects have and that were not asked for here",
        )
    ]


def _missing_for(draws: CodedDraws, reasons: Set[str]) -> NDArray[np.bool_]:
    """Which draws are missing for one of these reasons."""
    is_one = np.array([False, *(reason in reasons for reason in draws.reasons)], dtype=np.bool_)
    return np.asarray(is_one[draws.missing], dtype=np.bool_)


def _against_gold(about: str, codes: NDArray[np.float64], present: NDArray[np.bool_], gold: CodedVotes) -> list[Gauge]:
    both = present & gold.present[0]
    theirs = gold.codes[0]
    numbers = both.astype(np.float64)
    why_not = "no gold, or no vote" if about != PANEL else "no gold, or undecided"
    if not gold.labels:
        errors = np.where(both, np.abs(codes - theirs), 0.0)
        provenance = "from gold: mean absolute difference in units of the scale; lower is better"
        name = "mean_absolute_error"
        return [Gauge(name=name, about=about, amounts=errors, numbers=numbers, why_not=why_not, provenance=provenance)]
    n = len(gold.labels)
    weights: Weights = "quadratic" if isinstance(gold.scale, OrdinalScale) else "nominal"
    return [
        Gauge(
            name="kappa",
            about=about,
            amounts=np.where(both, codes * n + theirs, 0.0),
            numbers=numbers,
            why_not=why_not,
            provenance=f"against gold: Cohen's kappa, {weights} weights",
            n_labels=n,
            weights=weights,
        ),
        Gauge(
            name="accuracy",
            about=about,
            amounts=(both & (codes == theirs)).astype(np.float64),
            numbers=numbers,
            why_not=why_not,
            provenance="against gold: share of equal labels",
        ),
    ]


def _outcomes(panel: CodedVotes, systems: Sequence[tuple[str | None, ...]]) -> list[Gauge]:
    """What the verdicts say: of all subjects together, and of every system."""
    names = sorted({name for own in systems for name in own if name is not None})
    if panel.n_positions:
        return [_win_rate(panel, systems, name) for name in names]
    name, amounts, provenance = _goodness(panel)
    decided = panel.present[0].astype(np.float64)
    of_all = Gauge(name=name, about=PANEL, amounts=amounts, numbers=decided, why_not="undecided", provenance=provenance)
    wrote = {one: np.array([one in own for own in systems], dtype=np.float64) for one in names}
    return [
        of_all,
        *(
            Gauge(
                name=name,
                about=one,
                amounts=amounts,
                numbers=decided * mask,
                why_not="undecided, or another system's",
                provenance=provenance,
            )
            for one, mask in wrote.items()
        ),
    ]


def _goodness(panel: CodedVotes) -> tuple[str, NDArray[np.float64], str]:
    codes = panel.codes[0]
    if isinstance(panel.scale, NominalScale):
        positive = panel.labels.index(panel.scale.positive)
        return "pass_rate", (codes == positive).astype(np.float64), f"share of verdicts {panel.scale.positive!r}"
    if isinstance(panel.scale, OrdinalScale):
        return (
            "mean_position",
            codes / (len(panel.labels) - 1),
            "mean rank of the verdicts: 0 the worst label, 1 the best",
        )
    return "mean", codes, "mean of the verdicts"


def _win_rate(panel: CodedVotes, systems: Sequence[tuple[str | None, ...]], name: str) -> Gauge:
    decided, codes = panel.present[0], panel.codes[0]
    is_tie = codes == panel.labels.index(TIE) if TIE in panel.labels else np.zeros(len(codes), dtype=np.bool_)
    is_choice = codes < panel.n_positions
    # Of two responses of one system neither wins against another system.
    meets = np.array([name in own and len(set(own)) > 1 for own in systems], dtype=np.bool_)
    wins = np.array(
        [
            bool(choice) and int(code) < len(own) and own[int(code)] == name
            for own, code, choice in zip(systems, codes.tolist(), is_choice.tolist(), strict=True)
        ],
        dtype=np.float64,
    )
    n_met = np.array([len(own) for own in systems], dtype=np.float64)
    counted = decided & meets & (is_choice | is_tie)
    return Gauge(
        name="win_rate",
        about=name,
        amounts=np.where(is_tie, 1.0 / np.maximum(n_met, 1.0), wins),
        numbers=counted.astype(np.float64),
        why_not="undecided, both bad, or between others",
        provenance="share of its comparisons that the verdicts give to it; a tie counts in equal parts",
    )
